#include "datasets/tokenizers/sentencepiece/safe_cuts.h"

#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

constexpr char32_t kBlankMark = 0x2581;  // what a blank is in pieces

uint64_t pair_of(char32_t first, char32_t second) { return (static_cast<uint64_t>(first) << 32) | second; }

// visit(first, second, at) for each two neighbours; the second begins at `at`.
template <class Visit>
void for_each_pair(std::string_view text, Visit visit) {
  char32_t previous = 0;
  for_each_character(text, [&](char32_t code, std::size_t at, std::size_t) {
    const char32_t seen = code == ' ' ? kBlankMark : code;
    if (at > 0) visit(previous, seen, at);
    previous = seen;
  });
}

}  // namespace

bool SafeCuts::are_known_for(const SentencePieceFile& file) {
  return file.is_bpe && file.has_byte_fallback && file.escape_whitespaces && !file.remove_extra_whitespaces &&
         !file.has_character_map;
}

SafeCuts::SafeCuts(const SentencePieceFile& file) {
  for (const SentencePieceFile::Piece& piece : file.pieces) {
    for_each_pair(piece.text,
                  [&](char32_t first, char32_t second, std::size_t) { neighbours_.insert(pair_of(first, second)); });
  }
}

void SafeCuts::find(std::string_view text, std::vector<uint32_t>& ends) const {
  for_each_pair(text, [&](char32_t first, char32_t second, std::size_t at) {
    if (!neighbours_.contains(pair_of(first, second))) ends.push_back(static_cast<uint32_t>(at));
  });
  ends.push_back(static_cast<uint32_t>(text.size()));
}

}  // namespace anneal::datasets
