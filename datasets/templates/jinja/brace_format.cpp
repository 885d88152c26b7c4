#include "datasets/templates/jinja/brace_format.h"

#include <fmt/format.h>

#include <algorithm>

#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/number_format.h"
#include "datasets/templates/jinja/number_text.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/unicode.h"
#include "kernels/core/error.h"

namespace anneal::datasets::jinja {
namespace {

bool is_digits(std::string_view text) {
  return !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
}

class BraceFormatter {
 public:
  BraceFormatter(Evaluator& evaluator, const Arguments& arguments, const Value& names)
      : evaluator_(evaluator), heap_(evaluator.heap()), arguments_(arguments), names_(names) {}

  // `depth`: how often a format may still stand inside a format.
  Value run(const Value& format, int depth) {
    if (depth < 0) throw Failure("Max string recursion exceeded");
    TextBuilder out(heap_);
    const std::string_view text = format.as_text();
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t brace = std::min(text.find_first_of("{}", at), text.size());
      out.append(part_of(format, at, brace));
      if (brace == text.size()) break;
      if (brace + 1 < text.size() && text[brace + 1] == text[brace]) {
        out.append(part_of(format, brace, brace + 1));
        at = brace + 2;
        continue;
      }
      if (text[brace] == '}') throw Failure("Single '}' encountered in format string");
      const std::size_t end = end_of_field(text, brace + 1);
      write_field(out, format, brace + 1, end, depth);
      at = end + 1;
    }
    return out.take();
  }

 private:
  // Where the "}" stands that ends the field.
  static std::size_t end_of_field(std::string_view text, std::size_t begin) {
    int open = 1;
    bool in_brackets = false;
    for (std::size_t at = begin; at < text.size(); ++at) {
      if (text[at] == '[' && open == 1) in_brackets = true;
      if (text[at] == ']') in_brackets = false;
      if (in_brackets) continue;
      if (text[at] == '{') ++open;
      if (text[at] == '}' && --open == 0) return at;
    }
    throw Failure("expected '}' before end of string");
  }

  void write_field(TextBuilder& out, const Value& format, std::size_t begin, std::size_t end, int depth) {
    const std::string_view field = format.as_text().substr(begin, end - begin);
    std::size_t name_end = 0;
    bool in_brackets = false;
    for (; name_end < field.size(); ++name_end) {
      const char c = field[name_end];
      if (c == '[') in_brackets = true;
      if (c == ']') in_brackets = false;
      if (!in_brackets && (c == '!' || c == ':')) break;
    }
    Value value = look_up(field.substr(0, name_end));
    std::size_t at = name_end;
    if (at < field.size() && field[at] == '!') {
      if (at + 1 >= field.size()) throw Failure("end of string while looking for conversion specifier");
      value = convert(value, field[at + 1]);
      at += 2;
      if (at < field.size() && field[at] != ':') throw Failure("expected ':' after conversion specifier");
    }
    const std::size_t spec_begin = std::min(at + 1, field.size());
    const Value spec = run(part_of(format, begin + spec_begin, end), depth - 1);
    out.append(format_value(value, spec.as_text()));
  }

  Value look_up(std::string_view name) {
    const std::size_t first_end = std::min(name.find_first_of(".["), name.size());
    Value value = look_up_first(name.substr(0, first_end));
    for (std::size_t at = first_end; at < name.size();) {
      if (name[at] == '.') {
        const std::size_t end = std::min(name.find_first_of(".[", at + 1), name.size());
        if (end == at + 1) throw Failure("Empty attribute in format string");
        value = evaluator_.attribute(value, Value::text(name.substr(at + 1, end - at - 1)));
        at = end;
      } else if (name[at] == '[') {
        const std::size_t end = name.find(']', at);
        if (end == std::string_view::npos) throw Failure("Missing ']' in format string");
        const std::string_view key = name.substr(at + 1, end - at - 1);
        if (key.empty()) throw Failure("Empty attribute in format string");
        value = evaluator_.item(value, key_value(key));
        at = end + 1;
      } else {
        throw Failure("Only '.' or '[' may follow ']' in format field specifier");
      }
    }
    return value;
  }
  static Value key_value(std::string_view key) {
    if (!is_digits(key)) return Value::text(key);
    const std::optional<Integer> number = parse_integer(key, 10);
    if (!number) throw Failure("Too many decimal digits in format string");
    return Value::integer(*number);
  }

