// Filters that make a number, or a number's text.

#include <fmt/format.h>

#include <cmath>

#include "datasets/templates/jinja/arithmetic.h"
#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/operators.h"

namespace anneal::datasets::jinja {
namespace {

Value absolute(Evaluator&, const Value& subject, const Arguments& arguments) {
  expect_positional(arguments, "abs", 0, 0);
  if (subject.is_undefined()) fail_undefined(subject);
  if (!subject.is_number()) throw Failure(fmt::format("bad operand type for abs(): '{}'", type_name(subject)));
  if (subject.is(Kind::kFloat)) return Value::real(std::fabs(subject.as_real()));
  return subject.as_integer() < 0 ? negate(subject) : Value::integer(subject.as_integer());
}

Value to_integer(Evaluator&, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "int", {"default", "base"});
  const Value fallback = bound[0] == nullptr ? Value::integer(0) : *bound[0];
  if (subject.is_undefined()) fail_undefined(subject);
  if (subject.is_integral()) return Value::integer(subject.as_integer());
  if (subject.is(Kind::kFloat)) {
    if (std::isnan(subject.as_real())) return fallback;
    return Value::integer(whole_part(subject.as_real()));
  }
  if (!subject.is_text()) return fallback;
  const Integer base = integer_or(bound[1], 10, "int");
  if (const auto number = read_int(subject.as_text(), static_cast<int>(base > 1000 ? 1000 : base))) {
    return Value::integer(*number);
  }
  // "42.23" gives 42.
  const auto real = read_float(subject.as_text());
  if (!real || !std::isfinite(*real)) return fallback;
  return Value::integer(whole_part(*real));
}

Value to_float(Evaluator&, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "float", {"default"});
  if (subject.is_undefined()) fail_undefined(subject);
  if (subject.is_number()) return Value::real(subject.as_real());
  const auto number = subject.is_text() ? read_float(subject.as_text()) : std::nullopt;
  if (number) return Value::real(*number);
  return bound[0] == nullptr ? Value::real(0.0) : *bound[0];
}

Value round(Evaluator&, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "round", {"precision", "method"});
  const std::string_view method = bound[1] == nullptr ? "common" : text_argument(*bound[1], "round");
  if (method != "common" && method != "ceil" && method != "floor") {
    throw Failure("method must be common, ceil or floor");
  }
  if (subject.is_undefined()) fail_undefined(subject);
  if (!subject.is_number()) {
    throw Failure(fmt::format("type {} doesn't define __round__ method", type_name(subject)));
  }
  if (method == "common") {
    if (bound[0] != nullptr && bound[0]->is_none()) {  // round(x) alone gives an int
      const Value whole = round_number(subject, 0);
      return whole.is_integral() ? whole : Value::integer(whole_part(whole.as_real()));
    }
    return round_number(subject, integer_or(bound[0], 0, "round"));
  }
  const Value unit =
      calculate_numbers(Operator::kPower, Value::integer(10), Value::integer(integer_or(bound[0], 0, "round")));
  const Value scaled = calculate_numbers(Operator::kMultiply, subject, unit);
  Value whole = scaled;
  if (scaled.is(Kind::kFloat)) {
    whole = Value::integer(whole_part(method == "ceil" ? std::ceil(scaled.as_real()) : std::floor(scaled.as_real())));
  }
  return calculate_numbers(Operator::kDivide, whole, unit);
}

Value file_size(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "filesizeformat", {"binary"});
  const bool binary = truth_or(bound[0], false);
  if (subject.is_undefined()) fail_undefined(subject);
  const auto parsed = subject.is_number() ? std::optional<double>(subject.as_real())
                      : subject.is_text() ? read_float(subject.as_text())
                                          : std::nullopt;
  if (!parsed) throw Failure(fmt::format("could not convert a {} to float", type_name(subject)));
  const double bytes = *parsed;
  const double base = binary ? 1024 : 1000;
  if (bytes == 1) return Value::text("1 Byte");
  if (bytes < base) return make_text(evaluator.heap(), text_of(whole_part(bytes)) + " Bytes");
  constexpr std::string_view kLetters = "kMGTPEZY";
  double unit = base;
  std::size_t letter = 0;
  while (true) {
    unit *= base;
    if (bytes < unit || letter + 1 == kLetters.size()) break;
    ++letter;
  }
  const char shown = binary && letter == 0 ? 'K' : kLetters[letter];
  return make_text(evaluator.heap(), fmt::format("{:.1f} {}{}B", base * bytes / unit, shown, binary ? "i" : ""));
}

constexpr NamedBuiltin kFilters[] = {
    {"abs", absolute}, {"int", to_integer}, {"float", to_float}, {"round", round}, {"filesizeformat", file_size},
};

}  // namespace

std::span<const NamedBuiltin> number_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
