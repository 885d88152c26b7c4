// {"text"}: one document per row, learned as a whole.

#include "datasets/formats/format_list.h"

namespace anneal::datasets {

const Format& text_format() {
  static const Format kFormat = {"text",
                                 "one text per row",
                                 {{"text", {"text", "content", "document"}}},
                                 [](const RowFields& fields) -> RowContent { return Document{fields.text("text")}; }};
  return kFormat;
}

}  // namespace anneal::datasets
