#include "engine/architecture/config_reader.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "engine/architecture/family.h"
#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

constexpr const char* kGetCopy = "Get a complete copy of it.";
constexpr int64_t kMostLayers = 4096;
constexpr int64_t kMostTokens = int64_t{1} << 24;
constexpr int64_t kMostColumns = int64_t{1} << 20;
constexpr int64_t kMostHeads = int64_t{1} << 16;
constexpr int64_t kMostPositions = int64_t{1} << 31;

// Looks fields up by the family's rules and collects what is wrong with them.
class FieldReader {
 public:
  FieldReader(const Family& family, const Json& config, std::string_view where)
      : family_(family), config_(config), where_(where) {}

  std::vector<Problem>& problems() { return problems_; }
  void problem(std::string message, const char* remedy = kGetCopy) {
    problems_.push_back({std::string(where_), std::move(message), remedy});
  }

  // null: none, where the rule allows it; otherwise a Problem was added.
  Json value(const char* field) {
    const Json& rule = family_.config.at(field);
    if (const auto fixed = rule.find("value"); fixed != rule.end()) return *fixed;
    const auto key = rule.at("key").get<std::string>();
    const bool nullable = rule.value("nullable", false);
    const auto found = config_.find(key);
    if (found != config_.end() && (!found->is_null() || nullable)) return *found;
    if (const auto fallback = rule.find("default"); fallback != rule.end()) return *fallback;
    problem(fmt::format("\"{}\" is missing", key));
    return nullptr;
  }
  std::string key_of(const char* field) const { return family_.config.at(field).value("key", std::string(field)); }

  template <class T>
  std::optional<T> read(const char* field, const char* kind) {
    const Json json = value(field);
    if (json.is_null()) return std::nullopt;
    if (json_detail::holds<T>(json)) return json.get<T>();
    problem(fmt::format("\"{}\" is {}, expected {}", key_of(field), printable(to_text(json)), kind));
    return std::nullopt;
  }

  bool truth(const char* field) { return read<bool>(field, "true or false").value_or(false); }

  double positive(const char* field) {
    const std::optional<double> number = read<double>(field, "a number");
    if (number && !(*number > 0 && std::isfinite(*number)))
      problem(fmt::format("\"{}\" is {}, expected a number above 0", key_of(field), *number));
    return number.value_or(1);
  }

  // A size from 1 to `most`. Absent: `fallback`, which is the caller's to name.
  int64_t size(const char* field, int64_t most, int64_t fallback = 1) {
    const std::optional<int64_t> number = read<int64_t>(field, "a whole number");
    if (!number) return fallback;
    if (*number >= 1 && *number <= most) return *number;
    problem(fmt::format("\"{}\" is {}, expected a whole number from 1 to {}", key_of(field), *number, most));
    return 1;
  }

 private:
  const Family& family_;
  const Json& config_;
  std::string_view where_;
  std::vector<Problem> problems_;
};

void read_sizes(FieldReader& fields, Architecture& architecture) {
  architecture.vocab_size = fields.size("vocab_size", kMostTokens);
  architecture.hidden_size = fields.size("hidden_size", kMostColumns);
  architecture.intermediate_size = fields.size("intermediate_size", kMostColumns);
  architecture.layers = fields.size("layers", kMostLayers);
  architecture.heads = fields.size("heads", kMostHeads);
  architecture.kv_heads = fields.size("kv_heads", kMostHeads, architecture.heads);
  architecture.max_positions = fields.size("max_positions", kMostPositions);
  architecture.norm_epsilon = fields.positive("norm_epsilon");
  architecture.initializer_range = fields.positive("initializer_range");
  if (!fields.problems().empty()) return;
  architecture.head_dim = fields.size("head_dim", kMostHeads, 0);
  if (architecture.head_dim == 0) {
    if (architecture.hidden_size % architecture.heads != 0) {
      fields.problem(
          fmt::format("\"hidden_size\" {} is no multiple of \"num_attention_heads\" {}, and no \"head_dim\" is given",
                      architecture.hidden_size, architecture.heads));
      return;
    }
    architecture.head_dim = architecture.hidden_size / architecture.heads;
  }
  if (architecture.query_columns() > kMostColumns) {
    fields.problem(fmt::format("{} heads of size {} are more than can be", architecture.heads, architecture.head_dim));
  }
  if (architecture.head_dim % 2 != 0) {
    fields.problem(
        fmt::format("heads of size {} cannot be turned by rope, which needs an even size", architecture.head_dim));
  }
  if (architecture.heads % architecture.kv_heads != 0) {
    fields.problem(fmt::format("\"num_attention_heads\" {} is no multiple of \"num_key_value_heads\" {}",
                               architecture.heads, architecture.kv_heads));
  }
}

void read_activation(FieldReader& fields, Architecture& architecture) {
  const std::string name = fields.read<std::string>("activation", "a text").value_or("silu");
  if (name == "silu" || name == "swish") {
    architecture.activation = Activation::kSilu;
  } else if (name == "gelu_pytorch_tanh" || name == "gelu_new") {
    architecture.activation = Activation::kGeluTanh;
  } else {
    fields.problem(
        fmt::format("the activation \"{}\" is not computed here, only silu and gelu_pytorch_tanh", printable(name)),
        "Choose another model.");
  }
}

