// anneal eval: the token-weighted loss of a model on a data set.

#include <algorithm>
#include <cmath>

#include "app/tune/command.h"
#include "app/tune/data_flags.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"
#include "engine/session/data_preparation.h"
#include "engine/session/evaluation.h"
#include "engine/session/row_encoding.h"
#include "kernels/core/home_folder.h"
#include "kernels/cpu/cpu.h"

namespace anneal::tune {
namespace {

int run_eval(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kModelFlags, .lists = {"--data"}};
  flags.values.insert(data_flags().begin(), data_flags().end());
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  const engine::DataOptions options = data_options(line);
  engine::ModelSource source = open_source(line);
  engine::RowEncoding encoding =
      engine::make_row_encoding(source.template_folder.string(), source.description.architecture, options);
  const engine::PreparedData data =
      engine::prepare_data(options.data, engine::reading_options(options), *encoding.encoder,
                           home_folder() / "cache" / "tokens", cpu_facts().cores);
  const datasets::PackingOptions packing{.row_length = encoding.max_sequence_length, .shuffles = false};
  const int64_t tokens = std::min(packing.row_length, std::max(data.cache.total_tokens(), data.cache.longest()));
  const std::string name = source.name;
  OpenedModel opened(std::move(source),
                     {.types = types_of(line), .max_tokens = tokens, .max_length = data.cache.longest()},
                     backend_of(line));
  const auto result = *engine::evaluate(opened.model(), data.cache, packing);
  const Json answer{{"loss", result.loss},
                    {"perplexity", std::exp(result.loss)},
                    {"label_tokens", result.label_tokens},
                    {"rows", result.rows},
                    {"model", name}};
  if (line.has("--json")) {
    print_json(answer);
  } else {
    print_line(fmt::format("{}\nloss {:.6f}  perplexity {:.4f}  label tokens {}  rows {}", name, result.loss,
                           std::exp(result.loss), result.label_tokens, result.rows));
  }
  return 0;
}

}  // namespace

extern const Command kEval;
const Command kEval{
    .name = "eval",
    .summary = "loss and perplexity of a model on a data set",
    .usage =
        R"(anneal eval --model M [--adapter A] [--checkpoint best|last|STEP] --data D... [--max-sequence-length N] [--train-on
            answers|last_answer|everything] [--too-long skip|trim_prompt|cut] [--chat-template T] [--columns a=b]
            [--bad-rows stop|skip] [--consecutive-turns keep|merge|skip|stop] [--empty-answers learn|skip]
            [--move-think-markup true]
            [--precision fp32|bf16|auto] [--json]

The loss is the mean over all label tokens of the data.
)",
    .run = run_eval};

}  // namespace anneal::tune
