// The context that a template is given, as values.

#include <algorithm>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

// A message's role picks among the template's own tokens (<|user|>), so it counts as the template's, as long as it is
// one plain word that cannot be more than that.
bool is_plain_word(std::string_view text) {
  return !text.empty() && text.size() <= 64 && std::all_of(text.begin(), text.end(), [](unsigned char c) {
    return c == '_' || c == '-' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  });
}

Value list_from_json(Heap& heap, const Json& list, Origin origin) {
  std::vector<Value> items;
  items.reserve(list.size());
  for (const Json& item : list) items.push_back(from_json(heap, item, origin));
  return make_list(heap, std::move(items));
}

Value dict_from_json(Heap& heap, const Json& object, Origin origin, int message) {
  auto* body = new DictBody(heap);
  Value dict = Value::object(Kind::kDict, body);
  body->message = message;
  body->reserve(object.size());
  for (auto member = object.begin(); member != object.end(); ++member) {
    const bool is_role = message >= 0 && member.key() == "role" && member->is_string() &&
                         is_plain_word(member->get_ref<const std::string&>());
    body->set(Value::text(member.key(), origin), from_json(heap, *member, is_role ? kFromTemplate : origin));
  }
  return dict;
}

}  // namespace

Value from_json(Heap& heap, const Json& value, Origin origin) {
  switch (value.type()) {
    case Json::value_t::null:
      return Value::none();
    case Json::value_t::boolean:
      return Value::boolean(value.get<bool>());
    case Json::value_t::number_integer:
      return Value::integer(value.get<int64_t>());
    case Json::value_t::number_unsigned:
      return Value::integer(value.get<uint64_t>());
    case Json::value_t::number_float:
      return Value::real(value.get<double>());
    case Json::value_t::string: {
      const auto& text = value.get_ref<const std::string&>();
      heap.check_text(text.size());
      return Value::text(text, origin);
    }
    case Json::value_t::array:
      return list_from_json(heap, value, origin);
    case Json::value_t::object:
      return dict_from_json(heap, value, origin, -1);
    case Json::value_t::binary:
    case Json::value_t::discarded:
      break;
  }
  throw Failure("the context holds a value that is no JSON");
}

Value messages_from_json(Heap& heap, const Json& messages, std::size_t count) {
  if (!messages.is_array()) return from_json(heap, messages, kFromData);
  std::vector<Value> items;
  count = std::min(count, messages.size());
  items.reserve(count);
  for (std::size_t i = 0; i < count; ++i) {
    const Origin origin = kFromFirstMessage + static_cast<Origin>(i);
    items.push_back(messages[i].is_object() ? dict_from_json(heap, messages[i], origin, static_cast<int>(i))
                                            : from_json(heap, messages[i], origin));
  }
  return make_list(heap, std::move(items));
}

}  // namespace anneal::datasets::jinja
