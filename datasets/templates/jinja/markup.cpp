#include "datasets/templates/jinja/markup.h"

#include "datasets/templates/jinja/printing.h"

namespace anneal::datasets::jinja {

Value escape(Heap& heap, const Value& value) {
  if (value.is_text() && value.is_markup()) return value;
  const Value text = to_text(heap, value);
  if (text.as_text().find_first_of("&<>'\"") == std::string_view::npos) return text.with_markup(true);
  TextBuilder builder(heap);
  for_each_stretch(text, [&](std::string_view bytes, const Mark& mark) {
    for (const char& c : bytes) {
      switch (c) {
        case '&':
          builder.append("&amp;", mark);
          break;
        case '<':
          builder.append("&lt;", mark);
          break;
        case '>':
          builder.append("&gt;", mark);
          break;
        case '\'':
          builder.append("&#39;", mark);
          break;
        case '"':
          builder.append("&#34;", mark);
          break;
        default:
          builder.append(std::string_view(&c, 1), mark);
      }
    }
  });
  return builder.take().with_markup(true);
}

}  // namespace anneal::datasets::jinja
