#pragma once
// A family of models: one file of resources/architectures. It says how config.json is read (key, default where the
// reference class fixes one, or a fixed value), which block the model is made of, and what its modules are called.
//
//   "config"   our name -> {"key", "default"?, "nullable"?} or {"value"}. Absent without a default: the field is named
//              and reading stops. null counts as absent unless nullable, which then means "none".
//   "window"   "layers": "none", "all", or "upper" (from max_window_layers on, if use_sliding_window)
//   "block"    must be what engine/blocks builds; another word is a fault of the file
//   "gguf"     optional: "architecture", its name in GGUF files, and "heads", how query and key rows stand there:
//              "halves" as here, or "interleaved"
//   "names"    modules, with {layer}; used for reading, writing and adapters alike

#include <string>
#include <string_view>
#include <vector>

#include "engine/architecture/architecture.h"
#include "kernels/core/json.h"

namespace anneal::engine {

struct WindowRule {
  enum class Layers : uint8_t { kNone, kAll, kUpper };
  Layers layers = Layers::kNone;
  std::string key;
  int64_t fallback = 0;
  std::string enabled_by;       // kUpper
  std::string first_layer_key;  // kUpper
  int64_t first_layer = 0;      // kUpper, when its key is absent
};

struct Family {
  std::string name;
  std::string class_name;
  std::string model_type;
  Json config;  // checked to be an object of objects
  WindowRule window;
  ModuleNames names;
  std::string gguf_architecture;      // "general.architecture" of its GGUF files; empty: they are not read
  bool has_interleaved_gguf = false;  // neighbours in a head turn together there
};

// All that the program was built with, by name. Immutable once made; any thread may read it.
const std::vector<Family>& known_families();

// Reads one file; throws InternalError when it is wrong, because it is ours.
Family parse_family(std::string_view text, std::string_view file);

// The first of the config's "architectures", else its "model_type"; empty if it names neither.
std::string kind_of(const Json& config);

// The family of a model by its config's "architectures", else its "model_type". Throws Error(kInput) naming the
// nearest.
const Family& family_of(const Json& config, std::string_view where);

}  // namespace anneal::engine
