#pragma once
// The outer form of a data file, known from its first bytes and not from its name: two files of the same bytes are read
// the same way whatever they are called, except that a name ending in .csv, .tsv, .txt or .md says how a file is meant
// that is no JSON.

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace anneal::datasets {

enum class Container {
  kJsonLines,   // one object per line; blank lines are passed over
  kJsonArray,   // one list of objects
  kJsonValues,  // objects one after another, each over several lines
  kDelimited,   // CSV by RFC 4180, or with tabs or semicolons; the first line names the columns
  kText,        // a text without columns
};
std::string_view name_of(Container container);  // "JSON Lines", "JSON array", …

// How a text file becomes documents.
enum class TextSplit { kWholeFile, kBlankLine, kLine };

struct ReadLimits {
  int64_t record_bytes = int64_t{32} << 20;     // one line, one object, one line of a table
  int64_t document_bytes = int64_t{256} << 20;  // one document of a text file
  // Compressed files: how much they may grow, which no text of this world does, and in all.
  int64_t expansion_ratio = 250;
  int64_t expanded_bytes = int64_t{1} << 40;
};

}  // namespace anneal::datasets
