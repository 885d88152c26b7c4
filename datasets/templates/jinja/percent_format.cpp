#include "datasets/templates/jinja/percent_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/number_format.h"
#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

class PercentFormatter {
 public:
  PercentFormatter(Heap& heap, const Value& format, const Value& values)
      : heap_(heap), format_(format), text_(format.as_text()), values_(values), out_(heap) {}

  Value run() {
    while (at_ < text_.size()) {
      const std::size_t percent = std::min(text_.find('%', at_), text_.size());
      out_.append(part_of(format_, at_, percent));
      at_ = percent;
      if (at_ < text_.size()) field();
    }
    // What can be looked up by a key may stay unused.
    const bool is_mapping =
        values_.is(Kind::kDict) || values_.is(Kind::kList) || values_.is(Kind::kRange) || values_.is_undefined();
    const bool all_used =
        values_.is(Kind::kTuple) ? next_ == values_.as<ListBody>().items.size() : next_ > 0 || is_mapping;
    if (!all_used) throw Failure("not all arguments converted during string formatting");
    return out_.take().with_markup(format_.is_markup());
  }

 private:
  char peek() const {
    if (at_ >= text_.size()) throw Failure("incomplete format");
    return text_[at_];
  }

  void field() {
    ++at_;  // %
    spec_ = {};
    key_ = nullptr;
    if (peek() == '(') read_key();
    while (read_flag()) ++at_;
    spec_.width = read_number(true);
    if (peek() == '.') {
      ++at_;
      spec_.precision = static_cast<int>(read_number(false));
    }
    if (peek() == 'h' || peek() == 'l' || peek() == 'L') ++at_;
    const char type = peek();
    ++at_;
    if (type == '%') {
      out_.append('%', mark_at(format_, at_ - 1));
      return;
    }
    heap_.check_text(spec_.width);
    write(type, next_value());
  }

  bool read_flag() {
    switch (peek()) {
      case '-':
        spec_.align = '<';
        return true;
      case '+':
        spec_.sign = '+';
        return true;
      case ' ':
        if (spec_.sign == 0) spec_.sign = ' ';
        return true;
      case '#':
        spec_.alternate = true;
        return true;
      case '0':
        spec_.zero = true;
        return true;
      default:
        return false;
    }
  }

