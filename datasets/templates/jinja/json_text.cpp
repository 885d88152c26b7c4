#include "datasets/templates/jinja/json_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/operators.h"
#include "datasets/templates/jinja/text.h"
#include "datasets/templates/jinja/unicode.h"

namespace anneal::datasets::jinja {
namespace {

class JsonWriter {
 public:
  JsonWriter(Heap& heap, const JsonStyle& style) : heap_(heap), style_(style) {}

  void write(const Value& value) {
    heap_.charge_steps(1);
    heap_.check_text(text_.size());
    switch (value.kind()) {
      case Kind::kNone:
        text_ += "null";
        return;
      case Kind::kBool:
        text_ += value.truth_bit() ? "true" : "false";
        return;
      case Kind::kInteger:
        text_ += text_of(value.as_integer());
        return;
      case Kind::kFloat:
        text_ += real(value.as_real());
        return;
      case Kind::kText:
        return write_text(value);
      case Kind::kList:
      case Kind::kTuple:
        return write_list(value.as<ListBody>().items);
      case Kind::kDict:
        return write_dict(value.as<DictBody>());
      default:
        throw Failure(fmt::format("Object of type {} is not JSON serializable", type_name(value)));
    }
  }
  Value take() { return make_text(heap_, std::move(text_), origin_); }

 private:
  static std::string real(double number) {
    if (std::isnan(number)) return "NaN";
    if (std::isinf(number)) return number < 0 ? "-Infinity" : "Infinity";
    return text_of(number);
  }

  void new_line() {
    if (!style_.is_indented) return;
    heap_.check_text(text_.size() + style_.indent.size() * depth_);
    text_ += '\n';
    for (std::size_t i = 0; i < depth_; ++i) text_ += style_.indent;
  }

  void write_list(const std::vector<Value>& items) {
    if (items.empty()) {
      text_ += "[]";
      return;
    }
    text_ += '[';
    ++depth_;
    for (std::size_t i = 0; i < items.size(); ++i) {
      if (i > 0) text_ += style_.item_separator;
      new_line();
      write(items[i]);
    }
    --depth_;
    new_line();
    text_ += ']';
  }

  void write_dict(const DictBody& dict) {
    if (dict.entries().empty()) {
      text_ += "{}";
      return;
    }
    std::vector<const DictBody::Entry*> entries;
    for (const auto& entry : dict.entries()) entries.push_back(&entry);
    if (style_.sort_keys) {
      std::stable_sort(entries.begin(), entries.end(),
                       [&](const auto* a, const auto* b) { return is_less(heap_, a->first, b->first); });
    }
    text_ += '{';
    ++depth_;
    bool is_first = true;
    for (const auto* entry : entries) {
      if (!is_first) text_ += style_.item_separator;
      is_first = false;
      new_line();
      write_key(entry->first);
      text_ += style_.key_separator;
      write(entry->second);
    }
    --depth_;
    new_line();
    text_ += '}';
  }

  void write_key(const Value& key) {
    switch (key.kind()) {
      case Kind::kText:
        return write_text(key);
      case Kind::kBool:
        text_ += key.truth_bit() ? "\"true\"" : "\"false\"";
        return;
      case Kind::kNone:
        text_ += "\"null\"";
        return;
      case Kind::kInteger:
        text_ += '"' + text_of(key.as_integer()) + '"';
        return;
      case Kind::kFloat:
        text_ += '"' + real(key.as_real()) + '"';
        return;
      default:
        throw Failure(fmt::format("keys must be str, int, float, bool or None, not {}", type_name(key)));
    }
  }

  void write_text(const Value& value) {
    const std::string_view bytes = value.as_text();
    heap_.check_text(text_.size() + bytes.size());
    heap_.charge_bytes(bytes.size());
    origin_ = mixed(origin_, whole_origin(value));
    text_ += '"';
    for (std::size_t at = 0; at < bytes.size();) {
      const auto byte = static_cast<unsigned char>(bytes[at]);
      if (byte >= 0x80) {
        const Character character = character_at(bytes, at);
        if (style_.ascii_only) {
          escape(static_cast<uint32_t>(character.code));
        } else {
          text_.append(bytes.substr(at, character.size));
        }
        at += character.size;
        continue;
      }
      ++at;
      switch (byte) {
        case '"':
          text_ += "\\\"";
          break;
        case '\\':
          text_ += "\\\\";
          break;
        case '\n':
          text_ += "\\n";
          break;
        case '\r':
          text_ += "\\r";
          break;
        case '\t':
          text_ += "\\t";
          break;
        case '\f':
          text_ += "\\f";
          break;
        case '\b':
          text_ += "\\b";
          break;
        default:
          if (byte < 0x20 || (byte == 0x7F && style_.ascii_only)) {
            escape(byte);
          } else {
            text_ += static_cast<char>(byte);
          }
      }
    }
    text_ += '"';
  }

  void escape(uint32_t code) {
    if (code >= 0x10000) {
      code -= 0x10000;
      text_ += fmt::format("\\u{:04x}\\u{:04x}", 0xD800 + (code >> 10), 0xDC00 + (code & 0x3FF));
    } else {
      text_ += fmt::format("\\u{:04x}", code);
    }
  }

  Heap& heap_;
  const JsonStyle& style_;
  std::string text_;
  Origin origin_ = kFromTemplate;
  std::size_t depth_ = 0;
};

}  // namespace

Value json_text(Heap& heap, const Value& value, const JsonStyle& style) {
  JsonWriter writer(heap, style);
  writer.write(value);
  return writer.take();
}

}  // namespace anneal::datasets::jinja
