#pragma once
// Rotary positions of a model: what config.json says about them, in its old and its new form, and the frequencies.
// Tables are made from these and nothing else, so that a scaling that is set is a scaling that acts.

#include <cstdint>
#include <string_view>
#include <vector>

#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal::engine {

enum class RopeKind : uint8_t {
  kDefault,  // inv_i = theta^(-2i/d)
  kLinear,   // inv_i / factor
  kLlama3,   // long waves / factor, short ones as they are, a linear blend between
};

struct RopeSettings {
  RopeKind kind = RopeKind::kDefault;
  double theta = 10000;
  double factor = 1;                   // linear, llama3
  double low_frequency_factor = 1;     // llama3
  double high_frequency_factor = 4;    // llama3
  int64_t original_max_positions = 0;  // llama3
  friend bool operator==(const RopeSettings&, const RopeSettings&) = default;
};

// Reads rope_theta with rope_scaling (old form) and rope_parameters (new form); where both stand they must agree. What
// is wrong, or of a kind that is not computed here, is added to `problems`.
RopeSettings read_rope(const Json& config, double default_theta, std::string_view where,
                       std::vector<Problem>& problems);

// Writes the old form, and the new one too where the config has it.
void write_rope(const RopeSettings& rope, Json& config);

// head_dim / 2 values, each operation in float32 in transformers' order.
std::vector<float> inverse_frequencies(const RopeSettings& rope, int64_t head_dim);

}  // namespace anneal::engine