  std::size_t read_number(bool is_width) {
    if (peek() == '*') {
      ++at_;
      const Value value = next_value();
      if (!value.is_integral()) throw Failure("* wants int");
      Integer number = value.as_integer();
      if (number < 0 && is_width) {
        spec_.align = '<';
        number = -number;
      }
      if (number > 1'000'000'000) throw Failure("a width or precision in a format is too large");
      return static_cast<std::size_t>(std::max<Integer>(number, 0));
    }
    std::size_t number = 0;
    for (; peek() >= '0' && peek() <= '9'; ++at_) {
      number = number * 10 + static_cast<std::size_t>(peek() - '0');
      if (number > 1'000'000'000) throw Failure("a width or precision in a format is too large");
    }
    return number;
  }

  void read_key() {
    const std::size_t begin = ++at_;
    for (int open = 1; open > 0; ++at_) {
      if (peek() == '(') ++open;
      if (peek() == ')') --open;
    }
    if (!values_.is(Kind::kDict)) throw Failure("format requires a mapping");
    const std::string_view name = text_.substr(begin, at_ - 1 - begin);
    key_ = values_.as<DictBody>().find(name);
    if (key_ == nullptr) throw Failure(fmt::format("the format's key '{}' is not there", printable(name)));
  }

  Value next_value() {
    if (key_ != nullptr) return *key_;
    if (values_.is(Kind::kTuple)) {
      const auto& items = values_.as<ListBody>().items;
      if (next_ >= items.size()) throw Failure("not enough arguments for format string");
      return items[next_++];
    }
    if (next_++ > 0) throw Failure("not enough arguments for format string");
    return values_;
  }

  void write(char type, const Value& value) {
    switch (type) {
      case 's':
        // Markup escapes what is put into it.
        return write_text(format_.is_markup() ? escape(heap_, value) : to_text(heap_, value));
      case 'r':
      case 'a': {
        const Value repr = to_repr(heap_, value);
        return write_text(format_.is_markup() ? escape(heap_, repr) : repr);
      }
      case 'c':
        return write_character(value);
      case 'd':
      case 'i':
      case 'u':
      case 'o':
      case 'x':
      case 'X':
        return write_integer(type, value);
      case 'e':
      case 'E':
      case 'f':
      case 'F':
      case 'g':
      case 'G':
        return write_real(type, value);
      default:
        break;
    }
    throw Failure(fmt::format("unsupported format character '{}'", printable(std::string_view(&type, 1))));
  }

  void write_padded(const Value& text, char align) {
    const Padding padding = padding_for(count_characters(text.as_text()), spec_.width, align);
    out_.append(std::string(padding.before, ' '));
    out_.append(text);
    out_.append(std::string(padding.after, ' '));
  }
  void write_text(const Value& text) {
    const std::size_t end = spec_.precision < 0
                                ? text.as_text().size()
                                : byte_of_character(text.as_text(), static_cast<std::size_t>(spec_.precision));
    write_padded(part_of(text, 0, end), spec_.align == '<' ? '<' : '>');
  }
  void write_character(const Value& value) {
    if (value.is_text() && count_characters(value.as_text()) == 1) return write_text(value);
    if (!value.is_integral()) throw Failure("%c requires int or char");
    if (value.as_integer() < 0 || value.as_integer() > 0x10FFFF) throw Failure("%c arg not in range(0x110000)");
    std::string text;
    append_character(text, static_cast<char32_t>(value.as_integer()));
    write_padded(make_text(heap_, std::move(text)), spec_.align == '<' ? '<' : '>');
  }

  void write_number(const std::string& sign, const std::string& digits) {
    std::string text = sign + digits;
    if (spec_.zero && spec_.align != '<' && text.size() < spec_.width) {
      text = sign + std::string(spec_.width - text.size(), '0') + digits;
    }
    write_padded(make_text(heap_, std::move(text)), spec_.align == '<' ? '<' : '>');
  }
  std::string sign_for(bool negative) const {
    return negative ? "-" : spec_.sign == 0 ? "" : std::string(1, spec_.sign);
  }

  void write_integer(char type, const Value& value) {
    if (value.is_undefined()) fail_undefined(value);
    const bool decimal = type == 'd' || type == 'i' || type == 'u';
    if (!value.is_integral() && !(decimal && value.is(Kind::kFloat))) {
      throw Failure(fmt::format("%{} format: {} is required, not {}", type, decimal ? "a real number" : "an integer",
                                type_name(value)));
    }
    const Integer number = value.is_integral() ? value.as_integer() : whole_part(value.as_real());
    const bool negative = number < 0;
    if (negative && number == -number) throw Failure("a whole number is too large");
    std::string digits = integer_digits(negative ? -number : number, decimal ? 'd' : type);
    if (spec_.precision > 0 && digits.size() < static_cast<std::size_t>(spec_.precision)) {
      heap_.check_text(static_cast<std::size_t>(spec_.precision));
      digits = std::string(static_cast<std::size_t>(spec_.precision) - digits.size(), '0') + digits;
    }
    const std::string prefix = spec_.alternate && !decimal ? std::string("0") + type : "";
    write_number(sign_for(negative) + prefix, digits);
  }

  void write_real(char type, const Value& value) {
    if (value.is_undefined()) fail_undefined(value);
    if (!value.is_number()) throw Failure(fmt::format("must be real number, not {}", type_name(value)));
    const double real = value.as_real();
    const bool negative = real < 0 || (real == 0 && 1 / real < 0);
    write_number(sign_for(negative), real_digits(negative ? -real : real, type, spec_.precision, spec_.alternate));
  }

  Heap& heap_;
  const Value& format_;
  std::string_view text_;
  const Value& values_;
  TextBuilder out_;
  std::size_t at_ = 0;
  std::size_t next_ = 0;
  const Value* key_ = nullptr;
  FormatSpec spec_;
};

}  // namespace

Value percent_format(Heap& heap, const Value& format, const Value& values) {
  return PercentFormatter(heap, format, values).run();
}

}  // namespace anneal::datasets::jinja
