// anneal models: what is on this disk.

#include "app/tune/command.h"
#include "app/tune/command_line.h"
#include "app/tune/output.h"
#include "engine/architecture/models_on_disk.h"
#include "engine/session/event_text.h"

namespace anneal::tune {
namespace {

std::string text_of(const Json& summary, const char* key) {
  const auto value = summary.find(key);
  return value != summary.end() && value->is_string() ? printable(value->get<std::string>(), 400) : "";
}

void show(const engine::ModelOnDisk& model) {
  const Json& summary = model.summary;
  std::string line = printable(model.name, 200);
  if (const std::string architecture = text_of(summary, "architecture"); !architecture.empty())
    line += "  " + architecture;
  if (const auto count = summary.find("parameters"); count != summary.end() && count->is_number_integer())
    line += fmt::format("  {:.1f} million parameters", static_cast<double>(count->get<int64_t>()) / 1e6);
  if (const std::string dtype = text_of(summary, "dtype"); !dtype.empty()) line += "  " + dtype;
  if (const auto bytes = summary.find("bytes"); bytes != summary.end() && bytes->is_number_integer())
    line += "  " + engine::bytes_text(bytes->get<int64_t>());
  print_line(line);
  print_line("  " + printable(model.path.string(), 1000));
  if (!summary.at("trainable").get<bool>()) print_line("  cannot be trained: " + text_of(summary, "reason"));
}

int run_models(const std::vector<std::string>& words) {
  const CommandLine line(words, {.switches = {"--json"}, .values = {}, .lists = {}});
  std::vector<std::filesystem::path> places;
  for (const std::string& place : line.words()) {
    if (!std::filesystem::is_directory(place))
      throw input_error("{}: is no folder. Name folders in which models lie.", printable(place, 1000));
    places.emplace_back(place);
  }
  if (places.empty()) places = engine::usual_model_places();
  bool is_any = false;
  engine::find_models(places, [&](const engine::ModelOnDisk& model) {
    is_any = true;
    if (line.has("--json")) {
      Json row = {{"name", model.name}, {"path", model.path.string()}};
      row.update(model.summary);
      print_json(row);
    } else {
      show(model);
    }
    return true;
  });
  if (!is_any && !line.has("--json")) {
    std::string names;
    for (const std::filesystem::path& place : places) names += (names.empty() ? "" : ", ") + place.string();
    print_line("No models in " + printable(names, 2000) + ".");
  }
  return 0;
}

}  // namespace

extern const Command kModels;
const Command kModels{.name = "models",
                      .summary = "lists the models on this disk",
                      .usage =
                          R"(anneal models [FOLDER…] [--json]

Walks through the folders, by default the Hugging Face cache (HF_HUB_CACHE, HF_HOME) and ANNEAL_HOME/models, and lists
each model (Hugging Face folders and GGUF files) with its kind and size, whether it can be trained and, if not, why. Nothing is moved or changed.
)",
                      .run = run_models};

}  // namespace anneal::tune