// Ids are one number, a list of them, or none; -1 means none.
std::vector<int64_t> token_ids(FieldReader& fields, const char* field) {
  Json json = fields.value(field);
  if (json.is_null()) return {};
  if (!json.is_array()) json = Json::array({std::move(json)});
  std::vector<int64_t> ids;
  for (const Json& id : json) {
    if (!json_detail::holds<int64_t>(id)) {
      fields.problem(
          fmt::format("\"{}\" is {}, expected whole numbers", fields.key_of(field), printable(to_text(json))));
      return {};
    }
    if (id.get<int64_t>() >= 0) ids.push_back(id.get<int64_t>());
  }
  return ids;
}

std::optional<int64_t> first_of(const std::vector<int64_t>& ids) {
  return ids.empty() ? std::nullopt : std::optional(ids.front());
}

// Newer configs list each layer's kind; it wins over the rule that it was made from.
bool read_layer_types(const Json& config, FieldReader& fields, int64_t window, std::vector<int64_t>& windows) {
  const auto list = config.find("layer_types");
  if (list == config.end() || !list->is_array()) return false;
  if (list->size() != windows.size()) {
    fields.problem(fmt::format("\"layer_types\" lists {} layers of {}", list->size(), windows.size()));
    return true;
  }
  for (std::size_t layer = 0; layer < windows.size(); ++layer) {
    const Json& kind = (*list)[layer];
    if (kind == "sliding_attention" && window > 0) {
      windows[layer] = window;
    } else if (kind != "full_attention") {
      fields.problem(fmt::format("layer {} is of kind {}, but {}", layer, printable(to_text(kind)),
                                 kind == "sliding_attention"
                                     ? "no sliding_window is in use"
                                     : "only full_attention and sliding_attention are computed here"));
      return true;
    }
  }
  return true;
}

void read_windows(const WindowRule& rule, const Json& config, std::string_view where, FieldReader& fields,
                  Architecture& architecture) {
  architecture.windows.assign(static_cast<std::size_t>(architecture.layers), 0);
  if (rule.layers == WindowRule::Layers::kNone) return;
  const bool is_upper = rule.layers == WindowRule::Layers::kUpper;
  const bool is_used = !is_upper || value_or<bool>(config, rule.enabled_by.c_str(), false, where);
  int64_t window = 0;
  if (const auto found = config.find(rule.key); found == config.end()) {
    window = rule.fallback;
  } else if (!found->is_null()) {
    window = require<int64_t>(config, rule.key.c_str(), where);
    if (window < 1)
      fields.problem(fmt::format("\"{}\" is {}, expected a whole number from 1, or null", rule.key, window));
  }
  if (!is_used) window = 0;
  if (is_upper && read_layer_types(config, fields, window, architecture.windows)) return;
  const int64_t first = is_upper ? value_or<int64_t>(config, rule.first_layer_key.c_str(), rule.first_layer, where) : 0;
  for (int64_t layer = std::max<int64_t>(first, 0); layer < architecture.layers; ++layer) {
    architecture.windows[static_cast<std::size_t>(layer)] = window;
  }
}

void refuse_quantised(const Json& config, std::string_view where) {
  const auto found = config.find("quantization_config");
  if (found == config.end() || found->is_null()) return;
  std::string method = "unnamed";
  if (found->is_object() && found->contains("quant_method") && found->at("quant_method").is_string()) {
    method = found->at("quant_method").get<std::string>();
  }
  throw input_error(
      "{}: the model is stored quantised (\"quantization_config\", method {}). Get the model in full precision; "
      "quantize_base makes it small while training.",
      where, printable(method));
}

std::optional<DType> stated_dtype(const Json& config) {
  for (const char* key : {"dtype", "torch_dtype"}) {
    const auto found = config.find(key);
    if (found != config.end() && found->is_string()) return dtype_from_config_name(found->get<std::string>());
  }
  return std::nullopt;
}

std::vector<std::string> notices_for(const Json& config, const Family& family, std::string_view where) {
  std::vector<std::string> notices;
  if (config.contains("auto_map")) {
    notices.push_back(
        fmt::format("{}: code of the model's own (\"auto_map\") is never run; the {} of this program is used.", where,
                    family.name));
  }
  const auto dropout = config.find("attention_dropout");
  if (dropout != config.end() && dropout->is_number() && dropout->get<double>() != 0) {
    notices.push_back(fmt::format("{}: \"attention_dropout\" {} is not applied.", where, to_text(*dropout)));
  }
  return notices;
}

}  // namespace

ConfigReading read_config(const Json& config, std::string_view where) {
  const Family& family = family_of(config, where);
  refuse_quantised(config, where);
  FieldReader fields(family, config, where);
  Architecture architecture;
  architecture.family = family.name;
  architecture.class_name = family.class_name;
  architecture.names = family.names;
  read_sizes(fields, architecture);
  read_activation(fields, architecture);
  architecture.rope =
      read_rope(config, family.config.at("rope_theta").at("default").get<double>(), where, fields.problems());
  architecture.qkv_bias = fields.truth("qkv_bias");
  architecture.o_bias = fields.truth("o_bias");
  architecture.mlp_bias = fields.truth("mlp_bias");
  architecture.tie_word_embeddings = fields.truth("tie_word_embeddings");
  architecture.bos_token_id = first_of(token_ids(fields, "bos_token_id"));
  architecture.eos_token_ids = token_ids(fields, "eos_token_id");
  architecture.pad_token_id = first_of(token_ids(fields, "pad_token_id"));
  architecture.dtype = stated_dtype(config);
  read_windows(family.window, config, where, fields, architecture);
  if (!fields.problems().empty()) throw ProblemError(std::move(fields.problems()));
  return {std::move(architecture), notices_for(config, family, where)};
}

}  // namespace anneal::engine
