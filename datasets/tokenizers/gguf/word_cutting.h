#pragma once
// How a text is cut into words before byte-pair merges. A GGUF file says it by one name only ("tokenizer.ggml.pre");
// what the name means is known to programs, not to the file.

#include <string_view>
#include <vector>

namespace anneal::datasets {

struct WordCutting {
  std::vector<std::string_view> names;
  std::vector<std::string_view> patterns;  // regular expressions; each cuts further what the ones before left
  bool then_as_gpt2 = false;               // GPT-2's own cutting comes last
  bool composes = false;                   // the text is brought into NFC first
  bool ignores_merges = false;             // a word that is one token as a whole needs no merges
  bool adds_bos = false;                   // where the file does not say
};

// Null for a name that is not known. "default", which means that the converting program did not know either, is none.
const WordCutting* word_cutting_named(std::string_view name);

}  // namespace anneal::datasets
