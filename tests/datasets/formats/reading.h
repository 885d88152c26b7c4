#pragma once
// Rows from text, as the tests of formats want them.

#include <string>
#include <string_view>
#include <vector>

#include "datasets/formats/reader.h"
#include "kernels/core/error.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {

struct Reading {
  ReadReport report;
  std::vector<Row> rows;
};

inline Reading read_paths(const std::vector<std::string>& paths, const ReadOptions& options = {}) {
  Reading reading;
  reading.report = for_each_row(paths, options, [&](Row&& row) { reading.rows.push_back(std::move(row)); });
  return reading;
}

inline Reading read_text(const std::string& name, std::string_view content, const ReadOptions& options = {}) {
  const anneal::tests::TemporaryFolder folder;
  Reading reading = read_paths({folder.write(name, content)}, options);
  for (Row& row : reading.rows) row.source.file = name;
  return reading;
}

// The only row's content, which has to be of this kind.
template <class Kind>
Kind read_one(const std::string& name, std::string_view content, const ReadOptions& options = {}) {
  Reading reading = read_text(name, content, options);
  if (reading.rows.size() != 1) throw std::runtime_error("expected one row");
  return std::get<Kind>(std::move(reading.rows.front().content));
}

inline std::vector<RowContent> contents_of(const std::vector<Row>& rows) {
  std::vector<RowContent> contents;
  for (const Row& row : rows) contents.push_back(row.content);
  return contents;
}

// The sentence that reading ends with; empty if it does not fail.
inline std::string failure_of(const std::string& name, std::string_view content, const ReadOptions& options = {}) {
  try {
    read_text(name, content, options);
  } catch (const Error& error) {
    if (error.kind() != ErrorKind::kInput) return std::string("not an input error: ") + error.what();
    return error.what();
  }
  return {};
}

inline ReadOptions skipping() {
  ReadOptions options;
  options.bad_rows = BadRows::kSkip;
  return options;
}

inline ReadOptions mapped(ColumnMapping columns) {
  ReadOptions options;
  options.columns = std::move(columns);
  return options;
}

}  // namespace anneal::datasets::tests
