// Filters for web pages. A chat template needs "safe" and "e" at most; those that need a browser's knowledge, or
// chance, are refused when they are reached.

#include <fmt/format.h>

#include "datasets/templates/jinja/builtins.h"
#include "datasets/templates/jinja/containers.h"
#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/iteration.h"
#include "datasets/templates/jinja/markup.h"
#include "datasets/templates/jinja/printing.h"
#include "datasets/templates/jinja/text_cut.h"

namespace anneal::datasets::jinja {
namespace {

Value safe(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "safe", {});
  return to_text(evaluator.heap(), subject).with_markup(true);
}

Value escape_text(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "escape", {});
  return escape(evaluator.heap(), subject);
}

Value force_escape(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "forceescape", {});
  return escape(evaluator.heap(), to_text(evaluator.heap(), subject));
}

Value xml_attributes(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "xmlattr", {"autospace"});
  Heap& heap = evaluator.heap();
  if (subject.is_undefined()) fail_undefined(subject);
  if (!subject.is(Kind::kDict)) throw Failure(fmt::format("'{}' object has no attribute 'items'", type_name(subject)));
  TextBuilder builder(heap);
  for (const auto& [key, value] : subject.as<DictBody>().entries()) {
    if (value.is_none() || value.is_undefined()) continue;
    if (!key.is_text()) throw Failure("expected string or bytes-like object");
    if (key.as_text().find_first_of(" \t\n\r\f\v/>=") != std::string_view::npos) {
      throw Failure("Invalid character in attribute name");
    }
    if (builder.size() > 0 || truth_or(bound[0], true)) builder.append(' ');
    builder.append(escape(heap, key));
    builder.append("=\"");
    builder.append(escape(heap, value));
    builder.append('"');
  }
  return builder.take();
}

bool is_unreserved(char c) {
  return (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '.' ||
         c == '-' || c == '~';
}

void append_quoted(TextBuilder& builder, Heap& heap, const Value& value, bool in_query) {
  for_each_stretch(to_text(heap, value), [&](std::string_view bytes, const Mark& mark) {
    for (const char& c : bytes) {
      if (is_unreserved(c) || (c == '/' && !in_query)) {
        builder.append(std::string_view(&c, 1), mark);
      } else if (c == ' ' && in_query) {
        builder.append("+", mark);
      } else {
        builder.append(fmt::format("%{:02X}", static_cast<unsigned char>(c)), mark);
      }
    }
  });
}

Value url_encode(Evaluator& evaluator, const Value& subject, const Arguments& arguments) {
  const Bound bound(arguments, "urlencode", {});
  Heap& heap = evaluator.heap();
  TextBuilder builder(heap);
  if (subject.is_text() || !can_iterate(subject)) {
    append_quoted(builder, heap, subject, false);
    return builder.take();
  }
  const auto append_pair = [&](const Value& key, const Value& value) {
    if (builder.size() > 0) builder.append('&');
    append_quoted(builder, heap, key, true);
    builder.append('=');
    append_quoted(builder, heap, value, true);
  };
  if (subject.is(Kind::kDict)) {
    for (const auto& [key, value] : subject.as<DictBody>().entries()) append_pair(key, value);
    return builder.take();
  }
  Iteration iteration(heap, subject);
  for (Value pair; iteration.next(pair);) {
    const std::vector<Value> parts = items_of(heap, pair);
    if (parts.size() != 2) throw Failure("urlencode needs pairs of a key and a value");
    append_pair(parts[0], parts[1]);
  }
  return builder.take();
}

Value not_offered(Evaluator&, const Value&, const Arguments&) {
  throw Failure("the filters pprint, random, striptags, urlize and wordwrap are not offered");
}

constexpr NamedBuiltin kFilters[] = {
    {"safe", safe},
    {"e", escape_text},
    {"escape", escape_text},
    {"forceescape", force_escape},
    {"xmlattr", xml_attributes},
    {"urlencode", url_encode},
    {"pprint", not_offered},
    {"random", not_offered},
    {"striptags", not_offered},
    {"urlize", not_offered},
    {"wordwrap", not_offered},
};

}  // namespace

std::span<const NamedBuiltin> markup_filters() { return kFilters; }

}  // namespace anneal::datasets::jinja
