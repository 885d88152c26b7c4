#pragma once
// What we must know about a SentencePiece model file before and besides giving it to the library. The file is a
// protocol buffer; the library trusts parts of it, so those are checked here.

#include <string>
#include <string_view>
#include <vector>

namespace anneal::datasets {

struct SentencePieceFile {
  enum class PieceType { kNormal = 1, kUnknown = 2, kControl = 3, kUserDefined = 4, kUnused = 5, kByte = 6 };
  struct Piece {
    std::string text;
    float score = 0;
    PieceType type = PieceType::kNormal;
  };
  std::vector<Piece> pieces;
  bool add_dummy_prefix = true;
  bool remove_extra_whitespaces = true;
  bool escape_whitespaces = true;
  bool has_character_map = false;
  bool is_bpe = false;
  bool has_byte_fallback = false;
};

// Throws Error(kInput): "tokenizer.model: is cut off …".
SentencePieceFile read_sentencepiece_file(std::string_view bytes, const std::string& where);

// The file that says the same, without a map of characters. Bytes of pieces are kept as they are.
std::string write_sentencepiece_file(const SentencePieceFile& file);

// The same model, but without a blank put in front of each text.
std::string without_dummy_prefix(std::string_view bytes);

}  // namespace anneal::datasets
