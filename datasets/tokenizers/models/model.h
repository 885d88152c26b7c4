#pragma once
// What cuts a word into tokens: "model" in tokenizer.json.

#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/tokenizers/models/vocabulary.h"
#include "datasets/tokenizers/models/word_cache.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// What one thread keeps between words.
struct ModelScratch {
  WordCache cache;
  std::string spelling;                 // of a word in the byte alphabet
  std::vector<uint32_t> spelling_ends;  // for each byte of it, where its source byte ends
};

enum class ControlTokens { kAllowed, kForbidden };

// Unchanging once the tokenizer is built; used by many threads at the same time.
class Model {
 public:
  explicit Model(Vocabulary vocabulary) : vocabulary_(std::move(vocabulary)) {}
  virtual ~Model() = default;

  // Adds the tokens of a piece (valid UTF-8, not empty). With kForbidden no token that was forbidden comes out.
  // Throws Error(kInput) if something is unknown and the file names no token for that.
  virtual void tokenize(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                        std::vector<ModelToken>& tokens) const = 0;
  // The same for the piece spelt in the byte alphabet; begin and end are those of the plain bytes.
  virtual void tokenize_bytes(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                              std::vector<ModelToken>& tokens) const;

  const Vocabulary& vocabulary() const { return vocabulary_; }
  virtual std::optional<Token> unknown() const = 0;

  // While the tokenizer is built: ids that ordinary text must not become.
  void forbid(std::span<const Token> control_tokens);

 protected:
  bool is_forbidden(Token id) const {
    return static_cast<std::size_t>(id) < forbidden_.size() && forbidden_[static_cast<std::size_t>(id)];
  }

 private:
  Vocabulary vocabulary_;
  std::vector<bool> forbidden_;  // by id; empty: none
};

// By "type", or by its members where an old file has none. Throws Error(kInput).
std::unique_ptr<Model> read_model(const Json& description, const std::string& where);

std::unique_ptr<Model> read_bpe(const Json&, const std::string& where);
std::unique_ptr<Model> read_unigram(const Json&, const std::string& where);
std::unique_ptr<Model> read_word_piece(const Json&, const std::string& where);
std::unique_ptr<Model> read_word_level(const Json&, const std::string& where);

}  // namespace anneal::datasets
