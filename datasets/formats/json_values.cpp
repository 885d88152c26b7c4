// JSON objects that may go over several lines: the elements of one list, or one object after another. The end of each
// is found by its brackets, so that a broken one costs only itself and the file is never held as a whole.

#include <charconv>

#include "datasets/formats/record_reader.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::string_view kBlanks = " \t\r\n";

// Collects one value up to the sign that ends it.
class ValueScanner {
 public:
  ValueScanner(TextSource& text, int64_t limit_bytes) : text_(text), limit_bytes_(limit_bytes) {}

  // Where the next value begins; 0 at the end of the file.
  char skip_blanks() {
    for (;;) {
      const std::string_view ahead = text_.ahead();
      if (ahead.empty()) return '\0';
      const std::size_t at = std::min(ahead.find_first_not_of(kBlanks), ahead.size());
      const char sign = at < ahead.size() ? ahead[at] : '\0';
      advance(at);
      if (sign != '\0') return sign;
    }
  }
  void advance(std::size_t bytes) {
    const std::string_view passed = text_.ahead().substr(0, bytes);
    const std::size_t newline = passed.rfind('\n');
    column_ = newline == std::string_view::npos ? column_ + static_cast<int64_t>(bytes)
                                                : static_cast<int64_t>(bytes - newline);
    text_.take(bytes);
  }
  int64_t line() const { return text_.line(); }
  int64_t column() const { return column_; }

  enum class End { kValue, kFile, kTooLong };
  // An element of a list: ends before the comma or bracket behind it.
  End scan_element(std::string& value) { return scan(value, true); }
  // An object: ends with its own bracket.
  End scan_object(std::string& value) { return scan(value, false); }

 private:
  End scan(std::string& value, bool in_list) {
    value.clear();
    depth_ = 0;
    is_in_string_ = is_escaped_ = false;
    bool is_too_long = false;
    for (;;) {
      const std::string_view ahead = text_.ahead();
      if (ahead.empty()) return is_too_long ? End::kTooLong : End::kFile;
      const auto [size, is_end] = in_list ? scan_piece<true>(ahead) : scan_piece<false>(ahead);
      is_too_long = is_too_long || static_cast<int64_t>(value.size() + size) > limit_bytes_;
      if (is_too_long) {
        value.clear();
      } else {
        value.append(ahead.substr(0, size));
      }
      advance(size);
      if (is_end) return is_too_long ? End::kTooLong : End::kValue;
    }
  }

  struct Piece {
    std::size_t size;
    bool is_end;
  };
  template <bool kInList>
  Piece scan_piece(std::string_view text) {
    for (std::size_t i = 0; i < text.size(); ++i) {
      const char sign = text[i];
      if (is_in_string_) {
        if (is_escaped_) {
          is_escaped_ = false;
        } else if (sign == '\\') {
          is_escaped_ = true;
        } else if (sign == '"') {
          is_in_string_ = false;
        }
        continue;
      }
      switch (sign) {
        case '"':
          is_in_string_ = true;
          break;
        case '{':
        case '[':
          ++depth_;
          break;
        case '}':
        case ']':
          if (kInList && depth_ == 0 && sign == ']') return {i, true};
          if (depth_ > 0) --depth_;
          if (!kInList && depth_ == 0) return {i + 1, true};
          break;
        case ',':
          if (kInList && depth_ == 0) return {i, true};
          break;
        default:
          break;
      }
    }
    return {text.size(), false};
  }

  TextSource& text_;
  int64_t limit_bytes_;
  int64_t column_ = 1;
  int64_t depth_ = 0;
  bool is_in_string_ = false;
  bool is_escaped_ = false;
};

class JsonArray : public RecordReader {
 public:
  JsonArray(TextSource& text, const ReadLimits& limits) : scanner_(text, limits.record_bytes), limits_(limits) {}

  std::optional<RecordItem> next() override {
    if (is_done_) return std::nullopt;
    if (!is_open_) {
      const char first = scanner_.skip_blanks();
      is_done_ = first != '[';
      if (first == '\0') return std::nullopt;
      if (is_done_) return BadRecord{scanner_.line(), scanner_.column(), "expected [ at the beginning of the list"};
      scanner_.advance(1);
      is_open_ = true;
      if (scanner_.skip_blanks() == ']') return close();
    } else if (const std::optional<RecordItem> end = pass_comma(); is_done_ || end) {
      return end;
    }
    return read_element();
  }

