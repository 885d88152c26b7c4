#include "datasets/templates/jinja/attribute_path.h"

#include <algorithm>

#include "datasets/templates/jinja/evaluator.h"
#include "datasets/templates/jinja/number_text.h"

namespace anneal::datasets::jinja {
namespace {

constexpr std::size_t kMostParts = 1000;

// Calls visit(part) for each part between the separators.
template <class Visit>
void for_each_between(const Value& text, char separator, Visit&& visit) {
  const std::string_view bytes = text.as_text();
  std::size_t parts = 0;
  for (std::size_t begin = 0; begin <= bytes.size();) {
    if (++parts > kMostParts) throw Failure("an attribute has too many parts");
    const std::size_t end = std::min(bytes.find(separator, begin), bytes.size());
    visit(part_of(text, begin, end));
    begin = end + 1;
  }
}

}  // namespace

AttributePath::AttributePath(const Value& attribute) {
  if (attribute.is_none()) return;
  if (!attribute.is_text()) {
    parts_.push_back(attribute);
    return;
  }
  for_each_between(attribute, '.', [&](const Value& part) {
    const std::string_view text = part.as_text();
    const bool is_number = !text.empty() && text.find_first_not_of("0123456789") == std::string_view::npos;
    const std::optional<Integer> number = is_number ? parse_integer(text, 10) : std::nullopt;
    parts_.push_back(number ? Value::integer(*number) : part);
  });
}

Value AttributePath::of(Evaluator& evaluator, const Value& item, const Value& fallback) const {
  Value value = item;
  for (const Value& part : parts_) {
    value = evaluator.item(value, part);
    if (value.is_undefined() && !fallback.is_missing()) value = fallback;
  }
  return value;
}

std::vector<AttributePath> AttributePath::list(const Value& attributes) {
  std::vector<AttributePath> paths;
  if (!attributes.is_text()) {
    paths.emplace_back(attributes);
  } else {
    for_each_between(attributes, ',', [&](const Value& part) { paths.emplace_back(part); });
  }
  return paths;
}

}  // namespace anneal::datasets::jinja
