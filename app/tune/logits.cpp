// anneal logits: next-token scores.

#include "app/tune/command.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"

namespace anneal::tune {
namespace {

Json row_of(const Tensor& logits, int64_t row) {
  Json list = Json::array();
  const float* values = logits.as<float>() + row * logits.columns();
  for (int64_t i = 0; i < logits.columns(); ++i) list.push_back(values[i]);
  return list;
}

int run_logits(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json", "--all"}, .values = kModelFlags, .lists = {}};
  flags.values.insert("--ids");
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  engine::ModelSource source = open_source(line);
  const std::vector<int32_t> ids = read_ids(line.required("--ids"), source.description.architecture.vocab_size);
  const auto count = static_cast<int64_t>(ids.size());
  const int64_t rows = line.has("--all") ? count : 1;
  OpenedModel opened(std::move(source),
                     {.types = types_of(line), .max_tokens = count, .max_length = count, .logit_rows = rows},
                     backend_of(line));
  engine::BatchMemory& memory = opened.model().batch_memory();
  memory.add({ids, {}}, 0, 0);
  const Tensor logits = opened.model().logits(memory.view(count), count - rows, rows);
  Json answer;
  if (line.has("--all")) {
    answer["logits"] = Json::array();
    for (int64_t row = 0; row < rows; ++row) answer["logits"].push_back(row_of(logits, row));
  } else {
    answer["logits"] = row_of(logits, 0);
  }
  print_json(answer);
  return 0;
}

}  // namespace

extern const Command kLogits;
const Command kLogits{
    .name = "logits",
    .summary = "next-token scores of a model for given token ids",
    .usage =
        R"(anneal logits --model M [--adapter A] [--checkpoint best|last|STEP] --ids 1,2,3|FILE [--all] [--precision fp32|bf16|auto]

Prints {"logits":[...]}: the scores of the token after the last id; with --all one list per position.
FILE is JSON with one list of ids.
)",
    .run = run_logits};

}  // namespace anneal::tune
