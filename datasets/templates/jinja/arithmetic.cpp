#include "datasets/templates/jinja/arithmetic.h"

#include <fmt/format.h>

#include <cmath>

#include "datasets/templates/jinja/number_text.h"

namespace anneal::datasets::jinja {
namespace {

[[noreturn]] void fail_overflow() { throw Failure("a whole number becomes too large"); }
[[noreturn]] void fail_zero(std::string_view what) { throw Failure(std::string(what)); }

Integer floor_divide(Integer a, Integer b) {
  const Integer quotient = a / b;
  return a % b != 0 && (a < 0) != (b < 0) ? quotient - 1 : quotient;
}
Integer floor_modulo(Integer a, Integer b) {
  const Integer rest = a % b;
  return rest != 0 && (rest < 0) != (b < 0) ? rest + b : rest;
}

double float_modulo(double a, double b) {
  double rest = std::fmod(a, b);
  if (rest != 0.0) {
    if ((b < 0) != (rest < 0)) rest += b;
  } else {
    rest = std::copysign(0.0, b);
  }
  return rest;
}
double float_floor_divide(double a, double b) {
  const double rest = std::fmod(a, b);
  double quotient = (a - rest) / b;
  if (rest != 0.0 && (b < 0) != (rest < 0)) quotient -= 1.0;
  if (quotient == 0.0) return std::copysign(0.0, a / b);
  const double floor = std::floor(quotient);
  return quotient - floor > 0.5 ? floor + 1.0 : floor;
}

Value power_of_integers(Integer base, Integer exponent) {
  if (exponent < 0) {
    if (base == 0) fail_zero("0.0 cannot be raised to a negative power");
    return Value::real(std::pow(static_cast<double>(base), static_cast<double>(exponent)));
  }
  Integer result = 1;
  while (exponent > 0) {
    if ((exponent & 1) != 0 && __builtin_mul_overflow(result, base, &result)) fail_overflow();
    exponent >>= 1;
    if (exponent > 0 && __builtin_mul_overflow(base, base, &base)) fail_overflow();
  }
  return Value::integer(result);
}

Value power_of_floats(double base, double exponent) {
  if (base == 0.0 && exponent < 0) fail_zero("0.0 cannot be raised to a negative power");
  if (base < 0 && std::isfinite(exponent) && std::floor(exponent) != exponent) {
    throw Failure("a negative number to a broken power is a complex number, and they are not offered");
  }
  const double result = std::pow(base, exponent);
  if (std::isinf(result) && std::isfinite(base) && std::isfinite(exponent)) throw Failure("a float becomes too large");
  return Value::real(result);
}

Value calculate_integers(Operator operation, Integer a, Integer b) {
  Integer result = 0;
  bool overflow = false;
  switch (operation) {
    case Operator::kAdd:
      overflow = __builtin_add_overflow(a, b, &result);
      break;
    case Operator::kSubtract:
      overflow = __builtin_sub_overflow(a, b, &result);
      break;
    case Operator::kMultiply:
      overflow = __builtin_mul_overflow(a, b, &result);
      break;
    case Operator::kDivide:
      if (b == 0) fail_zero("division by zero");
      return Value::real(static_cast<double>(a) / static_cast<double>(b));
    case Operator::kFloorDivide:
      if (b == 0) fail_zero("integer division or modulo by zero");
      overflow = b == -1 && __builtin_sub_overflow(Integer{0}, a, &result);
      if (b != -1) result = floor_divide(a, b);
      break;
    case Operator::kModulo:
      if (b == 0) fail_zero("integer modulo by zero");
      result = b == -1 ? 0 : floor_modulo(a, b);
      break;
    default:
      return power_of_integers(a, b);
  }
  if (overflow) fail_overflow();
  return Value::integer(result);
}

}  // namespace

Value calculate_numbers(Operator operation, const Value& left, const Value& right) {
  if (left.is_integral() && right.is_integral()) {
    return calculate_integers(operation, left.as_integer(), right.as_integer());
  }
  const double a = left.as_real();
  const double b = right.as_real();
  switch (operation) {
    case Operator::kAdd:
      return Value::real(a + b);
    case Operator::kSubtract:
      return Value::real(a - b);
    case Operator::kMultiply:
      return Value::real(a * b);
    case Operator::kDivide:
      if (b == 0.0) fail_zero("float division by zero");
      return Value::real(a / b);
    case Operator::kFloorDivide:
      if (b == 0.0) fail_zero("float floor division by zero");
      return Value::real(float_floor_divide(a, b));
    case Operator::kModulo:
      if (b == 0.0) fail_zero("float modulo");
      return Value::real(float_modulo(a, b));
    default:
      return power_of_floats(a, b);
  }
}

namespace {

// -1, 0 or 1; 2: one of them is no number.
int order_of(const Value& left, const Value& right) {
  const auto order = [](const auto& a, const auto& b) { return a < b ? -1 : a > b ? 1 : a == b ? 0 : 2; };
  if (left.is_integral() && right.is_integral()) return order(left.as_integer(), right.as_integer());
  if (left.is(Kind::kFloat) && right.is(Kind::kFloat)) return order(left.as_real(), right.as_real());
  const bool left_is_real = left.is(Kind::kFloat);
  const double real = (left_is_real ? left : right).as_real();
  const Integer whole = (left_is_real ? right : left).as_integer();
  if (std::isnan(real)) return 2;
  int real_to_whole = 0;
  if (!(std::fabs(real) < 0x1p126)) {
    real_to_whole = real < 0 ? -1 : 1;
  } else {
    const double floor = std::floor(real);
    real_to_whole = order(static_cast<Integer>(floor), whole);
    if (real_to_whole == 0 && real > floor) real_to_whole = 1;
  }
  return left_is_real ? real_to_whole : -real_to_whole;
}

}  // namespace

bool compare_numbers(Operator operation, const Value& left, const Value& right) {
  const int order = order_of(left, right);
  if (order == 2) return false;
  switch (operation) {
    case Operator::kLess:
      return order < 0;
    case Operator::kLessEqual:
      return order <= 0;
    case Operator::kGreater:
      return order > 0;
    default:
      return order >= 0;
  }
}

Value round_number(const Value& number, Integer digits) {
  if (number.is_integral()) {
    if (digits >= 0) return Value::integer(number.as_integer());
    constexpr int kMostDigits = 37;  // then twice the unit fits
    if (digits < -kMostDigits) return Value::integer(0);
    Integer unit = 1;
    for (Integer i = digits; i < 0; ++i) unit *= 10;
    const Integer floor = floor_divide(number.as_integer(), unit);
    const Integer rest = number.as_integer() - floor * unit;
    const bool up = rest * 2 > unit || (rest * 2 == unit && (floor & 1) != 0);
    Integer rounded = 0;
    if (__builtin_mul_overflow(floor + (up ? 1 : 0), unit, &rounded)) fail_overflow();
    return Value::integer(rounded);
  }
  const double real = number.as_real();
  if (!std::isfinite(real) || digits > 323) return number;
  if (digits < -308) return Value::real(std::copysign(0.0, real));
  if (digits >= 0) {
    // The digits are those of the exact value, so that 2.675 becomes 2.67.
    return Value::real(*parse_real(fmt::format("{:.{}f}", real, static_cast<int>(digits))));
  }
  const double unit = std::pow(10.0, static_cast<double>(-digits));
  const double scaled = real / unit;
  double rounded = std::round(scaled);
  if (std::fabs(scaled - rounded) == 0.5) rounded = 2.0 * std::round(scaled / 2.0);
  const double result = rounded * unit;
  if (std::isinf(result)) throw Failure("a rounded value is too large");
  return Value::real(result);
}

}  // namespace anneal::datasets::jinja
