// Tables: RFC 4180, with commas, semicolons or tabs. The first record names the columns. "\n", "\r\n" and a lone "\r"
// end a record; inside quotes they belong to the field. An empty field is an empty text, and NA, null, None are texts
// too.

#include <algorithm>
#include <vector>

#include "datasets/formats/record_reader.h"
#include "datasets/formats/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::size_t kMostFields = 100'000;

// One record's fields. `problem` is set where the record breaks the rules; reading goes on at the next line then.
struct Fields {
  std::vector<std::string> values;
  bool is_blank = false;  // an empty line
  std::optional<BadRecord> problem;
};

class FieldScanner {
 public:
  FieldScanner(TextSource& text, char delimiter, int64_t limit_bytes)
      : text_(text), delimiter_(delimiter), limit_bytes_(limit_bytes) {}

  // Empty at the end of the file.
  std::optional<Fields> next() {
    if (text_.at_end()) return std::nullopt;
    begin();
    while (state_ != State::kDone) {
      const std::string_view ahead = text_.ahead();
      if (ahead.empty()) {
        end_of_file();
      } else {
        text_.take(scan(ahead));
      }
    }
    fields_.is_blank = fields_.values.size() == 1 && fields_.values[0].empty() && !was_quoted_;
    return std::move(fields_);
  }
  int64_t line() const { return line_; }

 private:
  enum class State { kFieldStart, kPlain, kQuoted, kQuoteInQuoted, kAfterReturn, kSkipLine, kDone };

  void begin() {
    state_ = State::kFieldStart;
    fields_ = {};
    field_.clear();
    was_quoted_ = false;
    size_ = 0;
    line_ = quote_line_ = current_line_ = text_.line();
    column_ = 0;
    is_behind_newline_ = false;
  }

  // How many bytes of `ahead` were used.
  std::size_t scan(std::string_view ahead) {
    std::size_t i = 0;
    while (i < ahead.size() && state_ != State::kDone) {
      if (state_ == State::kAfterReturn) {
        state_ = State::kDone;
        return ahead[i] == '\n' ? i + 1 : i;
      }
      step(ahead[i]);
      ++i;
    }
    return i;
  }

  void step(char sign) {
    if (is_behind_newline_) {
      ++current_line_;
      column_ = 0;
    }
    is_behind_newline_ = sign == '\n';
    ++column_;
    if (state_ == State::kSkipLine) {
      if (sign == '\n' || sign == '\r') end_record(sign);
      return;
    }
    if (++size_ > limit_bytes_ || fields_.values.size() >= kMostFields) return give_up(sign);
    switch (state_) {
      case State::kQuoted:
        if (sign == '"') {
          state_ = State::kQuoteInQuoted;
        } else {
          field_ += sign;
        }
        return;
      case State::kQuoteInQuoted:
        if (sign == '"') {
          field_ += sign;
          state_ = State::kQuoted;
          return;
        }
        if (sign != delimiter_ && sign != '\n' && sign != '\r') {
          return skip(
              BadRecord{current_line_, column_, "there is text between the closing quote and the next delimiter"});
        }
        break;
      case State::kFieldStart:
        if (sign == '"') {
          was_quoted_ = true;
          quote_line_ = current_line_;
          state_ = State::kQuoted;
          return;
        }
        break;
      default:
        break;
    }
    if (sign == delimiter_) {
      end_field();
      state_ = State::kFieldStart;
    } else if (sign == '\n' || sign == '\r') {
      end_field();
      end_record(sign);
    } else {
      field_ += sign;
      state_ = State::kPlain;
    }
  }

