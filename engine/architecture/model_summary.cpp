#include "engine/architecture/model_summary.h"

#include <filesystem>
#include <map>
#include <optional>
#include <utility>

#include "engine/architecture/family.h"
#include "engine/architecture/gguf_model.h"
#include "engine/files/gguf/gguf_file.h"
#include "engine/files/small_json.h"
#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

Json count_weights(const WeightFolder& weights) {
  std::map<DType, int64_t> elements;
  int64_t sum = 0;
  for (const TensorEntry* entry : weights.entries()) {
    elements[entry->dtype] += entry->elements();
    sum += entry->elements();
  }
  DType most = DType::kF32;
  for (const auto& [dtype, count] : elements) {
    if (count > elements[most]) most = dtype;
  }
  return {{"parameters", sum}, {"dtype", config_name_of(most)}, {"tensors", weights.entries().size()}};
}

Json untrainable(const Json& config, const std::optional<WeightFolder>& weights, const std::string& reason) {
  Json summary = {{"architecture", kind_of(config)}, {"family", nullptr}};
  summary.update(weights ? count_weights(*weights)
                         : Json{{"parameters", nullptr}, {"dtype", nullptr}, {"tensors", nullptr}});
  const auto context = config.find("max_position_embeddings");
  summary["context"] = context != config.end() && context->is_number_integer() ? *context : Json(nullptr);
  summary["trainable"] = false;
  summary["reason"] = reason;
  return summary;
}

// Safe to print, whatever bytes stand in the file.
std::string text_value(const Json& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found != metadata.end() && found->is_string() ? printable(found->get<std::string>()) : "";
}

}  // namespace

Json summary_of(const ModelDescription& model) {
  const Architecture& architecture = model.architecture;
  return {{"architecture", architecture.class_name},
          {"family", architecture.family},
          {"parameters", model.parameters},
          {"dtype", config_name_of(model.dtype)},
          {"tensors", model.weights.entries().size()},
          {"context", architecture.max_positions},
          {"trainable", true},
          {"reason", ""},
          {"bytes", model.weights.bytes()},
          {"vocab_size", architecture.vocab_size},
          {"hidden_size", architecture.hidden_size},
          {"layers", architecture.layers},
          {"heads", architecture.heads},
          {"kv_heads", architecture.kv_heads},
          {"head_dim", architecture.head_dim},
          {"tie_word_embeddings", architecture.tie_word_embeddings},
          {"notices", model.notices}};
}

namespace {

// A GGUF file as far as it can be described without knowing its architecture.
Json plain_gguf_summary(const GgufFile& file) {
  std::map<std::string_view, int64_t> elements;
  int64_t sum = 0;
  int64_t bytes = 0;
  std::string_view most;
  for (const TensorEntry& entry : file.entries()) {
    const std::string_view type = entry.block_type == nullptr ? name_of(entry.dtype) : entry.block_type->name;
    elements[type] += entry.elements();
    if (most.empty() || elements[type] > elements[most]) most = type;
    sum += entry.elements();
    bytes += entry.bytes;
  }
  const std::string architecture = text_value(file.metadata(), "general.architecture");
  const auto context = file.metadata().find(architecture + ".context_length");
  return {{"architecture", architecture},
          {"family", nullptr},
          {"parameters", sum},
          {"dtype", most},
          {"tensors", file.entries().size()},
          {"context", context != file.metadata().end() && context->is_number_integer() ? *context : Json(nullptr)},
          {"trainable", false},
          {"reason", ""},
          {"bytes", bytes}};
}

}  // namespace

Json inspect_gguf(const std::string& path) {
  GgufFile file = GgufFile::open(path);
  Json plain = plain_gguf_summary(file);
  try {
    const ModelDescription model = read_gguf_model(std::move(file));
    vocabulary_of_gguf(model);
    Json summary = summary_of(model);
    summary["dtype"] = plain["dtype"];
    return summary;
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    plain["reason"] = error.what();
    return plain;
  }
}

Json inspect_model_folder(const std::string& folder) {
  if (is_gguf(folder)) return inspect_gguf(folder);
  std::string reason;
  try {
    return summary_of(read_model_folder(folder));
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) throw;
    reason = error.what();
  }
  Json config;
  std::optional<WeightFolder> weights;
  try {
    config = read_small_json((std::filesystem::path(folder) / "config.json").string());
  } catch (const Error&) {
    throw input_error("{}", reason);  // not a model's folder: the first sentence says it best
  }
  if (!config.is_object()) throw input_error("{}", reason);
  try {
    weights = WeightFolder::open(folder);
  } catch (const Error&) {
    // The reason says so already, or an earlier fault does.
  }
  return untrainable(config, weights, reason);
}

}  // namespace anneal::engine
