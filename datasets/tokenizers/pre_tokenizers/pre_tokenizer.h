#pragma once
// How a text is cut into words before the model sees it: "pre_tokenizer" in tokenizer.json.

#include <memory>
#include <string>
#include <vector>

#include "datasets/tokenizers/aligned_text.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// One step of it. Unchanging after it was made; used by many threads at the same time.
class PreTokenizer {
 public:
  virtual ~PreTokenizer() = default;
  virtual void apply(AlignedText& text) const = 0;
};

// All steps, with Sequences unrolled.
struct PreTokenization {
  std::vector<std::unique_ptr<PreTokenizer>> steps;
  // The last step would be to spell each byte in the byte alphabet. It is left to the model, which can do without it.
  bool ends_in_byte_alphabet = false;
};

// Throws Error(kInput) for a kind that is unknown or an option that is wrong.
PreTokenization read_pre_tokenizer(const Json& description, const std::string& where);

// Each kind's own reader or maker, called by read_pre_tokenizer() through its list.
std::unique_ptr<PreTokenizer> read_split(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> read_metaspace(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> read_digits(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> read_punctuation(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> read_char_delimiter_split(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> read_fixed_length(const Json&, const std::string& where);
std::unique_ptr<PreTokenizer> make_whitespace();
std::unique_ptr<PreTokenizer> make_whitespace_split();
std::unique_ptr<PreTokenizer> make_unicode_scripts();
// GPT-2's words, or none, behind an optional blank in front of each piece.
std::unique_ptr<PreTokenizer> make_byte_level_words(bool add_prefix_space, bool use_regex, const std::string& where);
std::unique_ptr<PreTokenizer> make_byte_alphabet_step();

}  // namespace anneal::datasets
