#include "datasets/tokenizers/patterns/text_pattern.h"

#include "kernels/core/error.h"

namespace anneal::datasets {

TextPattern TextPattern::read(const Json& description, const std::string& where) {
  TextPattern pattern;
  if (description.is_object() && description.size() == 1 && description.contains("String")) {
    pattern.literal_ = require<std::string>(description, "String", where);
    // An empty text is found between all characters; the expression's rules for empty matches do that.
    if (pattern.literal_.empty()) pattern.expression_.emplace("", where);
    return pattern;
  }
  if (description.is_object() && description.size() == 1 && description.contains("Regex")) {
    pattern.expression_.emplace(require<std::string>(description, "Regex", where), where);
    return pattern;
  }
  throw input_error(
      "{}: \"pattern\" is {}, expected {{\"String\": …}} or {{\"Regex\": …}}. Get another copy of the file.", where,
      printable(to_text(description)));
}

void TextPattern::for_each_match(std::string_view text,
                                 const std::function<void(std::size_t, std::size_t)>& found) const {
  if (expression_) return expression_->for_each_match(text, found);
  for (std::size_t at = text.find(literal_); at != std::string_view::npos;
       at = text.find(literal_, at + literal_.size())) {
    found(at, at + literal_.size());
  }
}

}  // namespace anneal::datasets
