#include "datasets/templates/chat_template_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

namespace fs = std::filesystem;

std::optional<Json> read_if_there(const fs::path& path) {
  std::error_code ignored;
  if (!fs::is_regular_file(path, ignored)) return std::nullopt;
  return read_json_file(path.string());
}

// A string, or the list [{"name","template"}] of models with several.
std::optional<std::string> template_text(const Json& value, bool with_tools, const std::string& where) {
  if (value.is_string()) return value.get<std::string>();
  if (!value.is_array()) return std::nullopt;
  std::optional<std::string> chosen;
  for (const Json& one : value) {
    const auto name = require<std::string>(one, "name", where);
    if (name == "default" && !chosen) chosen = require<std::string>(one, "template", where);
    if (name == "tool_use" && with_tools) chosen = require<std::string>(one, "template", where);
  }
  return chosen;
}

std::string read_all(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) throw input_error("{}: cannot be opened ({}). Check its permissions.", path.string(), std::strerror(errno));
  return std::string((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
}

// "x" or {"content": "x", …}.
void add_tokens(const std::optional<Json>& config, Json& tokens) {
  if (!config || !config->is_object()) return;
  for (const char* name : {"bos_token", "eos_token", "pad_token", "unk_token", "sep_token", "cls_token", "mask_token"}) {
    if (tokens.contains(name)) continue;
    const auto found = config->find(name);
    if (found == config->end()) continue;
    if (found->is_string()) tokens[name] = *found;
    if (found->is_object() && found->contains("content") && (*found)["content"].is_string()) tokens[name] = (*found)["content"];
  }
}

}  // namespace

Json load_special_tokens(const std::string& folder) {
  Json tokens = Json::object();
  add_tokens(read_if_there(fs::path(folder) / "tokenizer_config.json"), tokens);
  add_tokens(read_if_there(fs::path(folder) / "special_tokens_map.json"), tokens);
  return tokens;
}

std::optional<ChatTemplateFiles> load_chat_template(const std::string& folder, bool with_tools) {
  const fs::path base(folder);
  std::error_code ignored;
  const fs::path own = base / "chat_template.jinja";
  if (fs::is_regular_file(own, ignored)) {
    return ChatTemplateFiles{ChatTemplate::parse(read_all(own), own.string()), load_special_tokens(folder)};
  }
  for (const char* name : {"tokenizer_config.json", "chat_template.json"}) {
    const fs::path path = base / name;
    const std::optional<Json> config = read_if_there(path);
    if (!config || !config->is_object() || !config->contains("chat_template")) continue;
    if (auto text = template_text((*config)["chat_template"], with_tools, path.string())) {
      return ChatTemplateFiles{ChatTemplate::parse(std::move(*text), path.string()), load_special_tokens(folder)};
    }
  }
  return std::nullopt;
}

}  // namespace anneal::datasets
