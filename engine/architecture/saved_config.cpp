#include "engine/architecture/saved_config.h"

namespace anneal::engine {

Json saved_config(const Json& as_read, const Architecture& architecture, DType dtype) {
  Json config = as_read;
  config["vocab_size"] = architecture.vocab_size;
  config["tie_word_embeddings"] = architecture.tie_word_embeddings;
  config["torch_dtype"] = config_name_of(dtype);
  if (config.contains("dtype")) config["dtype"] = config_name_of(dtype);
  write_rope(architecture.rope, config);
  config.erase("auto_map");
  return config;
}

}  // namespace anneal::engine