 private:
  std::optional<RecordItem> read_element() {
    scanner_.skip_blanks();
    const int64_t line = scanner_.line();
    const int64_t column = scanner_.column();
    switch (scanner_.scan_element(value_)) {
      case ValueScanner::End::kFile: {
        // The last value may be whole, and only the bracket behind it missing; that comes next then.
        RecordItem last = parse_record(value_, line, column);
        if (std::holds_alternative<Record>(last)) return last;
        is_done_ = true;
        return BadRecord{line, column, "the file ends in the middle of this value"};
      }
      case ValueScanner::End::kTooLong:
        return over_limit(line, "the value", limits_.record_bytes);
      case ValueScanner::End::kValue:
        break;
    }
    if (value_.empty()) return BadRecord{line, column, "a value is missing beside the comma"};
    return parse_record(value_, line, column);
  }
  // Behind a value: a comma and more, or the end of the list.
  std::optional<RecordItem> pass_comma() {
    const char sign = scanner_.skip_blanks();
    if (sign == ']') return close();
    if (sign == ',') {
      scanner_.advance(1);
      return std::nullopt;
    }
    is_done_ = true;
    return BadRecord{scanner_.line(), scanner_.column(), "the file ends before the list is closed with ]"};
  }
  std::optional<RecordItem> close() {
    scanner_.advance(1);
    is_done_ = true;
    if (scanner_.skip_blanks() == '\0') return std::nullopt;
    return BadRecord{scanner_.line(), scanner_.column(), "there is more text behind the list"};
  }

  ValueScanner scanner_;
  ReadLimits limits_;
  std::string value_;
  bool is_open_ = false;
  bool is_done_ = false;
};

class JsonValues : public RecordReader {
 public:
  JsonValues(TextSource& text, const ReadLimits& limits) : scanner_(text, limits.record_bytes), limits_(limits) {}

  std::optional<RecordItem> next() override {
    if (is_done_) return std::nullopt;
    const char sign = scanner_.skip_blanks();
    if (sign == '\0') return std::nullopt;
    const int64_t line = scanner_.line();
    const int64_t column = scanner_.column();
    if (sign != '{') {
      is_done_ = true;
      return BadRecord{line, column, "expected { at the beginning of the next object"};
    }
    switch (scanner_.scan_object(value_)) {
      case ValueScanner::End::kFile:
        is_done_ = true;
        return BadRecord{line, column, "the file ends in the middle of this object"};
      case ValueScanner::End::kTooLong:
        return over_limit(line, "the object", limits_.record_bytes);
      case ValueScanner::End::kValue:
        break;
    }
    return parse_record(value_, line, column);
  }

 private:
  ValueScanner scanner_;
  ReadLimits limits_;
  std::string value_;
  bool is_done_ = false;
};

// Takes a number off the front of "3:14: …".
int64_t take_number(std::string_view& text) {
  int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  ensure(error == std::errc(), "a JSON error without its place");
  text.remove_prefix(static_cast<std::size_t>(end - text.data()) + 1);
  return number;
}

}  // namespace

RecordItem parse_record(std::string_view text, int64_t line, int64_t column) {
  constexpr std::string_view kWhere = "value";
  // The parser would pass over it in silence.
  if (text.starts_with("\xEF\xBB\xBF")) {
    return BadRecord{line, column, "a byte-order mark stands here, and only the file's first line may begin with one"};
  }
  try {
    Record record{parse_json(text, kWhere), line};
    if (!record.columns.is_object()) {
      return BadRecord{line, column,
                       fmt::format("expected an object of columns, found {}", record.columns.type_name())};
    }
    return record;
  } catch (const Error& error) {
    // "value:3:14: what. Correct it there." with the place counted inside the value.
    std::string_view sentence = error.what();
    ensure(sentence.starts_with(kWhere), "a JSON error in another form");
    sentence.remove_prefix(kWhere.size() + 1);
    const int64_t line_inside = take_number(sentence);
    const int64_t column_inside = take_number(sentence);
    const std::size_t remedy = sentence.rfind(". ");
    return BadRecord{line + line_inside - 1, line_inside == 1 ? column + column_inside - 1 : column_inside,
                     std::string(sentence.substr(1, remedy == std::string_view::npos ? remedy : remedy - 1))};
  }
}

BadRecord over_limit(int64_t line, std::string_view what, int64_t limit_bytes) {
  return BadRecord{line, 0, fmt::format("{} is longer than {} bytes, the limit for one row", what, limit_bytes)};
}

std::unique_ptr<RecordReader> open_json_array(TextSource& text, const ReadLimits& limits) {
  return std::make_unique<JsonArray>(text, limits);
}

std::unique_ptr<RecordReader> open_json_values(TextSource& text, const ReadLimits& limits) {
  return std::make_unique<JsonValues>(text, limits);
}

}  // namespace anneal::datasets
