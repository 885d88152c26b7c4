// anneal grads: the loss and every gradient, for comparing with other programs.

#include <cmath>

#include "app/tune/command.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"
#include "engine/model/weights.h"
#include "engine/training/optimizer_step.h"

namespace anneal::tune {
namespace {

void write_gradients(engine::Model& model, const std::string& path) {
  std::vector<engine::TensorSpec> specs;
  const auto trained = engine::trained_parameters(model);
  for (const engine::Parameter* parameter : trained) specs.push_back({parameter->name, DType::kF32, parameter->shape});
  engine::SafetensorsWriter writer(path, specs);
  std::vector<float> buffer;
  for (const engine::Parameter* parameter : trained) {
    writer.write(parameter->name, engine::values_as_f32(parameter->gradient, buffer), parameter->elements() * 4);
  }
  writer.finish();
}

int run_grads(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kModelFlags, .lists = {}};
  flags.values.insert({"--ids", "--out", "--train"});
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  engine::ModelSource source = open_source(line);
  const std::string train = line.value("--train").value_or(source.adapter_folder ? "lora" : "full");
  if (train != "full" && train != "lora")
    throw UsageError(fmt::format("--train is \"{}\", expected full or lora.", printable(train)));
  if (train == "lora" && !source.adapter_folder)
    throw UsageError("--train lora needs --adapter: gradients of an adapter are those at its values.");
  if (train == "full" && source.adapter_folder)
    throw UsageError("--train full and an adapter do not go together; merge it first.");
  const LabelledRows rows = read_rows(line.required("--ids"), source.description.architecture.vocab_size);
  engine::TrainingPlan plan{.is_training = true, .trains_weights = train == "full"};
  if (train == "lora") plan.lora = source.adapter.options;
  plan.lora.dropout = 0;
  OpenedModel opened(
      std::move(source),
      {.types = types_of(line), .training = plan, .max_tokens = rows.tokens(), .max_length = rows.longest()},
      backend_of(line));
  engine::Model& model = opened.model();
  const int64_t labels = rows.label_tokens();
  if (labels == 0) throw input_error("{}: no position has a label. Give at least one.", line.required("--ids"));
  for (std::size_t i = 0; i < rows.ids.size(); ++i) {
    model.batch_memory().add({rows.ids[i], rows.labels[i]}, 1.0 / double(labels), model.batch_memory().tokens());
  }
  model.zero_gradients();
  const double loss = model.forward_backward(model.batch_memory().view(rows.longest()), {}) / double(labels);
  write_gradients(model, line.required("--out"));
  print_json({{"loss", loss}, {"label_tokens", labels}, {"gradient_norm", engine::gradient_norm(model)}});
  return 0;
}

}  // namespace

extern const Command kGrads;
const Command kGrads{
    .name = "grads",
    .summary = "loss and every gradient for given rows of token ids",
    .usage =
        R"(anneal grads --model M [--adapter A] --ids FILE --out G.safetensors [--train full|lora] [--precision fp32|bf16|auto]

FILE is JSON: a list of rows of ids, or {"rows":[[...]],"labels":[[...]]}; labels[j] is the id to be predicted at
position j from the positions before it, -100 for none. Rows are separate documents. Gradients are those of the loss (the
mean over all labels), FP32, under the model's own tensor names (an adapter's: PEFT's).
)",
    .run = run_grads};

}  // namespace anneal::tune
