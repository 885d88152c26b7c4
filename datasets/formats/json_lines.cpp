// One JSON object per line.

#include "datasets/formats/record_reader.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kBlanks = " \t\r\n\v\f";

class JsonLines : public RecordReader {
 public:
  JsonLines(TextSource& text, const ReadLimits& limits) : text_(text), limits_(limits) {}

  std::optional<RecordItem> next() override {
    for (;;) {
      const int64_t line = text_.line();
      switch (text_.next_line(line_, limits_.record_bytes)) {
        case TextSource::Line::kNone:
          return std::nullopt;
        case TextSource::Line::kTooLong:
          return over_limit(line, "the line", limits_.record_bytes);
        case TextSource::Line::kWhole:
          break;
      }
      if (line_.find_first_not_of(kBlanks) != std::string::npos) return parse_record(line_, line, 1);
    }
  }

 private:
  TextSource& text_;
  ReadLimits limits_;
  std::string line_;
};

}  // namespace

std::unique_ptr<RecordReader> open_json_lines(TextSource& text, const ReadLimits& limits) {
  return std::make_unique<JsonLines>(text, limits);
}

}  // namespace anneal::datasets
