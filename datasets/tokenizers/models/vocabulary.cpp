#include "datasets/tokenizers/models/vocabulary.h"

#include <algorithm>
#include <bit>

#include "datasets/tokenizers/models/text_hash.h"
#include "kernels/core/error.h"

namespace anneal::datasets {

Vocabulary Vocabulary::read(const Json& description, const std::string& where) {
  if (!description.is_object())
    throw input_error("{}: \"vocab\" is no object. Get a complete copy of the file.", where);
  Vocabulary vocabulary;
  std::size_t bytes = 0;
  int64_t largest = -1;
  for (const auto& [text, id] : description.items()) {
    if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= kMostTokens) {
      throw input_error(
          "{}: the id of \"{}\" is {}, expected a whole number from 0 to {}. Get another copy of the file.", where,
          printable(text), printable(to_text(id)), kMostTokens - 1);
    }
    largest = std::max(largest, id.get<int64_t>());
    bytes += text.size();
  }
  vocabulary.slots_.resize(static_cast<std::size_t>(largest + 1));
  vocabulary.texts_.reserve(bytes);
  for (const auto& [text, id] : description.items()) {
    const auto token = id.get<Token>();
    if (const auto other = vocabulary.text(token)) {
      throw input_error("{}: \"{}\" and \"{}\" both have the id {}. Get another copy of the file.", where,
                        printable(*other), printable(text), token);
    }
    vocabulary.put(token, text);
  }
  vocabulary.index();
  return vocabulary;
}

Vocabulary Vocabulary::of_list(const std::vector<std::string>& texts) {
  Vocabulary vocabulary;
  vocabulary.slots_.resize(texts.size());
  for (std::size_t i = 0; i < texts.size(); ++i) vocabulary.put(static_cast<Token>(i), texts[i]);
  vocabulary.index();
  return vocabulary;
}

void Vocabulary::put(Token id, std::string_view text) {
  slots_[static_cast<std::size_t>(id)] = {static_cast<uint32_t>(texts_.size()), static_cast<uint32_t>(text.size())};
  texts_ += text;
}

void Vocabulary::index() {
  table_.assign(std::bit_ceil(slots_.size() * 2 + 2), -1);
  const std::size_t mask = table_.size() - 1;
  for (std::size_t id = 0; id < slots_.size(); ++id) {
    if (slots_[id].size == kHole) continue;
    const std::string_view text = text_of(slots_[id]);
    std::size_t at = hash_text(text) & mask;
    while (table_[at] >= 0 && text_of(slots_[static_cast<std::size_t>(table_[at])]) != text) at = (at + 1) & mask;
    if (table_[at] < 0) ++count_;
    table_[at] = static_cast<Token>(id);
  }
}

std::optional<Token> Vocabulary::find(std::string_view text) const {
  if (table_.empty()) return {};
  const std::size_t mask = table_.size() - 1;
  for (std::size_t at = hash_text(text) & mask; table_[at] >= 0; at = (at + 1) & mask) {
    if (text_of(slots_[static_cast<std::size_t>(table_[at])]) == text) return table_[at];
  }
  return {};
}

std::optional<std::string_view> Vocabulary::text(Token id) const {
  if (id < 0 || id >= end() || slots_[static_cast<std::size_t>(id)].size == kHole) return {};
  return text_of(slots_[static_cast<std::size_t>(id)]);
}

}  // namespace anneal::datasets
