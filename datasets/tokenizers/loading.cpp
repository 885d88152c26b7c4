#include "datasets/tokenizers/loading.h"

#include <fmt/format.h>

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

#include "datasets/tokenizers/control_tokens.h"
#include "datasets/tokenizers/sentencepiece/sentencepiece_tokenizer.h"
#include "datasets/tokenizers/tokenizer_json.h"
#include "datasets/tokenizers/vocabulary_files.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// Part of each content hash; to be raised when the same files begin to give other ids.
constexpr std::string_view kReadingVersion = "anneal tokenizer 1";

constexpr std::uintmax_t kLargestFile = std::uintmax_t{512} << 20;

std::optional<std::string> read_file(const std::filesystem::path& path) {
  std::error_code error;
  const std::uintmax_t size = std::filesystem::file_size(path, error);
  if (error == std::errc::no_such_file_or_directory) return {};
  std::ifstream file(path, std::ios::binary);
  if (error || !file) {
    const std::string reason = error ? error.message() : std::strerror(errno);
    throw input_error("{}: cannot be read ({}). Check the path and its permissions.", path.string(), reason);
  }
  if (size > kLargestFile) {
    throw input_error("{}: has {} bytes; no tokenizer is that large. Get another copy of the file.", path.string(),
                      size);
  }
  std::string content(static_cast<std::size_t>(size), '\0');
  file.read(content.data(), static_cast<std::streamsize>(content.size()));
  content.resize(static_cast<std::size_t>(file.gcount()));
  if (std::string_view(content).starts_with("version https://git-lfs")) {
    throw input_error("{}: is a git-lfs pointer and not the file itself. Fetch it with \"git lfs pull\".",
                      path.string());
  }
  return content;
}

// 128-bit FNV-1a over all files and what they are.
class ContentHash {
 public:
  void add(std::string_view text) {
    add_bytes(text);
    add_bytes(fmt::format("|{}|", text.size()));
  }
  void add(std::string_view name, const std::optional<std::string>& file) {
    if (!file) return;
    add(name);
    add(*file);
  }
  std::string text() const {
    return fmt::format("{:016x}{:016x}", static_cast<uint64_t>(hash_ >> 64), static_cast<uint64_t>(hash_));
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr Wide kPrime = (static_cast<Wide>(1) << 88) + 0x13B;

  void add_bytes(std::string_view text) {
    for (const char byte : text) hash_ = (hash_ ^ static_cast<unsigned char>(byte)) * kPrime;
  }
  Wide hash_ = (static_cast<Wide>(0x6C62272E07BB0142U) << 64) | 0x62B821756295C58DU;
};

std::string hash_of(const TokenizerFiles& files) {
  ContentHash hash;
  hash.add(kReadingVersion);
  hash.add("tokenizer.json", files.tokenizer_json);
  hash.add("tokenizer.model", files.tokenizer_model);
  hash.add("vocab.json", files.vocab_json);
  hash.add("merges.txt", files.merges_txt);
  hash.add("tokenizer_config.json", files.tokenizer_config_json);
  hash.add("special_tokens_map.json", files.special_tokens_map_json);
  hash.add("added_tokens.json", files.added_tokens_json);
  return hash.text();
}

Json parsed(const std::optional<std::string>& text, const std::string& where) {
  if (!text) return {};
  std::string_view view = *text;
  if (view.starts_with("\xEF\xBB\xBF")) view.remove_prefix(3);
  return parse_json(view, where);
}

}  // namespace

TokenizerFiles read_tokenizer_files(const std::string& folder) {
  const std::filesystem::path path(folder);
  if (!std::filesystem::is_directory(path)) throw input_error("{}: is no folder. Check the path.", folder);
  TokenizerFiles files;
  files.where = folder;
  files.tokenizer_json = read_file(path / "tokenizer.json");
  if (!files.tokenizer_json) files.tokenizer_model = read_file(path / "tokenizer.model");
  if (!files.tokenizer_json && !files.tokenizer_model) {
    files.vocab_json = read_file(path / "vocab.json");
    files.merges_txt = read_file(path / "merges.txt");
  }
  files.tokenizer_config_json = read_file(path / "tokenizer_config.json");
  files.special_tokens_map_json = read_file(path / "special_tokens_map.json");
  files.added_tokens_json = read_file(path / "added_tokens.json");
  return files;
}

bool has_vocabulary(const TokenizerFiles& files) {
  return files.tokenizer_json || files.tokenizer_model || files.vocab_json || files.merges_txt;
}

std::unique_ptr<Tokenizer> make_tokenizer(const TokenizerFiles& files) {
  const std::string& where = files.where;
  const TokenizerConfig config =
      read_tokenizer_config(parsed(files.tokenizer_config_json, where + "/tokenizer_config.json"),
                            parsed(files.special_tokens_map_json, where + "/special_tokens_map.json"),
                            parsed(files.added_tokens_json, where + "/added_tokens.json"), where);
  const std::string hash = hash_of(files);
  if (files.tokenizer_json) {
    const std::string json_where = where + "/tokenizer.json";
    return make_json_tokenizer(parsed(files.tokenizer_json, json_where), config, json_where, hash);
  }
  if (files.tokenizer_model) {
    return make_sentencepiece_tokenizer(*files.tokenizer_model, config, where + "/tokenizer.model", hash);
  }
  if (files.vocab_json && files.merges_txt) {
    const Json vocabulary = parsed(files.vocab_json, where + "/vocab.json");
    return make_json_tokenizer(describe_vocabulary_files(vocabulary, *files.merges_txt, config, where), config,
                               where + "/vocab.json with merges.txt", hash);
  }
  throw input_error(
      "{}: holds no vocabulary (tokenizer.json, tokenizer.model, or vocab.json with merges.txt). Copy the model's "
      "tokenizer files there.",
      where);
}

std::unique_ptr<Tokenizer> load_tokenizer(const std::string& folder) {
  return make_tokenizer(read_tokenizer_files(folder));
}

}  // namespace anneal::datasets
