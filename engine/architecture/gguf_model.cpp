#include "engine/architecture/gguf_model.h"

#include <unistd.h>

#include <algorithm>
#include <array>
#include <filesystem>
#include <fstream>
#include <unordered_map>
#include <utility>

#include "datasets/tokenizers/gguf/vocabulary.h"
#include "engine/architecture/config_reader.h"
#include "engine/architecture/gguf_config.h"
#include "engine/files/durable_file.h"
#include "engine/files/open_file.h"
#include "engine/files/problem_list.h"
#include "engine/files/small_json.h"
#include "kernels/core/error.h"
#include "kernels/core/home_folder.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;

// To be raised when the same file would give other small files.
constexpr std::string_view kWritingVersion = "small files 3\n";

struct Place {
  std::string name;  // as a folder calls it
  int64_t interleaved_heads = 0;
};
using Names = std::unordered_map<std::string, Place>;  // by the name in the GGUF file

void add_module(Names& names, const std::string& gguf, const std::string& module, int64_t interleaved_heads = 0) {
  for (const char* part : {".weight", ".bias"}) names[gguf + part] = {module + part, interleaved_heads};
}

Names names_of(const Architecture& architecture, bool is_interleaved) {
  Names names;
  add_module(names, "token_embd", architecture.names.embedding);
  add_module(names, "output_norm", architecture.names.final_norm);
  add_module(names, "output", architecture.names.head);
  for (int64_t i = 0; i < architecture.layers; ++i) {
    const LayerNames layer = architecture.names.of_layer(i);
    const std::string block = fmt::format("blk.{}.", i);
    add_module(names, block + "attn_norm", layer.input_norm);
    add_module(names, block + "attn_q", layer.q_proj, is_interleaved ? architecture.heads : 0);
    add_module(names, block + "attn_k", layer.k_proj, is_interleaved ? architecture.kv_heads : 0);
    add_module(names, block + "attn_v", layer.v_proj);
    add_module(names, block + "attn_output", layer.o_proj);
    add_module(names, block + "ffn_norm", layer.post_attention_norm);
    add_module(names, block + "ffn_gate", layer.gate_proj);
    add_module(names, block + "ffn_up", layer.up_proj);
    add_module(names, block + "ffn_down", layer.down_proj);
  }
  return names;
}

std::vector<TensorEntry> renamed_entries(const GgufFile& file, const Architecture& architecture, bool is_interleaved) {
  const Names names = names_of(architecture, is_interleaved);
  std::vector<TensorEntry> entries;
  std::vector<Problem> problems;
  for (TensorEntry entry : file.entries()) {
    if (entry.name == "rope_freqs.weight") continue;  // part of the config
    const auto found = names.find(entry.name);
    if (found == names.end()) {
      problems.push_back({fmt::format("{}, tensor \"{}\"", shown_path(file.path()), printable(entry.name)),
                          fmt::format("is no part of a {} model", architecture.family),
                          "Get the model's Hugging Face folder."});
      continue;
    }
    entry.name = found->second.name;
    const int64_t heads = found->second.interleaved_heads;
    // Rows that are no heads are another shape than the model's, which is said elsewhere.
    if (heads > 0 && !entry.shape.empty() && entry.shape[0] == heads * architecture.head_dim)
      entry.interleaved_heads = heads;
    entries.push_back(std::move(entry));
  }
  throw_if_any(std::move(problems));
  return entries;
}

std::string hash_of(const GgufFile& file) {
  const auto* bytes = reinterpret_cast<const char*>(file.file().bytes().data());
  const std::size_t header = file.entries().empty()
                                 ? file.file().bytes().size()
                                 : static_cast<std::size_t>(file.entries().front().data - file.file().bytes().data());
  Sha256 hash;
  hash.add(kWritingVersion);
  hash.add(std::string_view(bytes, header));
  return hash.hex();
}

using SmallFiles = std::vector<std::pair<std::string, std::string>>;

