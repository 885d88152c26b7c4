#include "datasets/formats/container.h"

#include <algorithm>
#include <array>
#include <filesystem>

#include "datasets/formats/record_reader.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// "Notes.TXT.gz" -> ".txt"
std::string extension_of(const std::string& path) {
  const auto lower_extension = [](const std::filesystem::path& name) {
    std::string extension = name.extension().string();
    std::transform(extension.begin(), extension.end(), extension.begin(),
                   [](unsigned char letter) { return static_cast<char>(std::tolower(letter)); });
    return extension;
  };
  const std::filesystem::path name = std::filesystem::path(path).filename();
  const std::string extension = lower_extension(name);
  return extension == ".gz" || extension == ".zst" ? lower_extension(name.stem()) : extension;
}

bool is_one_of(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string_view first_line_of(std::string_view text) { return text.substr(0, std::min(text.find('\n'), text.size())); }

// The text from the first byte on that is no blank, behind the first `skip` bytes.
std::string_view from_next_sign(std::string_view text, std::size_t skip) {
  const std::size_t at = text.find_first_not_of(kBlanks, skip);
  return at == std::string_view::npos ? std::string_view() : text.substr(at);
}

// A line that is longer than the beginning which was looked at counts as whole.
bool starts_with_whole_object(std::string_view text) {
  const std::string_view line = first_line_of(text);
  if (line.size() == text.size() && text.size() > TextSource::kHeadBytes / 2) return text.starts_with("{\"");
  return std::holds_alternative<Record>(parse_record(line, 1, 1));
}

// What is still open where a line of JSON ends.
struct OpenEnd {
  std::string brackets;  // the open ones, outermost first
  bool is_in_string = false;
  char last = '\0';  // the last sign that is no blank
};

OpenEnd open_end_of(std::string_view line) {
  OpenEnd end;
  for (std::size_t i = 0; i < line.size(); ++i) {
    const char sign = line[i];
    if (kBlanks.find(sign) == std::string_view::npos) end.last = sign;
    if (end.is_in_string) {
      if (sign == '\\') ++i;
      if (sign == '"') end.is_in_string = false;
      continue;
    }
    if (sign == '"') end.is_in_string = true;
    if (sign == '{' || sign == '[') end.brackets += sign;
    if ((sign == '}' || sign == ']') && !end.brackets.empty()) end.brackets.pop_back();
  }
  return end;
}

// Whether an object that begins on the first line goes on below: the line ends inside it, and what the next line begins
// with can follow. A first line that is merely broken must not make the whole file one value.
bool goes_on_below(std::string_view text) {
  const std::string_view line = first_line_of(text);
  const OpenEnd end = open_end_of(line);
  const std::string_view below = from_next_sign(text, line.size());
  if (end.brackets.empty() || end.is_in_string || below.empty()) return false;
  if (below.front() != '{') return true;
  return end.last == '[' || end.last == ':' || (end.last == ',' && end.brackets.back() == '[');
}

ContainerFinding recognise_object(std::string_view text) {
  if (goes_on_below(text)) return {Container::kJsonValues, ',', "it begins with a JSON object over several lines"};
  return {Container::kJsonLines, ',', "it begins with { and has one JSON object per line"};
}

// The sign that stands most often between the names of the first line.
char delimiter_of(std::string_view header, char preferred) {
  const std::array<char, 3> signs =
      preferred == '\t' ? std::array{'\t', ',', ';'} : std::array{',', ';', '\t'};  // of equal ones the first
  char best = preferred;
  int64_t best_count = 0;
  for (const char sign : signs) {
    int64_t count = 0;
    bool is_quoted = false;
    for (const char letter : header) {
      if (letter == '"') is_quoted = !is_quoted;
      if (letter == sign && !is_quoted) ++count;
    }
    if (count > best_count) {
      best = sign;
      best_count = count;
    }
  }
  return best;
}

ContainerFinding recognise_table(std::string_view text, char preferred) {
  const char delimiter = delimiter_of(first_line_of(text), preferred);
  const std::string_view sign = delimiter == '\t' ? "tabs" : delimiter == ';' ? "semicolons" : "commas";
  return {Container::kDelimited, delimiter, fmt::format("it is named a table and its first line has {}", sign)};
}

}  // namespace

std::string_view name_of(Container container) {
  switch (container) {
    case Container::kJsonLines:
      return "JSON Lines";
    case Container::kJsonArray:
      return "JSON array";
    case Container::kJsonValues:
      return "JSON objects";
    case Container::kDelimited:
      return "table";
    case Container::kText:
      return "text";
  }
  return "unknown";
}

ContainerFinding recognise_container(std::string_view head, const std::string& path) {
  const std::string extension = extension_of(path);
  const std::string_view text = from_next_sign(head, 0);
  const char first = text.empty() ? '\0' : text.front();
  const bool is_named_json = is_one_of(extension, {".json", ".jsonl", ".ndjson"});
  const bool is_named_text = is_one_of(extension, {".txt", ".md", ".markdown", ".text"});
  const std::string_view second = text.empty() ? text : from_next_sign(text, 1);
  const char next = second.empty() ? '\0' : second.front();

  // A text or a table may begin with a bracket of its own, so there more is asked before it counts as JSON.
  if (first == '{' &&
      (is_named_json || starts_with_whole_object(text) || (!is_named_text && (next == '"' || next == '}')))) {
    return recognise_object(text);
  }
  if (first == '[' && (is_named_json || next == '{' || (next == ']' && !is_named_text))) {
    return {Container::kJsonArray, ',', "it begins with [ and is one list"};
  }
  if (is_one_of(extension, {".csv", ".tsv", ".tab"})) return recognise_table(text, extension == ".csv" ? ',' : '\t');
  if (is_named_json) return {Container::kJsonLines, ',', "it is named JSON"};
  return {Container::kText, ',', is_named_text ? "it is named a text" : "it is neither JSON nor named a table"};
}

std::unique_ptr<RecordReader> open_records(TextSource& text, const ContainerFinding& container, TextSplit split,
                                           const ReadLimits& limits) {
  switch (container.container) {
    case Container::kJsonLines:
      return open_json_lines(text, limits);
    case Container::kJsonArray:
      return open_json_array(text, limits);
    case Container::kJsonValues:
      return open_json_values(text, limits);
    case Container::kDelimited:
      return open_delimited(text, container.delimiter, limits);
    case Container::kText:
      return open_documents(text, split, limits);
  }
  throw InternalError("internal fault: container without a reader");
}

}  // namespace anneal::datasets
