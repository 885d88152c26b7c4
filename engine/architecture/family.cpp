#include "engine/architecture/family.h"

#include <fmt/ranges.h>

#include <array>
#include <utility>

#include "engine/architecture/embedded_text.h"

namespace anneal::engine {
namespace {

// The block that engine/blocks/decoder_block.h builds.
constexpr std::array<std::pair<const char*, const char*>, 5> kBlock{{{"norm", "rms_norm"},
                                                                     {"norm_place", "before"},
                                                                     {"attention", "grouped"},
                                                                     {"rope", "half_split"},
                                                                     {"feed_forward", "gated"}}};

constexpr std::array<const char*, 19> kConfigFields{
    "vocab_size",       "hidden_size",  "intermediate_size",   "layers",       "heads",        "kv_heads",
    "head_dim",         "norm_epsilon", "max_positions",       "rope_theta",   "activation",   "qkv_bias",
    "o_bias",           "mlp_bias",     "tie_word_embeddings", "bos_token_id", "eos_token_id", "pad_token_id",
    "initializer_range"};

const Json& member(const Json& object, const char* key, std::string_view file) {
  const auto found = object.is_object() ? object.find(key) : object.end();
  if (found == object.end()) throw InternalError(fmt::format("{}: \"{}\" is missing", file, key));
  return *found;
}

void check_block(const Json& block, std::string_view file) {
  for (const auto& [key, built] : kBlock) {
    const auto value = require<std::string>(block, key, file);
    if (value != built) throw InternalError(fmt::format("{}: no block with {} \"{}\" is built", file, key, value));
  }
  if (block.size() != kBlock.size()) throw InternalError(fmt::format("{}: \"block\" has keys that mean nothing", file));
}

void check_config(const Json& config, std::string_view file) {
  for (const char* field : kConfigFields) {
    const Json& rule = member(config, field, file);
    if (!rule.contains("value")) member(rule, "key", file);
  }
  if (config.size() != kConfigFields.size()) {
    throw InternalError(fmt::format("{}: \"config\" has fields that mean nothing", file));
  }
}

WindowRule read_window(const Json& json, std::string_view file) {
  WindowRule window;
  const auto layers = require<std::string>(json, "layers", file);
  if (layers == "none") return window;
  if (layers != "all" && layers != "upper") {
    throw InternalError(fmt::format("{}: windows on layers \"{}\" are not built", file, layers));
  }
  window.layers = layers == "all" ? WindowRule::Layers::kAll : WindowRule::Layers::kUpper;
  window.key = require<std::string>(json, "key", file);
  window.fallback = require<int64_t>(json, "default", file);
  if (window.layers == WindowRule::Layers::kUpper) {
    window.enabled_by = require<std::string>(json, "enabled_by", file);
    window.first_layer_key = require<std::string>(json, "first_layer_key", file);
    window.first_layer = require<int64_t>(json, "first_layer_default", file);
  }
  return window;
}

ModuleNames read_names(const Json& json, std::string_view file) {
  const auto name = [&](const char* key) { return require<std::string>(json, key, file); };
  const auto layer_name = [&](const char* key) {
    auto pattern = name(key);
    if (pattern.find("{layer}") == std::string::npos)
      throw InternalError(fmt::format("{}: {} has no {{layer}}", file, key));
    return pattern;
  };
  ModuleNames names;
  names.embedding = name("embedding");
  names.layer = {.input_norm = layer_name("input_norm"),
                 .q_proj = layer_name("q_proj"),
                 .k_proj = layer_name("k_proj"),
                 .v_proj = layer_name("v_proj"),
                 .o_proj = layer_name("o_proj"),
                 .post_attention_norm = layer_name("post_attention_norm"),
                 .gate_proj = layer_name("gate_proj"),
                 .up_proj = layer_name("up_proj"),
                 .down_proj = layer_name("down_proj")};
  names.final_norm = name("final_norm");
  names.head = name("head");
  return names;
}

void read_gguf(const Json& json, Family& family, std::string_view file) {
  const auto gguf = json.find("gguf");
  if (gguf == json.end()) return;
  family.gguf_architecture = require<std::string>(*gguf, "architecture", file);
  const auto heads = require<std::string>(*gguf, "heads", file);
  family.has_interleaved_gguf = heads == "interleaved";
  if (heads != "halves" && heads != "interleaved")
    throw InternalError(fmt::format("{}: GGUF heads that stand as \"{}\" are not read", file, heads));
}

}  // namespace

Family parse_family(std::string_view text, std::string_view file) {
  try {
    const Json json = parse_json(text, file);
    Family family;
    family.name = require<std::string>(json, "family", file);
    family.class_name = require<std::string>(json, "class", file);
    family.model_type = require<std::string>(json, "model_type", file);
    check_block(member(json, "block", file), file);
    family.config = member(json, "config", file);
    check_config(family.config, file);
    read_gguf(json, family, file);
    family.window = read_window(member(json, "window", file), file);
    family.names = read_names(member(json, "names", file), file);
    for (const Json& pattern : member(json, "ignored_tensors", file)) {
      family.names.ignored.push_back(pattern.get<std::string>());
    }
    return family;
  } catch (const InternalError&) {
    throw;
  } catch (const Error& error) {
    throw InternalError(error.what());
  }
}

const std::vector<Family>& known_families() {
  static const std::vector<Family> families = [] {
    std::vector<Family> list;
    for (const EmbeddedText& text : architecture_texts()) list.push_back(parse_family(text.text, text.name));
    return list;
  }();
  return families;
}

namespace {

std::string class_of(const Json& config) {
  const auto list = config.find("architectures");
  const bool is_named = list != config.end() && list->is_array() && !list->empty() && list->front().is_string();
  return is_named ? list->front().get<std::string>() : "";
}

std::string type_of(const Json& config) {
  const auto type = config.find("model_type");
  return type != config.end() && type->is_string() ? type->get<std::string>() : "";
}

}  // namespace

std::string kind_of(const Json& config) {
  const std::string name = class_of(config);
  return name.empty() ? type_of(config) : name;
}

const Family& family_of(const Json& config, std::string_view where) {
  if (!config.is_object()) throw input_error("{}: is no description of a model. Get a complete copy of it.", where);
  const std::string class_name = class_of(config);
  const std::string model_type = type_of(config);
  if (class_name.empty() && model_type.empty()) {
    throw input_error(
        "{}: names neither \"architectures\" nor \"model_type\", so the kind of model is not known. Get a "
        "complete copy of it.",
        where);
  }
  std::vector<std::string> classes;
  for (const Family& family : known_families()) {
    classes.push_back(family.class_name);
    if (class_name.empty() ? family.model_type != model_type : family.class_name != class_name) continue;
    if (!model_type.empty() && model_type != family.model_type) {
      throw input_error("{}: \"architectures\" says {}, but \"model_type\" says \"{}\". Get a clean copy of it.", where,
                        printable(class_name), printable(model_type));
    }
    return family;
  }
  const std::string nearest = nearest_name(class_name, classes);
  throw input_error("{}: the architecture \"{}\" cannot be trained here{}. Known are {}.", where,
                    printable(kind_of(config)),
                    nearest.empty() ? "" : fmt::format("; the nearest known is {}", nearest), fmt::join(classes, ", "));
}

}  // namespace anneal::engine
