#pragma once
// The bytes of a file, one piece after another; a .gz or .zst file is unpacked on the way. What it is packed with is
// known from its first bytes, not from its name.

#include <cstddef>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "datasets/formats/container.h"

namespace anneal::datasets {

class ByteSource {
 public:
  virtual ~ByteSource() = default;
  // Puts the next bytes at the beginning of `into` and says how many; 0 only at the end.
  // Throws Error(kInput) where the file is damaged, ends early or grows past the limits.
  virtual std::size_t read(std::span<char> into) = 0;
};

// Throws Error(kInput) if `path` cannot be opened, is no regular file, or is of a kind that holds no readable rows (an
// archive, a spreadsheet, a web page saved under a data file's name); the sentence names the kind.
std::unique_ptr<ByteSource> open_bytes(const std::string& path, const ReadLimits& limits);

// Looks at a file's first bytes for the kinds that are often taken for data: what it is and what to do, as the end of a
// sentence that begins with the file's name; empty if it may be data.
std::string foreign_kind(std::string_view head);

}  // namespace anneal::datasets
