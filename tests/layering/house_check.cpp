#include "tests/layering/house_check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <fstream>
#include <iterator>
#include <string_view>

#include "tests/layering/source_text.h"

namespace anneal::tests {
namespace {

namespace fs = std::filesystem;

std::string read(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
}

bool is_header(std::string_view path) { return path.ends_with(".h") || path.ends_with(".cuh"); }
bool is_source(std::string_view path) { return is_header(path) || path.ends_with(".cpp") || path.ends_with(".cu"); }

int line_of(std::string_view text, std::size_t at) {
  return 1 + static_cast<int>(std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
}

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

bool stands_alone(std::string_view text, std::size_t at, std::size_t size) {
  return (at == 0 || !is_word(text[at - 1])) && (at + size >= text.size() || !is_word(text[at + size]));
}

bool any_at(std::string_view path, const std::vector<std::string>& places) {
  return std::ranges::any_of(places, [&](const std::string& place) { return is_at(path, place); });
}

// <vector>, <cstdint>: C++'s own headers have no ending and no folder, and are all lower case.
bool is_standard_header(std::string_view target) {
  return std::ranges::all_of(target, [](char c) {
    return std::islower(static_cast<unsigned char>(c)) != 0 || std::isdigit(static_cast<unsigned char>(c)) != 0 ||
           c == '_';
  });
}

// What a test may use follows what it tests: tests/engine/runs/ counts as engine/runs/.
std::string_view place_for_libraries(std::string_view path) {
  return path.starts_with("tests/") ? path.substr(6) : path;
}

std::string check_library(const std::string& path, const Include& include, const HouseRules& rules) {
  for (const Library& library : rules.libraries) {
    if (!any_at(include.target, library.headers)) continue;
    if (any_at(path, library.places) || any_at(place_for_libraries(path), library.places)) return {};
    return fmt::format("{}:{}: <{}> is {}, which is used only in {}. Go through that folder.", path, include.line,
                       include.target, library.name, fmt::join(library.places, ", "));
  }
  if (is_standard_header(include.target) || any_at(include.target, rules.system_headers)) return {};
  return fmt::format("{}:{}: <{}> belongs to no known library. Add a row to tests/layering/house_rules.cpp.", path,
                     include.line, include.target);
}

std::string check_own_header(const fs::path& root, const std::string& path, const Include& include,
                             const HouseRules& rules) {
  if (include.target.starts_with(".") || !fs::is_regular_file(root / include.target)) {
    return fmt::format("{}:{}: \"{}\" is no file seen from the root. Write the whole path from the root.", path,
                       include.line, include.target);
  }
  const auto layer = std::ranges::find_if(rules.layers, [&](const Layer& row) { return is_at(path, row.place); });
  if (layer == rules.layers.end()) {
    return fmt::format("{}:{}: this folder has no row in tests/layering/house_rules.cpp. Add one.", path, include.line);
  }
  if (any_at(include.target, layer->may_include)) return {};
  return fmt::format("{}:{}: {} may not include \"{}\", only {}.", path, include.line, layer->place, include.target,
                     fmt::join(layer->may_include, ", "));
}

std::string check_include(const fs::path& root, const std::string& path, const Include& include,
                          const HouseRules& rules) {
  if (!include.is_angled) return check_own_header(root, path, include, rules);
  if (fs::is_regular_file(root / include.target)) {
    return fmt::format("{}:{}: <{}> is a file of the house. Write it in quotes.", path, include.line, include.target);
  }
  return check_library(path, include, rules);
}

void find_texts(const std::string& path, const std::string& text, const HouseRules& rules,
                std::vector<std::string>& findings) {
  for (const std::string& forbidden : rules.forbidden_texts) {
    const std::size_t at = text.find(forbidden);
    if (at == std::string::npos) continue;
    findings.push_back(fmt::format("{}:{}: \"{}\" is a path or host of one machine. Take it out.", path,
                                   line_of(text, at), forbidden));
  }
  if (!is_source(path)) return;
  for (const std::string& word : rules.unfinished_words) {
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
      if (!stands_alone(text, at, word.size())) continue;
      findings.push_back(
          fmt::format("{}:{}: \"{}\" marks something unfinished. Finish it.", path, line_of(text, at), word));
    }
  }
}

bool begins_with_pragma_once(std::string_view text) {
  const std::string code = blank_comments_and_literals(text);
  const std::size_t at = code.find_first_not_of(" \t\r\n");
  return at != std::string::npos && std::string_view(code).substr(at).starts_with("#pragma once");
}

}  // namespace

std::vector<std::string> files_of_house(const fs::path& root, const HouseRules& rules) {
  std::vector<std::string> paths;
  const auto add = [&](const fs::path& file) { paths.push_back(fs::relative(file, root).generic_string()); };
  for (const fs::directory_entry& entry : fs::directory_iterator(root)) {
    if (entry.is_regular_file() && !entry.is_symlink() && entry.path().filename() != ".git") add(entry.path());
  }
  std::vector<std::string> folders = rules.top_folders;
  folders.push_back(".ci");
  for (const std::string& folder : folders) {
    if (!fs::is_directory(root / folder)) continue;
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(root / folder)) {
      if (entry.is_regular_file() && !entry.is_symlink()) add(entry.path());
    }
  }
  std::ranges::sort(paths);
  return paths;
}

