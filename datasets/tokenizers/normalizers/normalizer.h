#pragma once
// What is done to a text before it is cut into words: "normalizer" in tokenizer.json.

#include <memory>
#include <string_view>

#include "datasets/tokenizers/aligned_text.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// Unchanging after it was made; used by many threads at the same time.
class Normalizer {
 public:
  virtual ~Normalizer() = default;
  // True only if apply() would not change the text; cheap, and false when in doubt.
  virtual bool leaves_alone(std::string_view /*text*/) const { return false; }
  virtual void apply(PieceText& piece) const = 0;
};

// Null for a JSON null. `where` names the place in sentences: "tokenizer.json: normalizer".
// Throws Error(kInput) for a kind that is unknown or an option that is wrong.
std::unique_ptr<Normalizer> read_normalizer(const Json& description, const std::string& where);

// Each kind's own reader, called by read_normalizer() through its list.
std::unique_ptr<Normalizer> make_unicode_form(bool compatibility, bool composed);  // NFC, NFD, NFKC, NFKD
std::unique_ptr<Normalizer> read_bert_normalizer(const Json&, const std::string& where);
std::unique_ptr<Normalizer> read_precompiled(const Json&, const std::string& where);  // SentencePiece's character map
std::unique_ptr<Normalizer> read_replace(const Json&, const std::string& where);
std::unique_ptr<Normalizer> make_lowercase();
std::unique_ptr<Normalizer> make_strip_accents();
std::unique_ptr<Normalizer> make_strip(bool left, bool right);
std::unique_ptr<Normalizer> make_prepend(std::string prefix);
std::unique_ptr<Normalizer> make_nmt();
std::unique_ptr<Normalizer> make_byte_alphabet();

}  // namespace anneal::datasets
