#include "engine/session/row_encoding.h"

#include <algorithm>

#include "datasets/encoding/shipped_templates.h"
#include "datasets/templates/chat_template_files.h"
#include "datasets/tokenizers/loading.h"
#include "engine/files/open_file.h"

namespace anneal::engine {
namespace {

constexpr int64_t kUsualLength = 2048;
constexpr int64_t kTemplateBytes = 16 << 20;

datasets::TrainOn train_on(TrainOn choice) {
  switch (choice) {
    case TrainOn::kAnswers:
      return datasets::TrainOn::kAnswers;
    case TrainOn::kLastAnswer:
      return datasets::TrainOn::kLastAnswer;
    case TrainOn::kEverything:
      return datasets::TrainOn::kEverything;
  }
  throw InternalError("internal fault: unknown train_on");
}

datasets::TooLong too_long(TooLong choice) {
  switch (choice) {
    case TooLong::kSkip:
      return datasets::TooLong::kSkip;
    case TooLong::kTrimPrompt:
      return datasets::TooLong::kTrimPrompt;
    case TooLong::kCut:
      return datasets::TooLong::kCut;
  }
  throw InternalError("internal fault: unknown too_long");
}

void choose_template(const std::string& folder, const std::string& wanted, datasets::RowEncoder::Parts& parts) {
  if (wanted.empty()) {
    if (auto files = datasets::load_chat_template(folder)) parts.chat_template = files->chat_template;
    if (auto files = datasets::load_chat_template(folder, true)) parts.tool_template = files->chat_template;
    return;
  }
  parts.chat_template = datasets::shipped_template(wanted);
  if (!parts.chat_template)
    parts.chat_template = datasets::ChatTemplate::parse(read_text_file(wanted, kTemplateBytes), wanted);
}

}  // namespace

RowEncoding make_row_encoding(const std::string& folder, const Architecture& architecture, const DataOptions& data) {
  RowEncoding made;
  made.tokenizer = datasets::load_tokenizer(folder);
  datasets::RowEncoder::Parts parts{.tokenizer = *made.tokenizer};
  parts.special_tokens = datasets::load_special_tokens(folder);
  choose_template(folder, data.chat_template, parts);
  made.max_sequence_length = data.max_sequence_length.value_or(std::min(kUsualLength, architecture.max_positions));
  if (made.max_sequence_length > architecture.max_positions) {
    made.facts.push_back(
        fmt::format("max_sequence_length {} is above the model's context of {}: it was never trained that far.",
                    made.max_sequence_length, architecture.max_positions));
  }
  made.encoder = std::make_unique<datasets::RowEncoder>(
      std::move(parts), datasets::EncodingOptions{.train_on = train_on(data.train_on),
                                                  .too_long = too_long(data.too_long),
                                                  .max_sequence_length = made.max_sequence_length,
                                                  .vocabulary_size = architecture.vocab_size});
  if (made.encoder->uses_plain_form()) {
    made.facts.emplace_back(
        "The model has no chat template: conversations use the plain form (resources/templates/plain.jinja), which is "
        "written with the export.");
  }
  return made;
}

}  // namespace anneal::engine
