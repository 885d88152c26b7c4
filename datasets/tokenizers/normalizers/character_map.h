#pragma once
// Edits of a piece in which each new character comes from one old one.

#include <string_view>
#include <utility>

#include "datasets/tokenizers/aligned_text.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {

// map(code, emit) calls emit(new_code) any number of times.
template <class Map>
void map_characters(PieceText& piece, Map map) {
  PieceText mapped;
  mapped.origin = piece.origin;
  for_each_character(piece.text, [&](char32_t code, std::size_t at, std::size_t) {
    map(code, [&](char32_t result) { mapped.append(result, piece.origins[at]); });
  });
  piece = std::move(mapped);
}

void lower_case(PieceText& piece);
// The prefix comes from the piece's first character; the piece is not empty.
void prepend(PieceText& piece, std::string_view prefix);
void spell_in_byte_alphabet(PieceText& piece);

}  // namespace anneal::datasets
