// Texts without columns: the whole file is one document, or each paragraph, or each line. "\r\n" becomes "\n", so that
// a file from Windows teaches the same as any other.

#include <algorithm>

#include "datasets/formats/record_reader.h"
#include "datasets/formats/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

bool is_blank(std::string_view line) { return line.find_first_not_of(kBlanks) == std::string_view::npos; }

RecordItem to_record(std::string&& text, int64_t line) {
  if (const std::size_t at = first_invalid_utf8(text); at != std::string::npos) {
    const std::string_view before = std::string_view(text).substr(0, at);
    const auto lines = std::count(before.begin(), before.end(), '\n');
    const std::size_t newline = before.rfind('\n');
    return BadRecord{line + lines, static_cast<int64_t>(newline == std::string_view::npos ? at + 1 : at - newline),
                     "this byte is not UTF-8; the text may be Latin-1 or Windows-1252 and is to be saved as UTF-8"};
  }
  Record record{Json::object(), line};
  record.columns["text"] = std::move(text);
  return record;
}

BadRecord document_over_limit(int64_t line, const ReadLimits& limits) {
  return BadRecord{line, 0,
                   fmt::format("the document is longer than {} bytes; split the file, or take its paragraphs or lines "
                               "as documents",
                               limits.document_bytes)};
}

class WholeFile : public RecordReader {
 public:
  WholeFile(TextSource& text, const ReadLimits& limits) : text_(text), limits_(limits) {}

  std::optional<RecordItem> next() override {
    if (is_done_) return std::nullopt;
    is_done_ = true;
    std::string document;
    for (std::string_view ahead = text_.ahead(); !ahead.empty(); ahead = text_.ahead()) {
      if (static_cast<int64_t>(document.size() + ahead.size()) > limits_.document_bytes) {
        return document_over_limit(1, limits_);
      }
      document += ahead;
      text_.take(ahead.size());
    }
    if (is_blank(document)) return std::nullopt;
    drop_returns(document);
    return to_record(std::move(document), 1);
  }

 private:
  static void drop_returns(std::string& text) {
    std::size_t kept = text.find("\r\n");
    if (kept == std::string::npos) return;
    for (std::size_t i = kept; i < text.size(); ++i) {
      if (text[i] == '\r' && i + 1 < text.size() && text[i + 1] == '\n') continue;
      text[kept++] = text[i];
    }
    text.resize(kept);
  }

  TextSource& text_;
  ReadLimits limits_;
  bool is_done_ = false;
};

class Lines : public RecordReader {
 public:
  Lines(TextSource& text, const ReadLimits& limits) : text_(text), limits_(limits) {}

  std::optional<RecordItem> next() override {
    for (;;) {
      const int64_t number = text_.line();
      std::string line;
      const TextSource::Line result = text_.next_line(line, limits_.document_bytes);
      if (result == TextSource::Line::kNone) return std::nullopt;
      if (result == TextSource::Line::kTooLong) return document_over_limit(number, limits_);
      if (!is_blank(line)) return to_record(std::move(line), number);
    }
  }

 private:
  TextSource& text_;
  ReadLimits limits_;
};

class Paragraphs : public RecordReader {
 public:
  Paragraphs(TextSource& text, const ReadLimits& limits) : text_(text), limits_(limits) {}

  std::optional<RecordItem> next() override {
    std::string document;
    std::string line;
    int64_t first = 0;
    bool is_too_long = false;
    for (;;) {
      const int64_t number = text_.line();
      const TextSource::Line result = text_.next_line(line, limits_.document_bytes);
      if (result == TextSource::Line::kNone || (result == TextSource::Line::kWhole && is_blank(line))) {
        if (first == 0 && result == TextSource::Line::kNone) return std::nullopt;
        if (first == 0) continue;
        if (is_too_long) return document_over_limit(first, limits_);
        return to_record(std::move(document), first);
      }
      if (first == 0) {
        first = number;
      } else if (!is_too_long) {
        document += '\n';
      }
      is_too_long = is_too_long || result == TextSource::Line::kTooLong ||
                    static_cast<int64_t>(document.size() + line.size()) > limits_.document_bytes;
      if (!is_too_long) document += line;
    }
  }

 private:
  TextSource& text_;
  ReadLimits limits_;
};

}  // namespace

std::unique_ptr<RecordReader> open_documents(TextSource& text, TextSplit split, const ReadLimits& limits) {
  switch (split) {
    case TextSplit::kLine:
      return std::make_unique<Lines>(text, limits);
    case TextSplit::kBlankLine:
      return std::make_unique<Paragraphs>(text, limits);
    case TextSplit::kWholeFile:
      break;
  }
  return std::make_unique<WholeFile>(text, limits);
}

}  // namespace anneal::datasets
