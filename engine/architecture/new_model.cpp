#include "engine/architecture/new_model.h"

#include <algorithm>
#include <filesystem>
#include <utility>
#include <vector>

#include "engine/architecture/architecture.h"
#include "engine/architecture/byte_tokenizer.h"
#include "engine/architecture/config_reader.h"
#include "engine/architecture/family.h"
#include "engine/files/open_file.h"
#include "engine/files/weight_folder_writer.h"
#include "kernels/core/philox.h"
#include "kernels/core/tensor.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;

const Family& family_named(const std::string& name) {
  for (const Family& family : known_families()) {
    if (family.name == name) return family;
  }
  throw InternalError("internal fault: a new model of an unknown family is asked for");
}

int64_t vocabulary_of(const NewModelOptions& options, const ByteTokenizer& tokenizer) {
  if (!options.vocab_size) return (tokenizer.tokens() + 15) / 16 * 16;
  if (*options.vocab_size >= tokenizer.tokens()) return *options.vocab_size;
  throw ProblemError(
      {.path = "vocab_size",
       .message = fmt::format("{} is less than the tokenizer's {} tokens", *options.vocab_size, tokenizer.tokens()),
       .remedy = fmt::format("Use {} or more.", tokenizer.tokens())});
}

Json config_of(const NewModelOptions& options, const ByteTokenizer& tokenizer) {
  const Family& family = family_named(options.architecture);
  Json config = {{"architectures", Json::array({family.class_name})},
                 {"model_type", family.model_type},
                 {"vocab_size", vocabulary_of(options, tokenizer)},
                 {"hidden_size", options.hidden_size},
                 {"intermediate_size", options.intermediate_size},
                 {"num_hidden_layers", options.num_hidden_layers},
                 {"num_attention_heads", options.num_attention_heads},
                 {"num_key_value_heads", options.num_key_value_heads},
                 {"hidden_act", "silu"},
                 {"max_position_embeddings", options.max_position_embeddings},
                 {"rms_norm_eps", 1e-5},
                 {"rope_theta", 10000.0},
                 {"rope_scaling", nullptr},
                 {"initializer_range", 0.02},
                 {"attention_dropout", 0.0},
                 {"tie_word_embeddings", options.tie_word_embeddings},
                 {"bos_token_id", ByteTokenizer::kBegin},
                 {"eos_token_id", tokenizer.end_token()},
                 {"pad_token_id", ByteTokenizer::kEnd},
                 {"torch_dtype", options.dtype},
                 {"use_cache", true}};
  if (options.head_dim) config["head_dim"] = *options.head_dim;
  if (family.window.layers != WindowRule::Layers::kNone) config[family.window.key] = nullptr;
  return config;
}

// The reader's own checks, said of options instead of a file.
Architecture architecture_of(const Json& config) {
  try {
    return read_config(config, "new model").architecture;
  } catch (const ProblemError& error) {
    std::vector<Problem> problems = error.problems();
    for (Problem& problem : problems) problem.remedy = "Choose other sizes.";
    throw ProblemError(std::move(problems));
  }
}

Json generation_config_of(const ByteTokenizer& tokenizer) {
  Json end = ByteTokenizer::kEnd;
  if (tokenizer.has_chat) end = Json::array({ByteTokenizer::kTurnEnd, ByteTokenizer::kEnd});
  return {{"bos_token_id", ByteTokenizer::kBegin},
          {"eos_token_id", end},
          {"pad_token_id", ByteTokenizer::kEnd},
          {"do_sample", false}};
}

uint64_t hash_of(const std::string& name) {
  uint64_t hash = 0xCBF29CE484222325u;  // FNV-1a
  for (const char c : name) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3u;
  return hash;
}

void write_values(const TensorSpec& tensor, const Architecture& architecture, uint64_t seed,
                  WeightFolderWriter& writer) {
  constexpr int64_t kAtOnce = 1 << 16;
  RandomStream random(seed, RandomUse::kModelInit, hash_of(tensor.name));
  const bool is_matrix = tensor.shape.size() == 2;
  const float constant = tensor.name.ends_with(".bias") ? 0.0f : 1.0f;
  const int64_t elements = tensor.bytes() / size_of(tensor.dtype);
  dispatch_floating(tensor.dtype, [&](auto zero) {
    std::vector<decltype(zero)> values;
    for (int64_t begin = 0; begin < elements; begin += kAtOnce) {
      values.clear();
      for (int64_t i = begin; i < std::min(begin + kAtOnce, elements); ++i) {
        const float value =
            is_matrix ? static_cast<float>(random.next_normal() * architecture.initializer_range) : constant;
        values.push_back(static_cast<decltype(zero)>(value));
      }
      writer.write(tensor.name, values.data(), static_cast<int64_t>(values.size()) * size_of(tensor.dtype));
    }
  });
}

