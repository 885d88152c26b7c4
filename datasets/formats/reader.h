#pragma once
// From files and folders of any known form to rows, one after another. Memory does not grow with the number of rows.
//
//   ReadReport report = for_each_row({"train.jsonl", "more/"}, options, [&](Row&& row) { … });
//
// The container (JSON Lines, JSON array, CSV, text, each also .gz or .zst) is known from the content; the format
// (alpaca, sharegpt, …) from the columns, file by file. The report says what was taken for what, and why.
// The same files give the same rows in the same order: files in the order given, a folder's files by name.

#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "datasets/conversation.h"
#include "datasets/formats/collected_errors.h"
#include "datasets/formats/container.h"
#include "datasets/formats/finding.h"

namespace anneal::datasets {

// What one column of a file is for: {"prompt":"question","completion":"answer"} reads column "question" as the prompt.
// With a mapping only the mapped columns are looked at. Keys: see format_list.h; inside messages also "role",
// "content".
using ColumnMapping = std::map<std::string, std::string>;

enum class BadRows { kStop, kSkip };  // the first one of each file is an error; or they are counted and listed

struct ReadOptions {
  ColumnMapping columns;
  BadRows bad_rows = BadRows::kStop;
  TextSplit text_split = TextSplit::kWholeFile;  // for .txt and .md
  std::optional<Container> container;            // unset: known from the content
  ReadLimits limits;
  bool may_be_empty = false;     // else no row at all is refused with a sentence
  bool lists_bad_files = false;  // files that cannot be read stand in the report and stop nothing
};

// What one file was taken for.
struct FileReading {
  std::string path;
  Container container = Container::kJsonLines;
  std::string format;  // "alpaca", "sharegpt", "openai", …: a name of format_list.h
  std::string reason;  // one sentence for the person: what was seen, and what it was taken for
  int64_t rows = 0;    // handed on
};

struct ReadReport {
  std::vector<FileReading> files;
  std::vector<std::string> notices;   // files of a folder that were passed over, and why
  std::vector<std::string> problems;  // files that cannot be read, under lists_bad_files: a sentence each
  Findings findings;                  // bad lines and bad rows
  int64_t rows = 0;                   // handed on
  // The one format of all files, or "mixed".
  std::string format() const;
};

// Throws Error(kInput) for what cannot be read at all, for the first bad row of a file under kStop, and when no row was
// found. All files are looked at before it is thrown: it says what is wrong with each, a sentence a line, and no row is
// handed on behind the first fault. An exception from `on_row` passes through.
ReadReport for_each_row(const std::vector<std::string>& paths, const ReadOptions& options,
                        const std::function<void(Row&&)>& on_row);

// The files that `paths` stand for, in reading order; folders are searched with everything below them.
struct FileSelection {
  std::vector<std::string> files;
  std::vector<std::string> notices;
  CollectedErrors errors;  // folders that hold nothing or cannot be read
};
FileSelection select_files(const std::vector<std::string>& paths);

}  // namespace anneal::datasets
