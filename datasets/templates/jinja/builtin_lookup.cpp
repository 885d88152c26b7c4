#include <array>
#include <unordered_map>

#include "datasets/templates/jinja/builtins.h"

namespace anneal::datasets::jinja {
namespace {

template <class Entry>
using ByName = std::unordered_map<std::string_view, const Entry*>;

template <class Entry>
ByName<Entry> by_name(std::initializer_list<std::span<const Entry>> lists) {
  ByName<Entry> found;
  for (const auto& list : lists) {
    for (const Entry& entry : list) found.emplace(entry.name, &entry);
  }
  return found;
}

template <class Entry>
const Entry* look_up(const ByName<Entry>& entries, std::string_view name) {
  const auto found = entries.find(name);
  return found == entries.end() ? nullptr : found->second;
}

// Which kinds share a list: bool has the members of int.
std::size_t member_list(Kind kind) { return static_cast<std::size_t>(kind == Kind::kBool ? Kind::kInteger : kind); }

std::array<ByName<Member>, 32> all_members() {
  std::array<ByName<Member>, 32> lists;
  lists[member_list(Kind::kText)] = by_name<Member>({text_members(), text_case_members(), text_search_members()});
  lists[member_list(Kind::kList)] = by_name<Member>({list_members()});
  lists[member_list(Kind::kTuple)] = by_name<Member>({tuple_members()});
  lists[member_list(Kind::kDict)] = by_name<Member>({dict_members()});
  lists[member_list(Kind::kRange)] = by_name<Member>({range_members()});
  lists[member_list(Kind::kInteger)] = by_name<Member>({integer_members()});
  lists[member_list(Kind::kFloat)] = by_name<Member>({float_members()});
  lists[member_list(Kind::kCycler)] = by_name<Member>({cycler_members()});
  lists[member_list(Kind::kLoop)] = by_name<Member>({loop_members()});
  lists[member_list(Kind::kMacro)] = by_name<Member>({macro_members()});
  return lists;
}

}  // namespace

Builtin find_filter(std::string_view name) {
  static const ByName<NamedBuiltin> filters = by_name<NamedBuiltin>(
      {text_filters(), markup_filters(), sequence_filters(), sorting_filters(), lazy_filters(), number_filters()});
  const NamedBuiltin* found = look_up(filters, name);
  return found == nullptr ? nullptr : found->function;
}

Test find_test(std::string_view name) {
  static const ByName<NamedTest> all = by_name<NamedTest>({tests()});
  const NamedTest* found = look_up(all, name);
  return found == nullptr ? nullptr : found->function;
}

Builtin find_function(std::string_view name) {
  static const ByName<NamedBuiltin> all = by_name<NamedBuiltin>({functions()});
  const NamedBuiltin* found = look_up(all, name);
  return found == nullptr ? nullptr : found->function;
}

const Member* find_member(Kind kind, std::string_view name) {
  static const std::array<ByName<Member>, 32> members = all_members();
  return look_up(members[member_list(kind)], name);
}

}  // namespace anneal::datasets::jinja
