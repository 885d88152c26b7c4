#pragma once
// From a container to records: one object of named columns after another. What is broken comes as a BadRecord in its
// place, and reading goes on behind it where the container allows that.

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>

#include "datasets/formats/container.h"
#include "datasets/formats/text_source.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

struct Record {
  Json columns;      // an object; CSV fields are all text
  int64_t line = 0;  // where it begins, from 1
};

struct BadRecord {
  int64_t line = 0;
  int64_t column = 0;   // from 1, in bytes; 0: the whole line
  std::string message;  // without a full stop
};

using RecordItem = std::variant<Record, BadRecord>;

// The next record or bad record; empty at the end. Holds one record at a time.
class RecordReader {
 public:
  virtual ~RecordReader() = default;
  virtual std::optional<RecordItem> next() = 0;
};

// What a file was recognised as.
struct ContainerFinding {
  Container container = Container::kJsonLines;
  char delimiter = ',';  // of a table
  std::string reason;    // for the person: "its first line is a whole JSON object"
};
// From the beginning of the file; the name decides only where the content is no JSON.
ContainerFinding recognise_container(std::string_view head, const std::string& path);

// `text` must outlive the reader.
std::unique_ptr<RecordReader> open_records(TextSource& text, const ContainerFinding& container, TextSplit split,
                                           const ReadLimits& limits);

// The readers by container; open_records() chooses.
std::unique_ptr<RecordReader> open_json_lines(TextSource& text, const ReadLimits& limits);
std::unique_ptr<RecordReader> open_json_array(TextSource& text, const ReadLimits& limits);
std::unique_ptr<RecordReader> open_json_values(TextSource& text, const ReadLimits& limits);
std::unique_ptr<RecordReader> open_delimited(TextSource& text, char delimiter, const ReadLimits& limits);
std::unique_ptr<RecordReader> open_documents(TextSource& text, TextSplit split, const ReadLimits& limits);

// One JSON object that stands at this place of its file. Errors name line and column of the file.
RecordItem parse_record(std::string_view text, int64_t line, int64_t column);

// A value whose end was not found within the limit.
BadRecord over_limit(int64_t line, std::string_view what, int64_t limit_bytes);

}  // namespace anneal::datasets
