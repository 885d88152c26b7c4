// The functions that a template finds ready.

#include <fmt/format.h>

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/clock_text.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/printing.h"

namespace anneal::datasets::jinja {
namespace {

constexpr Integer kLargestRange = 100'000;  // jinja2's sandbox allows no longer one

Value range(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  expect_positional(arguments, "range", 1, 3);
  Integer bounds[3] = {0, 0, 1};
  const std::size_t given = arguments.positional.size();
  for (std::size_t i = 0; i < given; ++i) {
    const Integer bound = integer_argument(arguments.positional[i], "range");
    if (bound > kLargestBound || bound < -kLargestBound) throw Failure("a whole number becomes too large");
    bounds[given == 1 ? 1 : i] = bound;
  }
  if (bounds[2] == 0) throw Failure("range() arg 3 must not be zero");
  const Value made = make<RangeBody>(Kind::kRange, evaluator.heap(), bounds[0], bounds[1], bounds[2]);
  if (made.as<RangeBody>().size() > kLargestRange) {
    throw Failure(fmt::format("range() is longer than {}", kLargestRange));
  }
  return made;
}

Value dict(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  if (arguments.positional.size() > 1) throw Failure("dict expected at most 1 argument");
  Heap& heap = evaluator.heap();
  auto* body = new DictBody(heap);
  Value made = Value::object(Kind::kDict, body);
  if (!arguments.positional.empty()) {
    const Value& given = arguments.positional[0];
    if (given.is(Kind::kDict)) {
      // A message that was changed is still that message.
      body->message = given.as<DictBody>().message;
      for (const auto& [key, value] : given.as<DictBody>().entries()) body->set(key, value);
    } else {
      Iteration iteration(heap, given);
      for (Value pair; iteration.next(pair);) {
        const std::vector<Value> parts = items_of(heap, pair);
        if (parts.size() != 2) throw Failure("dict() needs pairs of a key and a value");
        body->set(parts[0], parts[1]);
      }
    }
  }
  for (const auto& [key, value] : arguments.named) body->set(key, value);
  return made;
}

Value make_namespace(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  return evaluator.make_namespace(arguments);
}

Value cycler(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  if (!arguments.named.empty()) throw Failure("cycler() takes no keyword arguments");
  if (arguments.positional.empty()) throw Failure("at least one item has to be provided");
  return make<CyclerBody>(Kind::kCycler, evaluator.heap(), arguments.positional);
}

Value joiner(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  const Bound bound(arguments, "joiner", {"sep"});
  return make<JoinerBody>(Kind::kJoiner, evaluator.heap(), bound[0] == nullptr ? Value::text(", ") : *bound[0]);
}

Value raise_exception(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  const Bound bound(arguments, "raise_exception", {"message"}, 1);
  throw Failure(std::string(to_text(evaluator.heap(), *bound[0]).as_text()), true);
}

Value strftime_now(Evaluator& evaluator, const Value&, const Arguments& arguments) {
  const Bound bound(arguments, "strftime_now", {"format"}, 1);
  const std::string_view format = text_argument(*bound[0], "strftime_now");
  evaluator.heap().check_text(format.size() * 512);
  const WallTime now = evaluator.options().now ? *evaluator.options().now : wall_time();
  return make_text(evaluator.heap(), format_time(format, now), whole_origin(*bound[0]));
}

Value lipsum(Evaluator&, const Value&, const Arguments&) {
  throw Failure("lipsum() makes random text, which no two renderings share, so it is not offered");
}

constexpr NamedBuiltin kFunctions[] = {
    {"range", range},   {"dict", dict},     {"namespace", make_namespace},        {"cycler", cycler},
    {"joiner", joiner}, {"lipsum", lipsum}, {"raise_exception", raise_exception}, {"strftime_now", strftime_now},
};

}  // namespace

std::span<const NamedBuiltin> functions() { return kFunctions; }

}  // namespace anneal::datasets::jinja
