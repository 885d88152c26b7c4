#include "engine/architecture/gguf_config.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <utility>
#include <vector>

#include "engine/files/open_file.h"
#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

constexpr const char* kGetFolder = "Get the model's Hugging Face folder.";

// Our field, and its key behind the architecture's name.
constexpr std::array<std::pair<const char*, const char*>, 9> kKeys{
    {{"hidden_size", "embedding_length"},
     {"intermediate_size", "feed_forward_length"},
     {"layers", "block_count"},
     {"heads", "attention.head_count"},
     {"kv_heads", "attention.head_count_kv"},
     {"head_dim", "attention.key_length"},
     {"norm_epsilon", "attention.layer_norm_rms_epsilon"},
     {"max_positions", "context_length"},
     {"rope_theta", "rope.freq_base"}}};
// What changes the numbers and is not computed; a file without it, or with this value, is an ordinary model.
constexpr std::array<std::pair<const char*, double>, 9> kForeign{{{"expert_count", 0},
                                                                  {"logit_scale", 1},
                                                                  {"residual_scale", 1},
                                                                  {"embedding_scale", 1},
                                                                  {"attention.scale", 0},
                                                                  {"attention.clamp_kqv", 0},
                                                                  {"attention.max_alibi_bias", 0},
                                                                  {"attn_logit_softcapping", 0},
                                                                  {"final_logit_softcapping", 0}}};

class ConfigWriter {
 public:
  ConfigWriter(const GgufFile& file, const Family& family)
      : file_(file), family_(family), where_(shown_path(file.path())) {}

  GgufConfig write() {
    refuse_foreign();
    config_ = {{"architectures", {family_.class_name}}, {"model_type", family_.model_type}};
    for (const auto& [field, key] : kKeys) {
      if (const Json* value = find(key)) set(field, in_short(*value));
    }
    set("vocab_size", vocabulary_size());
    set("tie_word_embeddings", file_.find("output.weight") == nullptr);
    set("qkv_bias", file_.find("blk.0.attn_q.bias") != nullptr);
    set("mlp_bias", file_.find("blk.0.ffn_down.bias") != nullptr);
    write_rope();
    for (const auto& [field, key] : {std::pair{"bos_token_id", "tokenizer.ggml.bos_token_id"},
                                     {"eos_token_id", "tokenizer.ggml.eos_token_id"},
                                     {"pad_token_id", "tokenizer.ggml.padding_token_id"}}) {
      set(field, token_id(key));
    }
    return {std::move(config_), generation_config()};
  }

 private:
  // A key of the architecture; null if absent.
  const Json* find(const std::string& key) const {
    const auto found = file_.metadata().find(family_.gguf_architecture + "." + key);
    if (found == file_.metadata().end()) return nullptr;
    if (found->is_array()) {
      throw input_error("{}: \"{}.{}\" differs by layer, which is not computed here. Choose another model.", where_,
                        family_.gguf_architecture, key);
    }
    return &*found;
  }
  double number(const std::string& key, double fallback) const {
    const Json* value = find(key);
    if (value == nullptr) return fallback;
    if (!value->is_number() || !std::isfinite(value->get<double>())) {
      throw input_error("{}: \"{}.{}\" is {}, expected a number. Get another conversion of the model.", where_,
                        family_.gguf_architecture, key, printable(to_text(*value)));
    }
    return value->get<double>();
  }

  // By the rule of the family, which may fix a value, and then nothing is to be said.
  void set(const char* field, Json value) {
    const Json& rule = family_.config.at(field);
    if (const auto key = rule.find("key"); key != rule.end()) config_[key->get<std::string>()] = std::move(value);
  }

  // Files hold float32: 1e-5 is meant where 9.999999747378752e-06 stands.
  static Json in_short(const Json& value) {
    if (!value.is_number_float() || !std::isfinite(value.get<double>())) return value;
    const std::string text = fmt::format("{}", static_cast<float>(value.get<double>()));
    double shortest = 0;
    std::from_chars(text.data(), text.data() + text.size(), shortest);
    return shortest;
  }

  void refuse_foreign() const {
    const auto type = file_.metadata().find("general.type");
    if (type != file_.metadata().end() && *type != "model") {
      throw input_error("{}: is of the type {}, not a model. Give the file of the model itself.", where_,
                        printable(to_text(*type)));
    }
    for (const auto& [key, ordinary] : kForeign) {
      if (number(key, ordinary) == ordinary) continue;
      throw input_error("{}: \"{}.{}\" {} is not computed here. Choose another model.", where_,
                        family_.gguf_architecture, key, to_text(*find(key)));
    }
  }