void make_empty_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (error) throw input_error("{}: cannot be made ({}). Choose another folder.", shown_path(folder), error.message());
  const bool is_empty = fs::is_empty(folder, error);
  if (error)
    throw input_error("{}: cannot be looked into ({}). Choose another folder.", shown_path(folder), error.message());
  if (!is_empty) throw input_error("{}: already holds something. Choose a new folder.", shown_path(folder));
}

void write_json(const std::string& folder, const char* name, const Json& json) {
  write_text_durably((fs::path(folder) / name).string(), json.dump(2) + "\n");
}

std::vector<std::string> family_names() {
  std::vector<std::string> names;
  for (const Family& family : known_families()) names.push_back(family.name);
  return names;
}

}  // namespace

const FieldList<NewModelOptions>& new_model_fields() {
  static const auto list = [] {
    FieldList<NewModelOptions> fields;
    using Options = NewModelOptions;
    fields.add({.name = "architecture", .help = "Family of the model.", .choices = family_names()},
               &Options::architecture);
    fields.add({.name = "vocab_size",
                .help = "Rows of the embedding.",
                .range = {.least = 1},
                .unset = "the tokenizer's tokens, made a multiple of 16"},
               &Options::vocab_size);
    fields.add({.name = "hidden_size", .help = "Width of the residual stream.", .range = {.least = 1}},
               &Options::hidden_size);
    fields.add({.name = "intermediate_size", .help = "Width of the feed-forward part.", .range = {.least = 1}},
               &Options::intermediate_size);
    fields.add({.name = "num_hidden_layers", .help = "Layers.", .range = {.least = 1}}, &Options::num_hidden_layers);
    fields.add({.name = "num_attention_heads", .help = "Query heads.", .range = {.least = 1}},
               &Options::num_attention_heads);
    fields.add(
        {.name = "num_key_value_heads", .help = "Key and value heads; divides the query heads.", .range = {.least = 1}},
        &Options::num_key_value_heads);
    fields.add({.name = "head_dim",
                .help = "Size of a head.",
                .range = {.least = 2},
                .unset = "hidden_size / num_attention_heads"},
               &Options::head_dim);
    fields.add({.name = "max_position_embeddings", .help = "Longest text in tokens.", .range = {.least = 1}},
               &Options::max_position_embeddings);
    fields.add({.name = "tie_word_embeddings", .help = "Use the embedding as the output head too."},
               &Options::tie_word_embeddings);
    fields.add({.name = "chat", .help = "Give the tokenizer turns and a chat template."}, &Options::chat);
    fields.add({.name = "dtype", .help = "Element type of the weights.", .choices = {"float32", "bfloat16", "float16"}},
               &Options::dtype);
    fields.add({.name = "seed", .help = "Same seed, same weights.", .range = {.least = 0}}, &Options::seed);
    return fields;
  }();
  return list;
}

void write_new_model(const std::string& folder, const NewModelOptions& options) {
  if (std::vector<Problem> problems = new_model_fields().check(options); !problems.empty()) {
    throw ProblemError(std::move(problems));
  }
  const ByteTokenizer tokenizer{.has_chat = options.chat};
  const Json config = config_of(options, tokenizer);
  const Architecture architecture = architecture_of(config);
  make_empty_folder(folder);
  std::vector<TensorSpec> specs;
  for (ModelTensor& tensor : tensors_of(architecture)) {
    specs.push_back({std::move(tensor.name), *architecture.dtype, std::move(tensor.shape)});
  }
  WeightFolderWriter writer(folder, specs);
  for (const TensorSpec& spec : specs) write_values(spec, architecture, static_cast<uint64_t>(options.seed), writer);
  writer.finish();
  write_json(folder, "tokenizer.json", tokenizer.tokenizer_json());
  write_json(folder, "tokenizer_config.json", tokenizer.tokenizer_config(options.max_position_embeddings));
  write_json(folder, "generation_config.json", generation_config_of(tokenizer));
  write_json(folder, "config.json", config);  // last: the folder is a model from now on
}

}  // namespace anneal::engine
