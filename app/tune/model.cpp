// anneal model inspect, anneal model new.

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "engine/architecture/model_summary.h"
#include "engine/architecture/new_model.h"

namespace anneal::tune {
namespace {

void print_people(const Json& object) {
  for (const auto& [key, value] : object.items()) {
    print_line(
        fmt::format("{:<22} {}", key,
                    value.is_string() ? printable(value.get<std::string>(), 400) : printable(to_text(value), 400)));
  }
}

int inspect(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  line.expect_words(1, "a model's folder or GGUF file");
  const Json summary = engine::inspect_model_folder(line.words()[0]);
  line.has("--json") ? print_json(summary) : print_people(summary);
  return 0;
}

int make_new(const std::vector<std::string>& words) {
  engine::NewModelOptions options;
  const auto& fields = engine::new_model_fields();
  std::vector<Problem> problems;
  const CommandLine line(words, {.switches = {"--json"}, .values = {"--out"}, .lists = {}},
                         [&](const std::string& flag, const std::optional<std::string>& next) {
                           const Field* field = fields.find_flag(flag);
                           if (field == nullptr) return 0;
                           if (!next) throw UsageError(fmt::format("{} wants a value.", flag));
                           if (auto problem = fields.set_text(options, field->name, *next))
                             problems.push_back(*problem);
                           return 2;
                         });
  line.expect_words(0, "flags alone");
  if (!problems.empty()) throw ProblemError(std::move(problems));
  const std::string out = line.required("--out");
  engine::write_new_model(out, options);
  const Json summary = engine::inspect_model_folder(out);
  line.has("--json") ? print_json(summary) : print_people(summary);
  return 0;
}

int run_model(const std::vector<std::string>& words) {
  const std::vector<std::string> rest(words.empty() ? words.end() : words.begin() + 1, words.end());
  if (!words.empty() && words[0] == "inspect") return inspect(rest);
  if (!words.empty() && words[0] == "new") return make_new(rest);
  throw UsageError("anneal model wants inspect or new. See anneal model --help.");
}

}  // namespace

extern const Command kModel;
const Command kModel{.name = "model",
                     .summary = "inspects a model, or makes a tiny one from a seed",
                     .usage =
                         R"(anneal model inspect M [--json]
anneal model new --out FOLDER [--seed N] [--architecture llama|mistral|qwen2] [--hidden-size N] [--num-hidden-layers N]
                 [--num-attention-heads N] [--num-key-value-heads N] [--intermediate-size N] [--vocab-size N] …

inspect says what a model is and whether it can be trained; new writes a small model with random weights and a byte
tokenizer.
)",
                     .run = run_model};

}  // namespace anneal::tune