  int64_t vocabulary_size() const {
    const TensorEntry* embedding = file_.find("token_embd.weight");
    if (embedding == nullptr || embedding->shape.size() != 2) {
      throw input_error("{}: has no tensor token_embd.weight of two sizes. Get a complete copy of the model.", where_);
    }
    return embedding->shape[0];
  }

  Json token_id(const char* key) const {
    const auto found = file_.metadata().find(key);
    return found != file_.metadata().end() && found->is_number_integer() ? *found : Json(nullptr);
  }

  Json generation_config() const {
    Json config = Json::object();
    if (const Json bos = token_id("tokenizer.ggml.bos_token_id"); !bos.is_null()) config["bos_token_id"] = bos;
    Json ends = Json::array();
    for (const char* key :
         {"tokenizer.ggml.eos_token_id", "tokenizer.ggml.eot_token_id", "tokenizer.ggml.eom_token_id"}) {
      const Json id = token_id(key);
      if (!id.is_null() && std::find(ends.begin(), ends.end(), id) == ends.end()) ends.push_back(id);
    }
    if (ends.size() == 1) config["eos_token_id"] = ends[0];
    if (ends.size() > 1) config["eos_token_id"] = ends;
    return config;
  }

  int64_t head_dim() const {
    const double heads = std::max(1.0, number("attention.head_count", 1));
    return static_cast<int64_t>(number("attention.key_length", number("embedding_length", 0) / heads));
  }

  void write_rope() {
    const double turned = number("rope.dimension_count", double(head_dim()));
    if (turned != double(head_dim())) {
      throw input_error("{}: rope turns {} of {} places of a head, which is not computed here. Choose another model.",
                        where_, turned, head_dim());
    }
    const Json* kind = find("rope.scaling.type");
    if (const TensorEntry* factors = file_.find("rope_freqs.weight")) return write_llama3(*factors);
    if (kind == nullptr || *kind == "none") return;
    config_["rope_scaling"] = {{"rope_type", *kind}, {"factor", number("rope.scaling.factor", 1)}};
  }

  // Llama 3 stores what each frequency is divided by instead of the four settings that it comes from. All of its models
  // share three of them; the fourth is the largest divisor.
  void write_llama3(const TensorEntry& factors) {
    std::vector<float> divisors(static_cast<std::size_t>(factors.elements()));
    read_as(factors, DType::kF32, divisors.data());
    RopeSettings rope{.kind = RopeKind::kLlama3,
                      .theta = number("rope.freq_base", 10000),
                      .factor = divisors.empty() ? 1 : *std::max_element(divisors.begin(), divisors.end()),
                      .low_frequency_factor = 1,
                      .high_frequency_factor = 4,
                      .original_max_positions = 8192};
    const std::vector<float> scaled = inverse_frequencies(rope, head_dim());
    const std::vector<float> plain = inverse_frequencies({.theta = rope.theta}, head_dim());
    bool is_same = scaled.size() == divisors.size();
    for (std::size_t i = 0; is_same && i < divisors.size(); ++i)
      is_same = std::abs(plain[i] / divisors[i] - scaled[i]) <= 1e-4f * scaled[i];
    if (!is_same) {
      throw input_error("{}: rope_freqs.weight scales rope in another way than Llama 3, which is not computed here. {}",
                        where_, kGetFolder);
    }
    config_["rope_scaling"] = {{"rope_type", "llama3"},
                               {"factor", rope.factor},
                               {"low_freq_factor", rope.low_frequency_factor},
                               {"high_freq_factor", rope.high_frequency_factor},
                               {"original_max_position_embeddings", rope.original_max_positions}};
  }

  const GgufFile& file_;
  const Family& family_;
  std::string where_;
  Json config_;
};

}  // namespace

const Family& family_of_gguf(const GgufFile& file) {
  const auto found = file.metadata().find("general.architecture");
  const std::string name =
      found != file.metadata().end() && found->is_string() ? found->get<std::string>() : std::string();
  std::vector<std::string> known;
  for (const Family& family : known_families()) {
    if (family.gguf_architecture.empty()) continue;
    if (family.gguf_architecture == name) return family;
    known.push_back(family.gguf_architecture);
  }
  if (name.empty()) {
    throw input_error("{}: \"general.architecture\" is missing or no text. Get another conversion of the model.",
                      shown_path(file.path()));
  }
  throw input_error(
      "{}: the architecture \"{}\" (\"general.architecture\") cannot be trained from a GGUF file. Known "
      "are {}.",
      shown_path(file.path()), printable(name), fmt::join(known, ", "));
}

GgufConfig describe_gguf_config(const GgufFile& file, const Family& family) {
  return ConfigWriter(file, family).write();
}

}  // namespace anneal::engine
