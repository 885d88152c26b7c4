#include "datasets/templates/jinja/printing.h"

#include <fmt/format.h>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/loop.h"
#include "datasets/templates/jinja/macro.h"
#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {

Value to_text(Heap& heap, const Value& value) {
  switch (value.kind()) {
    case Kind::kText:
      return value.is_markup() ? value.with_markup(false) : value;
    case Kind::kUndefined:
      return Value::text({});
    case Kind::kNone:
      return Value::text("None");
    case Kind::kBool:
      return Value::text(value.truth_bit() ? "True" : "False");
    case Kind::kInteger:
      return make_text(heap, text_of(value.as_integer()));
    case Kind::kFloat:
      return make_text(heap, text_of(value.as_real()));
    default:
      return to_repr(heap, value);
  }
}

Value to_repr(Heap& heap, const Value& value) {
  ReprWriter writer(heap);
  writer.write(value);
  return make_text(heap, std::move(writer.text), writer.origin);
}

void ReprWriter::write(const Value& value) {
  heap_.charge_steps(1);
  heap_.check_text(text.size());
  switch (value.kind()) {
    case Kind::kText:
      return write_text(value);
    case Kind::kUndefined:
      text += "Undefined";
      return;
    case Kind::kNone:
      text += "None";
      return;
    case Kind::kBool:
      text += value.truth_bit() ? "True" : "False";
      return;
    case Kind::kInteger:
      text += text_of(value.as_integer());
      return;
    case Kind::kFloat:
      text += text_of(value.as_real());
      return;
    case Kind::kList:
      return write_items(value.as<ListBody>().items, '[', ']');
    case Kind::kTuple:
      return write_items(value.as<ListBody>().items, '(', ')');
    case Kind::kDict:
      return write_dict(value);
    case Kind::kDictView:
      return write_view(value);
    case Kind::kRange: {
      const auto& range = value.as<RangeBody>();
      text += fmt::format("range({}, {}", range.start, range.stop);
      text += range.step == 1 ? ")" : fmt::format(", {})", range.step);
      return;
    }
    case Kind::kNamespace:
      return write_namespace(value);
    case Kind::kMacro: {
      const std::string& name = value.as<MacroBody>().definition.name;
      text += name.empty() ? "<Macro anonymous>" : fmt::format("<Macro '{}'>", name);
      return;
    }
    case Kind::kLoop: {
      auto& loop = value.as<LoopBody>();
      const Integer index = loop.index0 + 1;
      text += fmt::format("<LoopContext {}/{}>", index, loop.length());
      return;
    }
    default:
      break;
  }
  // Python prints an address there.
  throw Failure(fmt::format("a {} cannot be printed{}", type_name(value),
                            value.is(Kind::kIterator) ? "; the filter list makes a list of it" : ""));
}

// Quoted as Python quotes: with ' unless there is one and no ", and with escapes for what cannot be seen.
void ReprWriter::write_text(const Value& value) {
  const std::string_view bytes = value.as_text();
  heap_.check_text(text.size() + bytes.size());
  heap_.charge_bytes(bytes.size());
  origin = mixed(origin, whole_origin(value));
  if (value.is_markup()) text += "Markup(";
  const bool has_single = bytes.find('\'') != std::string_view::npos;
  const char quote = has_single && bytes.find('"') == std::string_view::npos ? '"' : '\'';
  text += quote;
  for (std::size_t at = 0; at < bytes.size();) {
    const Character character = character_at(bytes, at);
    const auto code = static_cast<uint32_t>(character.code);
    if (code == '\\' || code == static_cast<uint32_t>(quote)) {
      text += '\\';
      text += static_cast<char>(code);
    } else if (code == '\n') {
      text += "\\n";
    } else if (code == '\r') {
      text += "\\r";
    } else if (code == '\t') {
      text += "\\t";
    } else if (is_printable(character.code)) {
      text.append(bytes.substr(at, character.size));
    } else {
      text += code < 0x100     ? fmt::format("\\x{:02x}", code)
              : code < 0x10000 ? fmt::format("\\u{:04x}", code)
                               : fmt::format("\\U{:08x}", code);
    }
    at += character.size;
  }
  text += quote;
  if (value.is_markup()) text += ')';
}

void ReprWriter::write_items(const std::vector<Value>& items, char open, char close) {
  text += open;
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) text += ", ";
    write(items[i]);
  }
  if (open == '(' && items.size() == 1) text += ',';
  text += close;
}

void ReprWriter::write_dict(const Value& value) {
  text += '{';
  bool is_first = true;
  for (const auto& [key, item] : value.as<DictBody>().entries()) {
    if (!is_first) text += ", ";
    is_first = false;
    write(key);
    text += ": ";
    write(item);
  }
  text += '}';
}

void ReprWriter::write_view(const Value& value) {
  const auto& view = value.as<DictViewBody>();
  switch (view.part) {
    case DictViewBody::Part::kKeys:
      text += "dict_keys(";
      break;
    case DictViewBody::Part::kValues:
      text += "dict_values(";
      break;
    case DictViewBody::Part::kItems:
      text += "dict_items(";
      break;
  }
  std::vector<Value> items;
  for (std::size_t i = 0; i < view.size(); ++i) items.push_back(view.item(i));
  write_items(items, '[', ']');
  text += ')';
}

void ReprWriter::write_namespace(const Value& value) {
  // A namespace may hold itself.
  if (++depth_ > 100) throw Failure("namespaces lie too deep within each other to be printed");
  text += "<Namespace {";
  bool is_first = true;
  for (const auto& [key, item] : value.as<NamespaceBody>().attributes) {
    if (!is_first) text += ", ";
    is_first = false;
    write(key);
    text += ": ";
    write(item);
  }
  text += "}>";
  --depth_;
}

}  // namespace anneal::datasets::jinja
