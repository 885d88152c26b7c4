#pragma once
// What a template finds ready: filters, tests, functions, and the members of Python's own types. Each is one function;
// the lists of them stand in the files named beside.

#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/templates/jinja/value.h"

namespace anneal::datasets::jinja {

class Evaluator;

struct Arguments {
  std::vector<Value> positional;
  std::vector<std::pair<Value, Value>> named;  // name, value
  bool empty() const { return positional.empty() && named.empty(); }
};

// `subject` is what stands before "|" or "."; missing for a plain function.
using Builtin = Value (*)(Evaluator&, const Value& subject, const Arguments&);
using Test = bool (*)(Evaluator&, const Value& subject, const Arguments&);

struct NamedBuiltin {
  std::string_view name;
  Builtin function;
};
struct NamedTest {
  std::string_view name;
  Test function;
};

// A member of a type. Exactly one of the three holds: a method, a property, or what the sandbox keeps from templates.
struct Member {
  std::string_view name;
  Builtin method = nullptr;
  Value (*property)(Evaluator&, const Value& subject) = nullptr;
  bool is_unsafe = false;
};

// Null: there is none of that name.
Builtin find_filter(std::string_view name);
Test find_test(std::string_view name);
Builtin find_function(std::string_view name);
const Member* find_member(Kind kind, std::string_view name);

// The lists, each in the file that holds the functions.
std::span<const NamedBuiltin> text_filters();      // filters_of_text.cpp
std::span<const NamedBuiltin> markup_filters();    // filters_of_markup.cpp
std::span<const NamedBuiltin> sequence_filters();  // filters_of_sequences.cpp
std::span<const NamedBuiltin> sorting_filters();   // filters_that_sort.cpp
std::span<const NamedBuiltin> lazy_filters();      // filters_that_wait.cpp
std::span<const NamedBuiltin> number_filters();    // filters_of_numbers.cpp
std::span<const NamedTest> tests();                // tests.cpp
std::span<const NamedBuiltin> functions();         // functions.cpp
std::span<const Member> text_members();            // members_of_text.cpp
std::span<const Member> text_case_members();       // members_of_text_case.cpp
std::span<const Member> text_search_members();     // members_of_text_search.cpp
std::span<const Member> list_members();            // members_of_containers.cpp
std::span<const Member> tuple_members();
std::span<const Member> dict_members();
std::span<const Member> range_members();
std::span<const Member> integer_members();
std::span<const Member> float_members();
std::span<const Member> cycler_members();
std::span<const Member> loop_members();   // loop.cpp
std::span<const Member> macro_members();  // macro.cpp

// The arguments under the names of a Python function's parameters. Throws Failure as Python raises TypeError.
class Bound {
 public:
  Bound(const Arguments& arguments, std::string_view function, std::initializer_list<std::string_view> names,
        std::size_t required = 0);
  // Null: left out.
  const Value* operator[](std::size_t place) const { return values_[place]; }

 private:
  std::vector<const Value*> values_;
};

// For functions that take no names: throws Failure unless there are `least` to `most` arguments and no named one.
void expect_positional(const Arguments& arguments, std::string_view function, std::size_t least, std::size_t most);

// What an argument must be. `null` and, where it says so, None give the fallback.
Integer integer_argument(const Value& value, std::string_view function);
Integer integer_or(const Value* value, Integer fallback, std::string_view function);  // null or None
bool truth_or(const Value* value, bool fallback);
std::string_view text_argument(const Value& value, std::string_view function);

}  // namespace anneal::datasets::jinja
