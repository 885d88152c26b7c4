#include "app/tune/opened_model.h"

#include <algorithm>
#include <charconv>

#include "engine/files/small_json.h"
#include "engine/session/compute_device.h"

namespace anneal::tune {
namespace {

std::vector<int32_t> ids_of(const Json& list, int64_t vocabulary, const std::string& where, bool may_be_none) {
  if (!list.is_array())
    throw input_error("{}: expected a list of token ids, got {}. Write [1,2,3].", where, printable(to_text(list)));
  std::vector<int32_t> ids;
  for (const Json& item : list) {
    const bool fits =
        item.is_number_integer() && ((item >= 0 && item < vocabulary) || (may_be_none && item == kNoTarget));
    if (!fits) {
      throw input_error("{}: place {} holds {}, expected a whole number from 0 to {}{}. Correct it.", where, ids.size(),
                        printable(to_text(item)), vocabulary - 1, may_be_none ? " or -100" : "");
    }
    ids.push_back(item.get<int32_t>());
  }
  if (ids.empty()) throw input_error("{}: the list of token ids is empty. Give at least one.", where);
  return ids;
}

}  // namespace

engine::ModelSource open_source(const CommandLine& line) {
  return engine::open_model({.model = line.required("--model"),
                             .adapter = line.value("--adapter").value_or(""),
                             .checkpoint = line.value("--checkpoint").value_or("")});
}

engine::ComputeTypes types_of(const CommandLine& line, const char* fallback) {
  const std::string name = line.value("--precision").value_or(fallback);
  for (const auto& [known, precision] : {std::pair{"fp32", engine::Precision::kFp32},
                                         {"bf16", engine::Precision::kBf16},
                                         {"auto", engine::Precision::kAuto}}) {
    if (name == known) return engine::compute_types(precision);
  }
  throw UsageError(fmt::format("--precision is \"{}\", expected fp32, bf16 or auto.", printable(name)));
}

std::unique_ptr<Backend> backend_of(const CommandLine& line) {
  const int64_t threads = line.whole_number("--threads").value_or(0);
  if (threads < 0 || threads > 4096) throw UsageError("--threads is out of range; use 1 to 4096, or 0 for all cores.");
  return engine::make_backend({.device = line.value("--device").value_or("auto"), .threads = threads});
}

OpenedModel::OpenedModel(engine::ModelSource source, engine::BuildOptions build, std::unique_ptr<Backend> backend)
    : source_(std::move(source)), backend_(std::move(backend)) {
  if (!build.training.is_training) build.training = engine::inference_plan(source_);
  planned_ = std::make_unique<engine::PlannedModel>(source_.description.architecture, build, *backend_);
  engine::load_model(model(), source_);
}

std::vector<int32_t> read_ids(const std::string& text, int64_t vocabulary) {
  if (!text.empty() && text.find_first_not_of("0123456789, ") == std::string::npos) {
    return ids_of(parse_json("[" + text + "]", "--ids"), vocabulary, "--ids", false);
  }
  Json json = engine::read_small_json(text);
  if (json.is_array() && json.size() == 1 && json[0].is_array()) json = Json(json[0]);
  return ids_of(json, vocabulary, text, false);
}

LabelledRows read_rows(const std::string& path, int64_t vocabulary) {
  const Json json = engine::read_small_json(path);
  const Json& list = json.is_object() ? json.at("rows") : json;
  if (!list.is_array() || list.empty())
    throw input_error("{}: expected a list of rows of token ids. Write [[1,2,3],[4,5]].", path);
  LabelledRows rows;
  for (std::size_t i = 0; i < list.size(); ++i) {
    rows.ids.push_back(ids_of(list[i], vocabulary, fmt::format("{}: row {}", path, i), false));
    if (json.is_object() && json.contains("labels")) {
      const Json& labels = json["labels"];
      if (!labels.is_array() || labels.size() != list.size())
        throw input_error("{}: \"labels\" has another number of rows than \"rows\". Correct it.", path);
      rows.labels.push_back(ids_of(labels[i], vocabulary, fmt::format("{}: labels of row {}", path, i), true));
      if (rows.labels.back().size() != rows.ids.back().size())
        throw input_error("{}: labels of row {} are {}, its ids {}. Correct it.", path, i, rows.labels.back().size(),
                          rows.ids.back().size());
    } else {
      rows.labels.push_back(rows.ids.back());
    }
  }
  return rows;
}

int64_t LabelledRows::label_tokens() const {
  int64_t count = 0;
  for (const auto& row : labels)
    count += std::count_if(row.begin() + 1, row.end(), [](int32_t label) { return label != kNoTarget; });
  return count;
}
int64_t LabelledRows::tokens() const {
  int64_t count = 0;
  for (const auto& row : ids) count += static_cast<int64_t>(row.size());
  return count;
}
int64_t LabelledRows::longest() const {
  int64_t most = 0;
  for (const auto& row : ids) most = std::max(most, static_cast<int64_t>(row.size()));
  return most;
}

}  // namespace anneal::tune
