#pragma once
// Which format a file is in, from its columns and what they hold.

#include <map>
#include <span>
#include <string>

#include "datasets/formats/format.h"
#include "datasets/formats/reader.h"
#include "datasets/formats/record_reader.h"

namespace anneal::datasets {

struct Recognition {
  const Format* format = nullptr;
  Binding binding;
  std::string reason;  // "columns \"question\" and \"answer\" are a question and its answer"
};

// From the first records of a file. With a mapping only the mapped columns count, and their keys choose the format.
// Throws Error(kInput) naming the columns where nothing fits; `path` is for the sentence.
Recognition recognise_format(std::span<const Record* const> first_records, const ColumnMapping& mapping, bool is_table,
                             const std::string& path);

// Refuses keys that are no role of any format, with the nearest one that is.
void check_mapping(const ColumnMapping& mapping);

}  // namespace anneal::datasets
