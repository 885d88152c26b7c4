#include "engine/adapters/adapter_config.h"

#include <algorithm>
#include <filesystem>

#include "engine/architecture/architecture.h"
#include "engine/files/small_json.h"

namespace anneal::engine {
namespace {

std::string last_part(const std::string& module) { return module.substr(module.rfind('.') + 1); }

// Absent, null, false and empty mean "not used".
bool is_used(const Json& config, const char* key) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return false;
  if (found->is_boolean()) return found->get<bool>();
  if (found->is_array() || found->is_object()) return !found->empty();
  return true;
}

void refuse_unknown(const Json& config, const std::string& where) {
  for (const char* key :
       {"use_dora", "modules_to_save", "layers_to_transform", "rank_pattern", "alpha_pattern", "lora_bias",
        "trainable_token_indices", "target_parameters", "layer_replication", "fan_in_fan_out", "exclude_modules"}) {
    if (is_used(config, key)) {
      throw input_error("{}: the adapter uses \"{}\", which this version cannot compute. Use a plain LoRA adapter.",
                        where, key);
    }
  }
  const std::string type = require<std::string>(config, "peft_type", where);
  if (type != "LORA")
    throw input_error("{}: \"peft_type\" is \"{}\"; only LORA adapters are read. Convert it to LoRA.", where,
                      printable(type));
}

}  // namespace

std::vector<std::string> linear_module_names(const Architecture& architecture) {
  const LayerNames& layer = architecture.names.layer;
  std::vector<std::string> names;
  for (const std::string* module : {&layer.q_proj, &layer.k_proj, &layer.v_proj, &layer.o_proj, &layer.gate_proj,
                                    &layer.up_proj, &layer.down_proj}) {
    names.push_back(last_part(*module));
  }
  return names;
}

std::string adapter_config_text(const AdapterConfig& config) {
  const AdapterOptions& options = config.options;
  const double alpha = options.alpha;
  Json json{{"base_model_name_or_path", config.base_model},
            {"bias", "none"},
            {"inference_mode", true},
            {"lora_alpha", alpha == static_cast<double>(static_cast<int64_t>(alpha)) ? Json(static_cast<int64_t>(alpha))
                                                                                     : Json(alpha)},
            {"lora_dropout", options.dropout},
            {"peft_type", "LORA"},
            {"r", options.rank},
            {"target_modules", options.targets},
            {"task_type", "CAUSAL_LM"},
            {"use_rslora", options.use_rslora}};
  return json.dump(2) + "\n";
}

AdapterConfig read_adapter_config(const std::string& folder) {
  const std::string where = (std::filesystem::path(folder) / "adapter_config.json").string();
  const Json json = read_small_json(where);
  refuse_unknown(json, where);
  AdapterConfig config;
  config.options.rank = value_or<int64_t>(json, "r", 8, where);
  config.options.alpha = value_or<double>(json, "lora_alpha", 8, where);
  config.options.dropout = value_or<double>(json, "lora_dropout", 0, where);
  config.options.use_rslora = value_or<bool>(json, "use_rslora", false, where);
  config.base_model = value_or<std::string>(json, "base_model_name_or_path", "", where);
  const Json targets = require<Json>(json, "target_modules", where);
  if (targets.is_array()) {
    for (const Json& target : targets) {
      if (!target.is_string())
        throw input_error("{}: \"target_modules\" holds something that is no text. Correct it.", where);
      config.options.targets.push_back(target.get<std::string>());
    }
    std::sort(config.options.targets.begin(), config.options.targets.end());
  } else if (targets != "all-linear") {
    throw input_error(
        "{}: \"target_modules\" is a pattern; this version reads lists of names and \"all-linear\". Write the names.",
        where);
  }
  if (config.options.rank < 1)
    throw input_error("{}: \"r\" is {}, expected at least 1. Correct it.", where, config.options.rank);
  return config;
}

}  // namespace anneal::engine
