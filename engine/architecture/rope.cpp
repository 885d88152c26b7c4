#include "engine/architecture/rope.h"

#include <cmath>
#include <numbers>
#include <optional>
#include <string>

namespace anneal::engine {
namespace {

const Json* object_at(const Json& config, const char* key, std::string_view where, std::vector<Problem>& problems) {
  const auto found = config.find(key);
  if (found == config.end() || found->is_null()) return nullptr;
  if (found->is_object()) return &*found;
  problems.push_back({std::string(where),
                      fmt::format("\"{}\" is {}, expected an object or null", key, printable(to_text(*found))),
                      "Get a complete copy of it."});
  return nullptr;
}

// The places where settings of rope may stand. All that name a setting must give it the same value: programs differ in
// which one they believe.
class RopeReader {
 public:
  RopeReader(const Json& config, std::string_view where, std::vector<Problem>& problems)
      : config_(config), where_(where), problems_(problems) {
    for (const char* key : {"rope_parameters", "rope_scaling"}) {
      if (const Json* object = object_at(config, key, where, problems)) places_.push_back({key, object});
    }
  }

  std::string kind() {
    std::string kind;
    const char* kind_place = nullptr;
    for (const Place& place : places_) {
      for (const char* key : {"rope_type", "type"}) {
        const auto found = place.object->find(key);
        if (found == place.object->end() || found->is_null()) continue;
        if (!found->is_string()) {
          problem(fmt::format("\"{}\" in \"{}\" is {}, expected a text", key, place.key, printable(to_text(*found))));
          continue;
        }
        const auto value = found->get<std::string>();
        if (kind_place != nullptr && value != kind) {
          problem(fmt::format("\"{}\" in \"{}\" is \"{}\", but another key there or in \"{}\" says \"{}\"", key,
                              place.key, printable(value), kind_place, printable(kind)));
        }
        if (kind_place == nullptr) kind = value;
        kind_place = place.key;
      }
    }
    if (kind_place != nullptr) return kind;
    // The new form holds theta even where nothing is scaled.
    for (const Place& place : places_) {
      if (place.object->contains("factor"))
        problem(fmt::format("\"{}\" gives a factor but no \"rope_type\"", place.key));
    }
    return "default";
  }

  // A number from any place; `top` looks beside them in the config too.
  std::optional<double> number(const char* key, bool top) {
    std::optional<double> result;
    const auto take = [&](const Json& object, const char* place) {
      const auto found = object.find(key);
      if (found == object.end() || found->is_null()) return;
      if (!found->is_number()) {
        problem(fmt::format("\"{}\"{} is {}, expected a number", key, place, printable(to_text(*found))));
        return;
      }
      const auto value = found->get<double>();
      if (result && *result != value) problem(fmt::format("\"{}\" is given as {} and as {}", key, *result, value));
      result = value;
    };
    for (const Place& place : places_) take(*place.object, fmt::format(" in \"{}\"", place.key).c_str());
    if (top) take(config_, "");
    return result;
  }

  double required(const char* key, bool top = false) {
    const std::optional<double> value = number(key, top);
    if (!value) problem(fmt::format("\"{}\" of the rope scaling is missing", key));
    return value.value_or(1);
  }

  bool differs_by_layer() const {
    for (const Place& place : places_) {
      for (const Json& value : *place.object) {
        if (value.is_object()) return true;
      }
    }
    return false;
  }

  void problem(std::string message, const char* remedy = "Correct it there, or get a complete copy of it.") {
    problems_.push_back({std::string(where_), std::move(message), remedy});
  }

