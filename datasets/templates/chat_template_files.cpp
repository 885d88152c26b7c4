#include "datasets/templates/chat_template_files.h"

#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <map>
#include <set>

#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

namespace fs = std::filesystem;

constexpr JsonLimits kOthersFiles = {.depth = 512, .allow_duplicate_keys = true};

struct Source {
  std::string text;
  std::string where;
};
using Sources = std::map<std::string, Source, std::less<>>;  // by the template's name: "default", "tool_use", …

std::string read_text(const fs::path& path) {
  std::ifstream file(path, std::ios::binary);
  if (!file) {
    throw input_error("{}: cannot be opened ({}). Check the path and its permissions.", path.string(),
                      std::strerror(errno));
  }
  std::string text((std::istreambuf_iterator<char>(file)), std::istreambuf_iterator<char>());
  for (std::size_t at = 0; at < text.size();) {
    const jinja::Character character = jinja::character_at(text, at);
    if (character.code >= 0xDC80 && character.code < 0xDD00) {
      throw input_error("{}: byte {} is no UTF-8. Save the chat template as UTF-8.", path.string(), at + 1);
    }
    at += character.size;
  }
  return text;
}

bool is_file(const fs::path& path) {
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

void add_jinja_files(const fs::path& folder, Sources& sources) {
  const fs::path single = folder / "chat_template.jinja";
  if (is_file(single)) sources["default"] = {read_text(single), single.string()};
  std::error_code none;
  for (const auto& entry : fs::directory_iterator(folder / "additional_chat_templates", none)) {
    if (entry.path().extension() == ".jinja" && is_file(entry.path())) {
      sources[entry.path().stem().string()] = {read_text(entry.path()), entry.path().string()};
    }
  }
}

// "chat_template" of a JSON file: a text, or a list of {"name", "template"}.
void add_json_file(const fs::path& path, Sources& sources) {
  if (!is_file(path)) return;
  const Json config = read_json_file(path.string(), kOthersFiles);
  const auto found = config.is_object() ? config.find("chat_template") : config.end();
  if (!config.is_object() || found == config.end() || found->is_null()) return;
  const std::string where = path.string() + ", chat_template";
  const auto refuse = [&] {
    throw input_error("{}: neither a text nor a list of named texts. Get a complete copy of the file.", where);
  };
  if (found->is_string()) {
    sources["default"] = {found->get<std::string>(), where};
  } else if (found->is_array()) {
    for (const Json& entry : *found) {
      if (!entry.is_object() || !entry.contains("name") || !entry["name"].is_string() || !entry.contains("template") ||
          !entry["template"].is_string()) {
        refuse();
      }
      const auto name = entry["name"].get<std::string>();
      sources[name] = {entry["template"].get<std::string>(), fmt::format("{} \"{}\"", where, printable(name))};
    }
  } else {
    refuse();
  }
}

const Source& chosen(const Sources& sources, const std::string& folder, bool with_tools) {
  const auto for_tools = sources.find("tool_use");
  if (with_tools && for_tools != sources.end()) return for_tools->second;
  const auto standard = sources.find("default");
  if (standard != sources.end()) return standard->second;
  std::string names;
  for (const auto& [name, source] : sources) names += (names.empty() ? "" : ", ") + printable(name);
  throw input_error("{}: the model has the chat templates {}, but none is named default. Give one as chat_template.",
                    folder, names);
}

// The text of a token that stands as a text or as {"content": text, …}.
const Json* token_text(const Json& value) {
  if (value.is_string()) return &value;
  if (!value.is_object()) return nullptr;
  const auto content = value.find("content");
  return content != value.end() && content->is_string() ? &*content : nullptr;
}

}  // namespace

Json load_special_tokens(const std::string& folder) {
  Json tokens = Json::object();
  std::set<std::string> settled;  // also by null: the model has no such token
  for (const char* name : {"tokenizer_config.json", "special_tokens_map.json"}) {
    const fs::path path = fs::path(folder) / name;
    if (!is_file(path)) continue;
    const Json config = read_json_file(path.string(), kOthersFiles);
    if (!config.is_object()) continue;
    for (auto member = config.begin(); member != config.end(); ++member) {
      const bool is_token = member.key().ends_with("_token") && (token_text(*member) != nullptr || member->is_null());
      if (!is_token || !settled.insert(member.key()).second) continue;
      if (const Json* text = token_text(*member)) tokens[member.key()] = *text;
    }
  }
  return tokens;
}

std::optional<ChatTemplateFiles> load_chat_template(const std::string& folder, bool with_tools) {
  Sources sources;
  add_jinja_files(folder, sources);
  if (sources.empty()) add_json_file(fs::path(folder) / "tokenizer_config.json", sources);
  if (sources.empty()) add_json_file(fs::path(folder) / "chat_template.json", sources);
  if (sources.empty()) return std::nullopt;
  const Source& source = chosen(sources, folder, with_tools);
  return ChatTemplateFiles{ChatTemplate::parse(source.text, source.where), load_special_tokens(folder)};
}

}  // namespace anneal::datasets
