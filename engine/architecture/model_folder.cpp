#include "engine/architecture/model_folder.h"

#include <algorithm>
#include <cstring>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "engine/architecture/config_reader.h"
#include "engine/architecture/gguf_model.h"
#include "engine/files/open_file.h"
#include "engine/files/problem_list.h"
#include "engine/files/small_json.h"
#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kGetModel = "Get a complete copy of the model.";

// A folder that is no model, with a sentence for what people give by mistake.
void check_is_model(const fs::path& folder) {
  const std::string where = shown_path(folder.string());
  std::error_code error;
  const fs::file_status status = fs::status(folder, error);
  if (status.type() == fs::file_type::not_found) throw input_error("{}: does not exist. Check the path.", where);
  if (error) throw input_error("{}: cannot be looked at ({}). Check its permissions.", where, error.message());
  if (!fs::is_directory(status)) {
    throw input_error(
        "{}: is a file, but no GGUF file. Give the folder that holds config.json, or the model's GGUF file.", where);
  }
  if (is_there((folder / "config.json").string())) return;
  if (is_there((folder / "adapter_config.json").string())) {
    throw input_error("{}: is an adapter, not a model. Give its base as the model and this folder as the adapter.",
                      where);
  }
  throw input_error("{}: has no config.json. {}", where, kGetModel);
}

// "{layer}" in the pattern stands for one or more digits.
bool matches(std::string_view name, std::string_view pattern) {
  constexpr std::string_view kPlace = "{layer}";
  const std::size_t at = pattern.find(kPlace);
  if (at == std::string_view::npos) return name == pattern;
  const std::string_view after = pattern.substr(at + kPlace.size());
  if (name.size() <= at + after.size() || !name.starts_with(pattern.substr(0, at)) || !name.ends_with(after))
    return false;
  const std::string_view digits = name.substr(at, name.size() - at - after.size());
  return digits.find_first_not_of("0123456789") == std::string_view::npos;
}

bool same_bytes(const TensorEntry& a, const TensorEntry& b) {
  return a.dtype == b.dtype && a.block_type == b.block_type && a.bytes == b.bytes &&
         (a.bytes == 0 || std::memcmp(a.data, b.data, static_cast<std::size_t>(a.bytes)) == 0);
}

// A tied model may store its head too. Equal to the embedding it says nothing new; if it differs, someone trained it
// and the flag is stale: it is used, as the reference reader does (see decision 0040).
void settle_head(const WeightFolder& weights, Architecture& architecture, std::vector<std::string>& notices) {
  const TensorEntry* head = weights.find(architecture.names.head + ".weight");
  const TensorEntry* embedding = weights.find(architecture.names.embedding + ".weight");
  if (!architecture.tie_word_embeddings || head == nullptr || embedding == nullptr) return;
  if (same_bytes(*head, *embedding)) return;
  architecture.tie_word_embeddings = false;
  notices.push_back(
      fmt::format("config.json ties the output head to the embedding, but a different {}.weight is stored; it is "
                  "used, and the model is written untied.",
                  architecture.names.head));
}

std::optional<Problem> check_tensor(const ModelTensor& expected, const WeightFolder& weights,
                                    const Architecture& architecture) {
  const TensorEntry* entry = weights.find(expected.name);
  if (entry == nullptr) {
    if (expected.name == architecture.names.head + ".weight") {
      return Problem{expected.name, "is missing, though config.json does not tie the output head to the embedding",
                     "Get a complete copy of the model, or set tie_word_embeddings to true if it is meant to be tied."};
    }
    return Problem{expected.name, "this tensor is missing from the weights", kGetModel};
  }
  if (entry->shape != expected.shape) {
    return Problem{expected.name,
                   fmt::format("has the shape {}, but the config asks for {}", shape_text(entry->shape),
                               shape_text(expected.shape)),
                   "Get config.json and weights from the same place."};
  }
  if (entry->dtype != DType::kF32 && entry->dtype != DType::kF16 && entry->dtype != DType::kBF16 &&
      entry->dtype != DType::kF64) {
    return Problem{expected.name, fmt::format("holds {}, a quantised form", name_of(entry->dtype)),
                   "Get the model in F32, F16 or BF16."};
  }
  return std::nullopt;
}