  Value look_up_first(std::string_view name) {
    std::size_t place = 0;
    if (name.empty()) {
      if (numbering_ == Numbering::kManual) {
        throw Failure("cannot switch from manual field specification to automatic field numbering");
      }
      numbering_ = Numbering::kAutomatic;
      place = next_++;
    } else if (is_digits(name)) {
      if (numbering_ == Numbering::kAutomatic) {
        throw Failure("cannot switch from automatic field numbering to manual field specification");
      }
      numbering_ = Numbering::kManual;
      const std::optional<Integer> number = parse_integer(name, 10);
      place = number && *number < 1'000'000 ? static_cast<std::size_t>(*number) : std::string_view::npos;
    } else {
      return look_up_name(name);
    }
    if (place >= arguments_.positional.size()) throw Failure("Replacement index out of range for positional args");
    return arguments_.positional[place];
  }
  Value look_up_name(std::string_view name) {
    if (!names_.is_missing()) {
      const Value* found = names_.is(Kind::kDict) ? names_.as<DictBody>().find(name) : nullptr;
      if (found != nullptr) return *found;
    }
    for (const auto& [key, value] : arguments_.named) {
      if (key.as_text() == name) return value;
    }
    throw Failure(fmt::format("the format's name '{}' is not given", printable(name)));
  }

  Value convert(const Value& value, char conversion) {
    switch (conversion) {
      case 's':
        return to_text(heap_, value);
      case 'r':
      case 'a':
        return to_repr(heap_, value);
      default:
        throw Failure("Unknown conversion specifier in format string");
    }
  }

  Value format_value(const Value& value, std::string_view spec_text) {
    if (spec_text.empty() || (value.is_text() && value.is_markup())) return to_text(heap_, value);
    if (value.is_text()) return format_text(value, parse_format_spec(spec_text));
    if (value.is_number()) {
      const FormatSpec spec = parse_format_spec(spec_text);
      return make_text(heap_, format_number(heap_, value, spec));
    }
    throw Failure(fmt::format("unsupported format string passed to {}.__format__", type_name(value)));
  }

  Value format_text(const Value& value, const FormatSpec& spec) {
    if (spec.type != 0 && spec.type != 's') throw Failure("Unknown format code for object of type 'str'");
    if (spec.sign != 0) throw Failure("Sign not allowed in string format specifier");
    if (spec.alternate) throw Failure("Alternate form (#) not allowed in string format specifier");
    if (spec.align == '=') throw Failure("'=' alignment not allowed in string format specifier");
    if (spec.grouping != 0) throw Failure("Cannot specify groups with 's'");
    const std::size_t end = spec.precision < 0
                                ? value.as_text().size()
                                : byte_of_character(value.as_text(), static_cast<std::size_t>(spec.precision));
    const Value cut = part_of(value, 0, end);
    heap_.check_text(spec.width);
    const Padding padding =
        padding_for(count_characters(cut.as_text()), spec.width, spec.align != 0 ? spec.align : '<');
    const std::string fill = !spec.fill.empty() ? spec.fill : spec.zero ? "0" : " ";
    TextBuilder out(heap_);
    for (std::size_t i = 0; i < padding.before; ++i) out.append(fill);
    out.append(cut);
    for (std::size_t i = 0; i < padding.after; ++i) out.append(fill);
    return out.take();
  }

  enum class Numbering { kUnknown, kAutomatic, kManual };

  Evaluator& evaluator_;
  Heap& heap_;
  const Arguments& arguments_;
  const Value& names_;
  Numbering numbering_ = Numbering::kUnknown;
  std::size_t next_ = 0;
};

}  // namespace

Value brace_format(Evaluator& evaluator, const Value& format, const Arguments& arguments, const Value& names) {
  if (format.is_markup()) {
    // Markup escapes what is put into it.
    Arguments escaped;
    for (const Value& value : arguments.positional) escaped.positional.push_back(escape(evaluator.heap(), value));
    for (const auto& [name, value] : arguments.named) {
      escaped.named.emplace_back(name, escape(evaluator.heap(), value));
    }
    return BraceFormatter(evaluator, escaped, names).run(format.with_markup(false), 2).with_markup(true);
  }
  return BraceFormatter(evaluator, arguments, names).run(format, 2);
}

}  // namespace anneal::datasets::jinja
