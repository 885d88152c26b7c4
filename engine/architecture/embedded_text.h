#pragma once
// The files of resources/architectures as they were when the program was built; no file is looked for at run time.

#include <span>
#include <string_view>

namespace anneal::engine {

struct EmbeddedText {
  std::string_view name;  // "llama.json"
  std::string_view text;
};

std::span<const EmbeddedText> architecture_texts();  // by name

}  // namespace anneal::engine
