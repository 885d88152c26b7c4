#include "datasets/formats/text_source.h"

#include <algorithm>
#include <cstring>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

// Text with two or four bytes per character: by its mark, or by the zero bytes that Latin letters leave in it.
std::string_view wide_encoding(std::string_view head) {
  using namespace std::string_view_literals;
  if (head.starts_with("\xFF\xFE\0\0"sv)) return "UTF-32 (little-endian)";
  if (head.starts_with("\0\0\xFE\xFF"sv)) return "UTF-32 (big-endian)";
  if (head.starts_with("\xFF\xFE"sv)) return "UTF-16 (little-endian)";
  if (head.starts_with("\xFE\xFF"sv)) return "UTF-16 (big-endian)";
  if (head.size() < 4) return {};
  const bool zeros[4] = {head[0] == 0, head[1] == 0, head[2] == 0, head[3] == 0};
  if (!zeros[0] && zeros[1] && !zeros[2] && zeros[3]) return "UTF-16 (little-endian)";
  if (zeros[0] && !zeros[1] && zeros[2] && !zeros[3]) return "UTF-16 (big-endian)";
  return {};
}

}  // namespace

TextSource::TextSource(const std::string& path, const ReadLimits& limits)
    : path_(path), source_(open_bytes(path, limits)), window_(kHeadBytes, '\0') {
  while (!is_at_end_ && end_ < window_.size()) fill();
  refuse_wide_text();
  if (head().starts_with(kByteOrderMark)) begin_ = kByteOrderMark.size();
}

void TextSource::refuse_wide_text() const {
  if (const std::string_view encoding = wide_encoding(head()); !encoding.empty()) {
    throw input_error("{}: is text in {}. Save it as UTF-8.", printable(path_, 400), encoding);
  }
  if (head().substr(0, 4096).find('\0') != std::string_view::npos) {
    throw input_error("{}: holds zero bytes, so it is no text. Give a JSON, CSV or text file.", printable(path_, 400));
  }
}

void TextSource::fill() {
  const std::size_t count = source_->read(std::span<char>(window_).subspan(end_));
  if (count == 0) is_at_end_ = true;
  end_ += count;
}

std::string_view TextSource::ahead() {
  if (begin_ == end_ && !is_at_end_) {
    begin_ = end_ = 0;
    fill();
  }
  return head();
}

void TextSource::take(std::size_t bytes) {
  ensure(bytes <= end_ - begin_, "more text taken than lay ahead");
  const char* first = window_.data() + begin_;
  line_ += std::count(first, first + bytes, '\n');
  begin_ += bytes;
  position_ += static_cast<int64_t>(bytes);
}

TextSource::Line TextSource::next_line(std::string& line, int64_t limit_bytes) {
  line.clear();
  if (at_end()) return Line::kNone;
  bool is_too_long = false;
  for (;;) {
    const std::string_view text = ahead();
    if (text.empty()) break;
    const std::size_t newline = text.find('\n');
    const std::size_t size = std::min(newline, text.size());
    is_too_long = is_too_long || static_cast<int64_t>(line.size() + size) > limit_bytes;
    if (is_too_long) {
      line.clear();
    } else {
      line.append(text.substr(0, size));
    }
    take(newline == std::string_view::npos ? size : size + 1);
    if (newline != std::string_view::npos) break;
  }
  if (line.ends_with('\r')) line.pop_back();
  return is_too_long ? Line::kTooLong : Line::kWhole;
}

}  // namespace anneal::datasets
