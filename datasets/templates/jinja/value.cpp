#include "datasets/templates/jinja/value.h"

#include <fmt/format.h>

#include <cmath>

#include "datasets/templates/jinja/containers.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {

std::string_view type_name(Kind kind) {
  switch (kind) {
    case Kind::kMissing:
      return "nothing";
    case Kind::kNone:
      return "NoneType";
    case Kind::kBool:
      return "bool";
    case Kind::kInteger:
      return "int";
    case Kind::kFloat:
      return "float";
    case Kind::kText:
      return "str";
    case Kind::kUndefined:
      return "Undefined";
    case Kind::kList:
      return "list";
    case Kind::kTuple:
      return "tuple";
    case Kind::kDict:
      return "dict";
    case Kind::kDictView:
      return "dict view";
    case Kind::kRange:
      return "range";
    case Kind::kIterator:
      return "generator";
    case Kind::kNamespace:
      return "Namespace";
    case Kind::kMacro:
      return "Macro";
    case Kind::kLoop:
      return "LoopContext";
    case Kind::kCycler:
      return "Cycler";
    case Kind::kJoiner:
      return "Joiner";
    case Kind::kMethod:
      return "method";
    case Kind::kFunction:
      return "function";
  }
  return "value";
}

void fail_undefined(const Value& undefined) {
  const std::string name = printable(undefined.as_text(), 200);
  switch (undefined.undefined_reason()) {
    case UndefinedReason::kName:
      throw Failure(fmt::format("'{}' is undefined", name));
    case UndefinedReason::kAttribute: {
      const Kind holder = undefined.undefined_holder();
      if (holder == Kind::kNone) throw Failure(fmt::format("'None' has no attribute '{}'", name));
      throw Failure(fmt::format("'{} object' has no attribute '{}'", type_name(holder), name));
    }
    case UndefinedReason::kHint:
    case UndefinedReason::kUnsafe:
      break;
  }
  throw Failure(name);
}

bool is_true(const Value& value) {
  switch (value.kind()) {
    case Kind::kMissing:
    case Kind::kNone:
    case Kind::kUndefined:
      return false;
    case Kind::kBool:
    case Kind::kInteger:
      return value.as_integer() != 0;
    case Kind::kFloat:
      return value.as_real() != 0.0;
    case Kind::kText:
      return !value.as_text().empty();
    case Kind::kList:
    case Kind::kTuple:
      return !value.as<ListBody>().items.empty();
    case Kind::kDict:
      return !value.as<DictBody>().entries().empty();
    case Kind::kDictView:
      return value.as<DictViewBody>().size() != 0;
    case Kind::kRange:
      return value.as<RangeBody>().size() != 0;
    default:
      return true;
  }
}

}  // namespace anneal::datasets::jinja
