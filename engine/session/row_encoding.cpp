#include "engine/session/row_encoding.h"

#include <algorithm>

#include "datasets/encoding/shipped_templates.h"
#include "datasets/templates/chat_template_files.h"
#include "datasets/tokenizers/id_tokenizer.h"
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

datasets::ConsecutiveTurns consecutive_turns(ConsecutiveTurns choice) {
  switch (choice) {
    case ConsecutiveTurns::kKeep:
      return datasets::ConsecutiveTurns::kKeep;
    case ConsecutiveTurns::kMerge:
      return datasets::ConsecutiveTurns::kMerge;
    case ConsecutiveTurns::kSkip:
      return datasets::ConsecutiveTurns::kSkip;
    case ConsecutiveTurns::kStop:
      return datasets::ConsecutiveTurns::kStop;
  }
  throw InternalError("internal fault: unknown consecutive_turns");
}

datasets::EncodingOptions encoding_options(const DataOptions& data, const Architecture& architecture) {
  return {.train_on = train_on(data.train_on),
          .too_long = too_long(data.too_long),
          .max_sequence_length = data.max_sequence_length.value_or(std::min(kUsualLength, architecture.max_positions)),
          .vocabulary_size = architecture.vocab_size,
          .move_think_markup = data.move_think_markup,
          .consecutive_turns = consecutive_turns(data.consecutive_turns),
          .empty_answers = data.empty_answers == EmptyAnswers::kSkip ? datasets::EmptyAnswers::kSkip
                                                                     : datasets::EmptyAnswers::kLearn};
}

std::unique_ptr<datasets::Tokenizer> tokenizer_of(const std::string& folder, const Architecture& architecture) {
  const datasets::TokenizerFiles files = datasets::read_tokenizer_files(folder);
  if (datasets::has_vocabulary(files)) return datasets::make_tokenizer(files);
  return datasets::make_id_tokenizer(
      architecture.vocab_size,
      fmt::format(
          "{}: holds no tokenizer (tokenizer.json, tokenizer.model, or vocab.json with merges.txt), and texts need "
          "one; only rows of input_ids do without. Copy the model's tokenizer files there.",
          folder));
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
  made.tokenizer = tokenizer_of(folder, architecture);
  datasets::RowEncoder::Parts parts{.tokenizer = *made.tokenizer};
  parts.special_tokens = datasets::load_special_tokens(folder);
  choose_template(folder, data.chat_template, parts);
  const datasets::EncodingOptions options = encoding_options(data, architecture);
  made.max_sequence_length = options.max_sequence_length;
  if (made.max_sequence_length > architecture.max_positions) {
    made.facts.push_back(
        fmt::format("max_sequence_length {} is above the model's context of {}: it was never trained that far.",
                    made.max_sequence_length, architecture.max_positions));
  }
  made.encoder = std::make_unique<datasets::RowEncoder>(std::move(parts), options);
  if (!made.tokenizer->reads_text()) {
    made.facts.emplace_back(
        "The model's folder holds no tokenizer: only ready-made tokens (input_ids) can be learned from.");
  } else if (made.encoder->uses_plain_form()) {
    made.facts.emplace_back(
        "The model has no chat template: conversations use the plain form (resources/templates/plain.jinja), which is "
        "written with the export.");
  }
  return made;
}

DataOptions listing_options(DataOptions data) {
  if (data.consecutive_turns == ConsecutiveTurns::kStop) data.consecutive_turns = ConsecutiveTurns::kSkip;
  return data;
}

datasets::ReadOptions reading_options(const DataOptions& data) {
  return {.columns = data.columns,
          .bad_rows = data.bad_rows == BadRows::kSkip ? datasets::BadRows::kSkip : datasets::BadRows::kStop};
}

}  // namespace anneal::engine
