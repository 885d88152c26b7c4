#pragma once
// From messages to the ids that a model is asked with.

#include <string>
#include <vector>

#include "engine/session/model_source.h"
#include "engine/session/row_encoding.h"

namespace anneal::tune {

// Template and tokenizer of an opened model. The model's own template, or the plain form.
class ChatPrompt {
 public:
  explicit ChatPrompt(const engine::ModelSource& source);

  std::vector<int32_t> ids_of_messages(const Json& messages) const;
  // A plain prompt: with the begin token if the tokenizer wants one.
  std::vector<int32_t> ids_of_text(const std::string& text) const;
  const datasets::Tokenizer& tokenizer() const { return *encoding_.tokenizer; }
  // The model's stop tokens, and the one that ends an assistant's turn in the template.
  std::vector<int64_t> stop_tokens() const;

 private:
  engine::RowEncoding encoding_;
  Json special_tokens_;
  std::vector<int64_t> stop_tokens_;
};

}  // namespace anneal::tune
