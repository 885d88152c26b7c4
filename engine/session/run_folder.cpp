#include "engine/session/run_folder.h"

#include <algorithm>
#include <array>
#include <string_view>

#include "engine/files/durable_file.h"

namespace anneal::engine {
namespace {

bool is_base_file(const std::filesystem::path& path) {
  const std::string name = path.filename().string();
  constexpr std::array<std::string_view, 11> kNames{
      "config.json",         "generation_config.json",  "tokenizer.json",
      "tokenizer.model",     "tokenizer_config.json",   "vocab.json",
      "merges.txt",          "special_tokens_map.json", "added_tokens.json",
      "chat_template.jinja", "chat_template.json"};
  std::string upper = name;
  std::transform(upper.begin(), upper.end(), upper.begin(),
                 [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  return std::find(kNames.begin(), kNames.end(), name) != kNames.end() || upper.starts_with("LICENSE") ||
         upper.starts_with("LICENCE") || upper.starts_with("NOTICE") || upper.starts_with("USE_POLICY");
}

}  // namespace

void copy_base_files(const std::filesystem::path& model_folder, const std::filesystem::path& to) {
  std::filesystem::create_directories(to);
  for (const auto& entry : std::filesystem::directory_iterator(model_folder)) {
    if (!entry.is_regular_file() || !is_base_file(entry.path())) continue;
    const std::filesystem::path target = to / entry.path().filename();
    // A new file, not a copy of the old one's permissions: the source may be read-only, the copy is the person's.
    copy_durably(entry.path().string(), target.string());
  }
}

}  // namespace anneal::engine
