#pragma once
// Short ways to render in tests.

#include <gtest/gtest.h>

#include <chrono>
#include <fstream>
#include <string>
#include <vector>

#include "datasets/templates/chat_template.h"
#include "kernels/core/error.h"

namespace anneal::datasets::tests {

// The clock of the golden data: 2025-07-10T12:00:00.
inline RenderOptions golden_options() {
  using std::chrono::July;
  RenderOptions options;
  options.now = std::chrono::local_days(std::chrono::year(2025) / July / 10) + std::chrono::hours(12);
  return options;
}

inline Rendering render(const std::string& source, const Json& context, const RenderOptions& options = {}) {
  return ChatTemplate::parse(source, "t.jinja").render(context, options);
}
inline std::string text_of(const std::string& source, const Json& context = Json::object()) {
  return render(source, context).text;
}

// The sentence of the error that parsing or rendering ends with; empty if it does not.
inline std::string error_of(const std::string& source, const Json& context = Json::object(),
                            const RenderOptions& options = {}) {
  try {
    render(source, context, options);
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

// The parts of the text that the spans cover.
inline std::vector<std::string> parts_of(const std::string& text, const std::vector<Span>& spans) {
  std::vector<std::string> parts;
  for (const Span& span : spans) parts.push_back(text.substr(span.begin, span.size()));
  return parts;
}

inline std::vector<Json> read_lines(const std::string& path) {
  std::vector<Json> rows;
  std::ifstream file(path);
  for (std::string line; std::getline(file, line);) {
    if (!line.empty()) rows.push_back(parse_json(line, path));
  }
  return rows;
}

}  // namespace anneal::datasets::tests
