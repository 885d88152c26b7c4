#pragma once
// A file's text, unpacked and without a leading byte-order mark, as a window that moves on: look at what is there, take
// what was understood. Counts lines. One reader at a time.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/formats/byte_source.h"

namespace anneal::datasets {

class TextSource {
 public:
  // Throws Error(kInput) for what open_bytes() refuses and for text in UTF-16 or UTF-32, named as that.
  TextSource(const std::string& path, const ReadLimits& limits);

  const std::string& path() const { return path_; }
  // The beginning of the file, at most this many bytes, as long as nothing was taken.
  static constexpr std::size_t kHeadBytes = std::size_t{64} << 10;
  std::string_view head() const { return std::string_view(window_).substr(begin_, end_ - begin_); }
  bool head_is_whole_file() const { return is_at_end_; }

  // What lies ahead; empty only at the end of the file. Stays good until the next call of anything else here.
  std::string_view ahead();
  void take(std::size_t bytes);  // of what ahead() gave
  bool at_end() { return ahead().empty(); }
  int64_t line() const { return line_; }          // of the next byte, from 1
  int64_t position() const { return position_; }  // bytes taken so far

  enum class Line { kNone, kWhole, kTooLong };
  // The next line without its end ("\n" or "\r\n") into `line`; a line over the limit is passed over as a whole.
  Line next_line(std::string& line, int64_t limit_bytes);

 private:
  void fill();
  void refuse_wide_text() const;

  std::string path_;
  std::unique_ptr<ByteSource> source_;
  std::string window_;
  std::size_t begin_ = 0;
  std::size_t end_ = 0;
  bool is_at_end_ = false;
  int64_t line_ = 1;
  int64_t position_ = 0;
};

}  // namespace anneal::datasets