std::vector<std::string> check_includes(const fs::path& root, const HouseRules& rules) {
  std::vector<std::string> findings;
  for (const std::string& path : files_of_house(root, rules)) {
    if (!is_source(path)) continue;
    for (const Include& include : includes_of(read(root / path))) {
      std::string finding = check_include(root, path, include, rules);
      if (!finding.empty()) findings.push_back(std::move(finding));
    }
  }
  return findings;
}

std::vector<std::string> check_readmes(const fs::path& root, const HouseRules& rules) {
  std::vector<std::string> findings;
  for (const std::string& folder : rules.top_folders) {
    const fs::path readme = root / folder / "README.md";
    if (!fs::is_regular_file(readme) || fs::file_size(readme) == 0) {
      findings.push_back(
          fmt::format("{}: README.md is missing. Say what lives here, what it may use, how to add one.", folder));
    }
  }
  return findings;
}

std::vector<std::string> check_texts(const fs::path& root, const HouseRules& rules) {
  std::vector<std::string> findings;
  for (const std::string& path : files_of_house(root, rules)) {
    const std::string text = read(root / path);
    const bool is_binary = text.find('\0') != std::string::npos;
    if (!is_binary) find_texts(path, text, rules, findings);
  }
  return findings;
}

std::vector<std::string> check_sources(const fs::path& root, const HouseRules& rules) {
  std::vector<std::string> findings;
  for (const std::string& path : files_of_house(root, rules)) {
    if (!is_source(path)) continue;
    const std::string text = read(root / path);
    const auto lines = std::ranges::count(text, '\n');
    if (lines > rules.most_lines) {
      findings.push_back(
          fmt::format("{}: {} lines, at most {}. Split it along what it does.", path, lines, rules.most_lines));
    }
    // A header that is compiled once for each instruction set has a guard that turns over each time.
    if (is_header(path) && !path.ends_with("-inl.h") && !begins_with_pragma_once(text)) {
      findings.push_back(fmt::format("{}: does not begin with #pragma once. Add it.", path));
    }
  }
  return findings;
}

std::vector<std::string> check_built(const fs::path& root, const HouseRules& rules, std::string_view compile_commands) {
  std::vector<std::string> findings;
  for (const std::string& path : files_of_house(root, rules)) {
    if (!path.ends_with(".cpp") || compile_commands.find("/" + path + "\"") != std::string_view::npos) continue;
    findings.push_back(fmt::format("{}: no target compiles it. List it in its folder's CMakeLists.txt.", path));
  }
  return findings;
}

}  // namespace anneal::tests
