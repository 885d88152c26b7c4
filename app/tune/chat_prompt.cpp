#include "app/tune/chat_prompt.h"

#include <algorithm>

#include "datasets/templates/chat_template_files.h"
#include "datasets/templates/conversation_rendering.h"

namespace anneal::tune {

ChatPrompt::ChatPrompt(const engine::ModelSource& source)
    : encoding_(engine::make_row_encoding(source.template_folder.string(), source.description.architecture, {})),
      special_tokens_(datasets::load_special_tokens(source.template_folder.string())),
      stop_tokens_(source.description.stop_tokens) {
  if (const auto eos = tokenizer().eos()) stop_tokens_.push_back(*eos);
  // What the template writes behind an answer ends it, whether or not the model's files say so.
  const datasets::Row row{.source = {},
                          .content = datasets::Conversation{
                              .messages = {{.role = "user", .content = "a"}, {.role = "assistant", .content = "b"}}}};
  try {
    const datasets::EncodedRow encoded = encoding_.encoder->encode_whole(row);
    for (auto label = encoded.labels.rbegin(); label != encoded.labels.rend(); ++label) {
      if (*label < 0) continue;
      if (tokenizer().is_special(*label)) stop_tokens_.push_back(*label);
      break;
    }
  } catch (const Error&) {
    // A template that refuses this small talk has stop tokens of its own.
  }
}

std::vector<int64_t> ChatPrompt::stop_tokens() const { return stop_tokens_; }

std::vector<int32_t> ChatPrompt::ids_of_messages(const Json& messages) const {
  const Json none;
  const datasets::Rendering rendering = datasets::render_prompt(
      encoding_.encoder->chat_template(),
      {.messages = messages, .tools = none, .variables = none, .special_tokens = special_tokens_});
  return datasets::encode_rendered(tokenizer(), rendering.text, rendering.from_data).ids;
}

std::vector<int32_t> ChatPrompt::ids_of_text(const std::string& text) const {
  std::vector<int32_t> ids = tokenizer().encode(text, {.add_special_tokens = false}).ids;
  const auto bos = tokenizer().bos();
  if (bos && tokenizer().adds_bos()) ids.insert(ids.begin(), *bos);
  if (ids.empty()) {
    if (!bos) throw input_error("The prompt is empty, and this model has no token to begin with. Write a prompt.");
    ids.push_back(*bos);
  }
  return ids;
}

}  // namespace anneal::tune
