#include "engine/files/small_json.h"

#include <string_view>

#include "engine/files/open_file.h"

namespace anneal::engine {

Json read_small_json(const std::string& path) {
  constexpr int64_t kLimit = 64'000'000;
  const std::string text = read_text_file(path, kLimit);
  std::string_view view = text;
  if (view.starts_with("\xEF\xBB\xBF")) view.remove_prefix(3);
  return parse_json(view, shown_path(path));
}

}  // namespace anneal::engine
