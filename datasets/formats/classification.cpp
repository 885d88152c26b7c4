// {"text", "label"}: a text and its class, or its classes. Numbers stay as they are written.

#include "datasets/formats/format_list.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

std::string read_label(const Json& value) {
  if (std::optional<std::string> text = as_text(value)) return *std::move(text);
  if (value.is_boolean()) return value.get<bool>() ? "true" : "false";
  throw BadRow(fmt::format("the label is {}, expected a name or a number", printable(to_text(value))));
}

RowContent read(const RowFields& fields) {
  Classification row;
  row.text = fields.text("text");
  const Json& label = fields.value("label");
  if (label.is_array()) {
    for (const Json& one : label) row.labels.push_back(read_label(one));
  } else {
    row.labels.push_back(read_label(label));
  }
  return row;
}

}  // namespace

const Format& classification_format() {
  static const Format kFormat = {
      "classification",
      "a text and its class",
      {{"text", {"text", "sentence"}}, {"label", {"label", "labels", "category", "class", "intent"}, Holds::kAnything}},
      &read};
  return kFormat;
}

}  // namespace anneal::datasets