  void end_field() {
    fields_.values.push_back(std::move(field_));
    field_.clear();
  }
  void end_record(char sign) { state_ = sign == '\r' ? State::kAfterReturn : State::kDone; }
  void skip(BadRecord problem) {
    fields_.problem = std::move(problem);
    fields_.values.clear();
    field_.clear();
    state_ = State::kSkipLine;
  }
  // The line end that reaches the limit ends the record, so that the next line is not lost with it.
  void give_up(char sign) {
    skip(fields_.values.size() < kMostFields
             ? over_limit(line_, "the record", limit_bytes_)
             : BadRecord{line_, 0, fmt::format("the record has more than {} fields", kMostFields)});
    if (sign == '\n' || sign == '\r') end_record(sign);
  }
  void end_of_file() {
    if (state_ == State::kQuoted) {
      fields_.problem = BadRecord{quote_line_, 0, "a quote is opened here and never closed"};
    } else if (state_ != State::kAfterReturn && state_ != State::kSkipLine) {
      end_field();
    }
    state_ = State::kDone;
  }

  TextSource& text_;
  char delimiter_;
  int64_t limit_bytes_;
  State state_ = State::kDone;
  Fields fields_;
  std::string field_;
  bool was_quoted_ = false;
  int64_t size_ = 0;
  int64_t line_ = 1;
  int64_t quote_line_ = 1;
  int64_t current_line_ = 1;
  int64_t column_ = 0;  // of the sign last looked at
  bool is_behind_newline_ = false;
};

std::string trimmed(const std::string& name) {
  const std::size_t begin = name.find_first_not_of(" \t");
  if (begin == std::string::npos) return {};
  return name.substr(begin, name.find_last_not_of(" \t") - begin + 1);
}

class Delimited : public RecordReader {
 public:
  Delimited(TextSource& text, char delimiter, const ReadLimits& limits)
      : path_(text.path()), scanner_(text, delimiter, limits.record_bytes) {
    read_header();
  }

  std::optional<RecordItem> next() override {
    for (;;) {
      std::optional<Fields> fields = scanner_.next();
      if (!fields) return std::nullopt;
      if (fields->problem) return std::move(*fields->problem);
      if (!fields->is_blank) return to_record(*fields);
    }
  }

 private:
  void read_header() {
    std::optional<Fields> header = scanner_.next();
    while (header && header->is_blank) header = scanner_.next();
    if (!header) return;
    if (header->problem) {
      throw input_error("{}:{}: the line of column names cannot be read: {}. Correct it there.", printable(path_, 400),
                        header->problem->line, header->problem->message);
    }
    for (std::string& value : header->values) {
      std::string name = trimmed(value);
      if (first_invalid_utf8(name) != std::string::npos) {
        throw input_error("{}:{}: the column names are not UTF-8. Save the table as UTF-8.", printable(path_, 400),
                          scanner_.line());
      }
      if (std::find(names_.begin(), names_.end(), name) != names_.end()) {
        throw input_error("{}:{}: column \"{}\" stands twice. Rename one of them.", printable(path_, 400),
                          scanner_.line(), printable(name));
      }
      names_.push_back(std::move(name));
    }
  }

  RecordItem to_record(Fields& fields) const {
    const int64_t line = scanner_.line();
    if (fields.values.size() != names_.size()) {
      return BadRecord{
          line, 0,
          fmt::format("has {} fields where the first line names {} columns", fields.values.size(), names_.size())};
    }
    Record record{Json::object(), line};
    auto& members = record.columns.get_ref<Json::object_t&>();
    for (std::size_t i = 0; i < names_.size(); ++i) {
      if (first_invalid_utf8(fields.values[i]) != std::string::npos) {
        return BadRecord{line, 0, fmt::format("column \"{}\" is not UTF-8", printable(names_[i]))};
      }
      members.push_back({names_[i], std::move(fields.values[i])});
    }
    return record;
  }

  std::string path_;
  FieldScanner scanner_;
  std::vector<std::string> names_;
};

}  // namespace

std::unique_ptr<RecordReader> open_delimited(TextSource& text, char delimiter, const ReadLimits& limits) {
  return std::make_unique<Delimited>(text, delimiter, limits);
}

}  // namespace anneal::datasets
