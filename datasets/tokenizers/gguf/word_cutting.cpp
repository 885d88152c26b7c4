#include "datasets/tokenizers/gguf/word_cutting.h"

#include <algorithm>

namespace anneal::datasets {
namespace {

constexpr std::string_view kLlama3 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kQwen2 =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kSeedCoder =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}\r\n]+|\s*[\r\n]+|\s+(?!\S)|\s+)";
constexpr std::string_view kTekken = R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+|)"
                                     R"([^\r\n\p{L}\p{N}]?[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]+[\p{Ll}\p{Lm}\p{Lo}\p{M}]*|)"
                                     R"(\p{N}| ?[^\s\p{L}\p{N}]+[\r\n/]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

// The names are those of llama.cpp's converter, the patterns those of the models' own tokenizer.json.
const std::vector<WordCutting>& all() {
  static const std::vector<WordCutting> list{
      {.names = {"gpt-2", "phi-2", "olmo", "mpt", "exaone4", "trillion"}, .patterns = {}, .then_as_gpt2 = true},
      {.names = {"smollm", "starcoder", "refact", "minerva-7b"}, .patterns = {R"(\p{N})"}, .then_as_gpt2 = true},
      {.names = {"llama-bpe", "llama3", "llama-v3", "falcon3"},
       .patterns = {kLlama3},
       .ignores_merges = true,
       .adds_bos = true},
      {.names = {"dbrx", "smaug-bpe"}, .patterns = {kLlama3}},
      {.names = {"qwen2"}, .patterns = {kQwen2}, .composes = true},
      {.names = {"deepseek-r1-qwen", "megrez", "stablelm2"}, .patterns = {kQwen2}},
      {.names = {"tekken"}, .patterns = {kTekken}, .ignores_merges = true, .adds_bos = true},
      {.names = {"seed-coder"}, .patterns = {kSeedCoder}},
      {.names = {"deepseek-coder"},
       .patterns = {"[\r\n]", R"(\s?\p{L}+)", R"(\s?\p{P}+)", "[一-龥ࠀ-一가-퟿]+", R"(\p{N})"}},
  };
  return list;
}

}  // namespace

const WordCutting* word_cutting_named(std::string_view name) {
  for (const WordCutting& cutting : all()) {
    if (std::find(cutting.names.begin(), cutting.names.end(), name) != cutting.names.end()) return &cutting;
  }
  return nullptr;
}

}  // namespace anneal::datasets