DType most_common_dtype(const WeightFolder& weights, const std::vector<ModelTensor>& tensors) {
  std::map<DType, int64_t> elements;
  for (const ModelTensor& tensor : tensors) {
    const TensorEntry& entry = weights.at(tensor.name);
    elements[entry.block_type == nullptr ? entry.dtype : DType::kF16] += entry.elements();
  }
  return std::max_element(elements.begin(), elements.end(),
                          [](const auto& a, const auto& b) { return a.second < b.second; })
      ->first;
}

// What other programs need at generation; nothing in it can make a model unusable here.
Json read_generation_config(const fs::path& path, std::vector<std::string>& notices) {
  if (!is_there(path.string())) return nullptr;
  try {
    Json json = read_small_json(path.string());
    if (json.is_object()) return json;
    notices.push_back(fmt::format("{}: is not an object and is passed over.", shown_path(path.string())));
  } catch (const Error& error) {
    notices.push_back(fmt::format("{} It is passed over.", error.what()));
  }
  return nullptr;
}

std::vector<int64_t> stop_tokens(const Json& generation_config, const Architecture& architecture) {
  std::vector<int64_t> ids;
  if (generation_config.is_object() && generation_config.contains("eos_token_id")) {
    const Json& eos = generation_config.at("eos_token_id");
    for (const Json& id : eos.is_array() ? eos : Json::array({eos})) {
      if (json_detail::holds<int64_t>(id) && id.get<int64_t>() >= 0) ids.push_back(id.get<int64_t>());
    }
  }
  return ids.empty() ? architecture.eos_token_ids : ids;
}

}  // namespace

std::vector<Problem> check_tensors(const WeightFolder& weights, Architecture& architecture,
                                   std::vector<std::string>& notices) {
  settle_head(weights, architecture, notices);
  std::vector<Problem> problems;
  std::set<std::string, std::less<>> known;
  for (const ModelTensor& tensor : tensors_of(architecture)) {
    if (std::optional<Problem> problem = check_tensor(tensor, weights, architecture))
      problems.push_back(std::move(*problem));
    known.insert(tensor.name);
  }
  known.insert(architecture.names.head + ".weight");  // a tied model's copy of its embedding
  for (const TensorEntry* entry : weights.entries()) {
    const bool is_ignored = std::any_of(architecture.names.ignored.begin(), architecture.names.ignored.end(),
                                        [&](const std::string& pattern) { return matches(entry->name, pattern); });
    if (is_ignored || known.contains(entry->name)) continue;
    problems.push_back(
        {printable(entry->name),
         fmt::format("this tensor is no part of a {} model as config.json describes it", architecture.family),
         "Get config.json and weights from the same place."});
  }
  return problems;
}

void finish_description(ModelDescription& model, const std::string& where) {
  throw_if_any(check_tensors(model.weights, model.architecture, model.notices));
  model.stop_tokens = stop_tokens(model.generation_config, model.architecture);
  std::erase_if(model.stop_tokens, [&](int64_t id) {
    const bool is_beyond = id >= model.architecture.vocab_size;
    if (is_beyond)
      model.notices.push_back(fmt::format("{}: eos_token_id {} is beyond the vocabulary of {}, so no text ends in it.",
                                          where, id, model.architecture.vocab_size));
    return is_beyond;
  });
  model.parameters = parameter_count(model.architecture);
  model.dtype = most_common_dtype(model.weights, tensors_of(model.architecture));
}

ModelDescription read_model_folder(const std::string& folder, const std::string& weights_folder) {
  if (is_gguf(folder)) {
    ModelDescription model = read_gguf_model(GgufFile::open(folder));
    model.folder = small_files_of_gguf(model);
    return model;
  }
  const fs::path base(folder);
  check_is_model(base);
  const std::string config_path = (base / "config.json").string();
  ModelDescription model;
  model.folder = folder;
  model.config = read_small_json(config_path);
  ConfigReading reading = read_config(model.config, shown_path(config_path));
  model.architecture = std::move(reading.architecture);
  model.notices = std::move(reading.notices);
  model.weights = WeightFolder::open(weights_folder.empty() ? folder : weights_folder);
  model.generation_config = read_generation_config(base / "generation_config.json", model.notices);
  finish_description(model, shown_path(folder));
  return model;
}

}  // namespace anneal::engine