 private:
  struct Place {
    const char* key;
    const Json* object;
  };
  const Json& config_;
  std::string_view where_;
  std::vector<Problem>& problems_;
  std::vector<Place> places_;
};

constexpr const char* kOtherModel = "Choose a model without it.";

void read_llama3(RopeReader& reader, RopeSettings& rope) {
  rope.low_frequency_factor = reader.required("low_freq_factor");
  rope.high_frequency_factor = reader.required("high_freq_factor");
  const double original = reader.required("original_max_position_embeddings", true);
  const bool is_whole = original >= 1 && original <= 1e12 && original == std::floor(original);
  rope.original_max_positions = is_whole ? static_cast<int64_t>(original) : 0;
  if (!is_whole) {
    reader.problem(fmt::format("\"original_max_position_embeddings\" is {}, expected a whole number from 1", original));
  }
  if (!(rope.low_frequency_factor > 0) || !(rope.high_frequency_factor > rope.low_frequency_factor)) {
    reader.problem(fmt::format("\"low_freq_factor\" {} and \"high_freq_factor\" {} are not rising numbers above 0",
                               rope.low_frequency_factor, rope.high_frequency_factor));
  }
}

}  // namespace

RopeSettings read_rope(const Json& config, double default_theta, std::string_view where,
                       std::vector<Problem>& problems) {
  RopeReader reader(config, where, problems);
  RopeSettings rope;
  if (reader.differs_by_layer()) {
    reader.problem("rope settings that differ by layer are not computed here", kOtherModel);
    return rope;
  }
  rope.theta = reader.number("rope_theta", true).value_or(default_theta);
  if (!(rope.theta > 0)) reader.problem(fmt::format("\"rope_theta\" is {}, expected a number above 0", rope.theta));
  const double partial = reader.number("partial_rotary_factor", true).value_or(1);
  if (partial != 1) {
    reader.problem(fmt::format("\"partial_rotary_factor\" {} is not computed here, only 1", partial), kOtherModel);
  }
  const std::string kind = reader.kind();
  if (kind == "default") return rope;
  if (kind != "linear" && kind != "llama3") {
    reader.problem(
        fmt::format("the rope scaling \"{}\" is not computed here, only default, linear and llama3", printable(kind)),
        kOtherModel);
    return rope;
  }
  rope.kind = kind == "linear" ? RopeKind::kLinear : RopeKind::kLlama3;
  rope.factor = reader.required("factor");
  if (!(rope.factor >= 1))
    reader.problem(fmt::format("the \"factor\" of the rope scaling is {}, expected 1 or more", rope.factor));
  if (rope.kind == RopeKind::kLlama3) read_llama3(reader, rope);
  return rope;
}

void write_rope(const RopeSettings& rope, Json& config) {
  Json scaling = Json::object();
  if (rope.kind == RopeKind::kLinear) scaling = {{"rope_type", "linear"}, {"factor", rope.factor}};
  if (rope.kind == RopeKind::kLlama3) {
    scaling = {{"rope_type", "llama3"},
               {"factor", rope.factor},
               {"low_freq_factor", rope.low_frequency_factor},
               {"high_freq_factor", rope.high_frequency_factor},
               {"original_max_position_embeddings", rope.original_max_positions}};
  }
  config["rope_theta"] = rope.theta;
  config["rope_scaling"] = scaling.empty() ? Json(nullptr) : scaling;
  if (config.contains("rope_parameters")) {
    if (scaling.empty()) scaling["rope_type"] = "default";
    scaling["rope_theta"] = rope.theta;
    config["rope_parameters"] = scaling;
  }
}

std::vector<float> inverse_frequencies(const RopeSettings& rope, int64_t head_dim) {
  std::vector<float> frequencies(static_cast<std::size_t>(head_dim / 2));
  const auto theta = static_cast<float>(rope.theta);
  for (std::size_t i = 0; i < frequencies.size(); ++i) {
    const float exponent = static_cast<float>(2 * i) / static_cast<float>(head_dim);
    // The power is the one step that libraries round differently; from double it is rounded once.
    const auto power = static_cast<float>(std::pow(static_cast<double>(theta), static_cast<double>(exponent)));
    frequencies[i] = 1.0f / power;
  }
  if (rope.kind == RopeKind::kDefault) return frequencies;
  const auto factor = static_cast<float>(rope.factor);
  if (rope.kind == RopeKind::kLinear) {
    for (float& frequency : frequencies) frequency /= factor;
    return frequencies;
  }
  const auto original = static_cast<float>(rope.original_max_positions);
  const auto low = static_cast<float>(rope.low_frequency_factor);
  const auto longest = static_cast<float>(static_cast<double>(rope.original_max_positions) / rope.low_frequency_factor);
  const auto shortest =
      static_cast<float>(static_cast<double>(rope.original_max_positions) / rope.high_frequency_factor);
  const auto span = static_cast<float>(rope.high_frequency_factor - rope.low_frequency_factor);
  // A number divided by a tensor is the tensor's reciprocal times the number there, which rounds twice.
  for (float& frequency : frequencies) {
    const float wavelength = 1.0f / frequency * static_cast<float>(2 * std::numbers::pi);
    if (wavelength > longest) {
      frequency /= factor;
    } else if (wavelength >= shortest) {
      const float smooth = (1.0f / wavelength * original - low) / span;
      frequency = (1.0f - smooth) * frequency / factor + smooth * frequency;
    }
  }
  return frequencies;
}

}  // namespace anneal::engine