SmallFiles make_small_files(const ModelDescription& model) {
  datasets::TokenizerFiles tokenizer = vocabulary_of_gguf(model);
  SmallFiles files{{"config.json", model.config.dump(2) + "\n"},
                   {"generation_config.json", model.generation_config.dump(2) + "\n"}};
  for (auto& [name, text] : {std::pair{"tokenizer.json", &tokenizer.tokenizer_json},
                             {"tokenizer.model", &tokenizer.tokenizer_model},
                             {"tokenizer_config.json", &tokenizer.tokenizer_config_json}}) {
    if (*text) files.emplace_back(name, std::move(**text));
  }
  Json hashes = Json::object();
  for (const auto& [name, text] : files) hashes[name] = sha256_of(text);
  files.emplace_back(kMadeFromGguf, hashes.dump(2) + "\n");
  return files;
}

// As it was made: a file that is cut or gone would change what is learned without a word.
bool is_whole(const fs::path& folder) {
  try {
    const Json hashes = read_small_json((folder / kMadeFromGguf).string());
    return hashes.is_object() && hashes.contains("config.json") &&
           std::all_of(hashes.items().begin(), hashes.items().end(), [&](const auto& file) {
             return file.value() == sha256_of_file((folder / file.key()).string());
           });
  } catch (const Error&) {
    return false;
  }
}

void write_folder(const fs::path& folder, const SmallFiles& files) {
  const fs::path partial = folder.string() + fmt::format(".{}.partial", ::getpid());
  std::error_code error;
  fs::create_directories(partial, error);
  if (error) {
    throw input_error("{}: cannot be made ({}). Check the permissions, or set ANNEAL_HOME to another folder.",
                      shown_path(partial.string()), error.message());
  }
  for (const auto& [name, text] : files) write_text_durably((partial / name).string(), text);
  if (fs::exists(folder)) fs::remove_all(folder, error);
  fs::rename(partial, folder, error);
  if (!error) return;
  std::error_code ignored;
  fs::remove_all(partial, ignored);
  if (is_whole(folder)) return;  // another process was faster, which is as good
  throw input_error("{}: cannot be made ({}). Remove what is there, or set ANNEAL_HOME to another folder.",
                    shown_path(folder.string()), error.message());
}

}  // namespace

bool is_gguf(const std::string& path) {
  std::error_code error;
  if (!fs::is_regular_file(path, error)) return false;
  if (path.ends_with(".gguf")) return true;
  std::array<char, 4> magic{};
  std::ifstream(path, std::ios::binary).read(magic.data(), magic.size());
  return std::string_view(magic.data(), magic.size()) == "GGUF";
}

ModelDescription read_gguf_model(GgufFile file) {
  const std::string where = shown_path(file.path());
  const Family& family = family_of_gguf(file);
  GgufConfig made = describe_gguf_config(file, family);
  ModelDescription model;
  model.config = std::move(made.config);
  model.generation_config = std::move(made.generation_config);
  ConfigReading reading = read_config(model.config, where);
  model.architecture = std::move(reading.architecture);
  model.notices = std::move(reading.notices);
  std::vector<TensorEntry> entries = renamed_entries(file, model.architecture, family.has_interleaved_gguf);
  model.weights = WeightFolder::of_gguf(std::move(file), std::move(entries));
  finish_description(model, where);
  return model;
}

datasets::TokenizerFiles vocabulary_of_gguf(const ModelDescription& model) {
  const GgufFile& file = *model.weights.gguf();
  datasets::TokenizerFiles files = datasets::describe_gguf_vocabulary(file.metadata(), shown_path(file.path()));
  if (datasets::has_vocabulary(files)) datasets::make_tokenizer(files);
  return files;
}

std::string small_files_of_gguf(const ModelDescription& model) {
  const fs::path folder = home_folder() / "gguf" / hash_of(*model.weights.gguf()).substr(0, 32);
  if (!is_whole(folder)) write_folder(folder, make_small_files(model));
  return folder.string();
}

}  // namespace anneal::engine
