#include "datasets/tokenizers/aligned_text.h"

#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::size_t kLongestText = std::size_t{256} << 20;
constexpr std::size_t kLargestGrowth = 64;  // NFKC makes at most 33 bytes of 3, a byte alphabet at most 2 of 1
constexpr std::size_t kFreeGrowth = std::size_t{1} << 16;

}  // namespace

void PieceText::append(char32_t code, Origin from) {
  append_character(text, code);
  origins.resize(text.size(), from);
}

void PieceText::append(std::string_view more, Origin from) {
  text += more;
  origins.resize(text.size(), from);
}

void PieceText::check_growth(std::size_t original_size) const {
  if (text.size() <= kLargestGrowth * original_size + kFreeGrowth) return;
  throw input_error(
      "The tokenizer's normalizer makes more than {} bytes of a text of {}. The tokenizer file is damaged or hostile; "
      "get "
      "another copy.",
      text.size(), original_size);
}

AlignedText::AlignedText(std::string_view original) : text_(original) {
  if (original.size() > kLongestText) {
    throw input_error("A text of {} bytes is too long for one piece (limit {}). Split it into smaller documents.",
                      original.size(), kLongestText);
  }
  if (!is_valid_utf8(original)) repair(original);
  if (!text_.empty()) pieces_.push_back({0, static_cast<uint32_t>(text_.size()), 0, kNoToken});
}

void AlignedText::repair(std::string_view original) {
  PieceText repaired;
  for (std::size_t at = 0; at < original.size();) {
    const std::size_t whole = utf8_start(original, at).size;
    const std::size_t size = whole == 0 ? 1 : whole;
    repaired.append(whole == 0 ? kReplacementCharacter : original.substr(at, size),
                    {static_cast<uint32_t>(at), static_cast<uint32_t>(at + size)});
    at += size;
  }
  storage_ = std::move(repaired.text);
  origins_ = std::move(repaired.origins);
  text_ = storage_;
}

Origin AlignedText::origin_at(std::size_t byte) const {
  if (!origins_.empty()) return origins_[byte];
  std::size_t begin = byte;
  while (begin > 0 && is_continuation(text_[begin])) --begin;
  return {static_cast<uint32_t>(begin), static_cast<uint32_t>(begin + character_size(text_[begin]))};
}

Span AlignedText::original(std::size_t begin, std::size_t end) const {
  if (begin == end) return {origin_at(begin).begin, origin_at(begin).begin};
  return {origin_at(begin).begin, origin_at(end - 1).end};
}

void AlignedText::load(const Piece& piece, PieceText& into) const {
  into.text = text(piece);
  into.origin = piece.origin;
  if (!origins_.empty()) {
    into.origins.assign(origins_.begin() + piece.begin, origins_.begin() + piece.end);
    return;
  }
  into.origins.clear();
  for_each_character(into.text, [&](char32_t, std::size_t at, std::size_t size) {
    const auto begin = static_cast<uint32_t>(piece.begin + at);
    into.origins.insert(into.origins.end(), size, Origin{begin, static_cast<uint32_t>(begin + size)});
  });
}

}  // namespace anneal::datasets
