// A SentencePiece model's own normalisation, applied to grapheme clusters as the reference does.

#include <utf8proc.h>

#include <optional>
#include <string>
#include <utility>

#include "datasets/tokenizers/normalizers/base64.h"
#include "datasets/tokenizers/normalizers/character_trie.h"
#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::size_t kLongestWholeCluster = 5;  // longer grapheme clusters are looked up character by character

class Precompiled : public Normalizer {
 public:
  explicit Precompiled(CharacterTrie map) : map_(std::move(map)) {}

  void apply(PieceText& piece) const override {
    PieceText result;
    result.origin = piece.origin;
    for (std::size_t at = 0; at < piece.text.size();) {
      const std::size_t size = cluster_size(piece.text, at);
      put_cluster(piece, at, size, result);
      at += size;
    }
    piece = std::move(result);
  }

 private:
  // Bytes of the grapheme cluster that begins at `at`.
  static std::size_t cluster_size(std::string_view text, std::size_t at) {
    utf8proc_int32_t state = 0;
    Character character = character_at(text, at);
    std::size_t end = at + character.size;
    while (end < text.size()) {
      const Character next = character_at(text, end);
      if (character.code < 0x80 && next.code < 0x80 && character.code != '\r') break;
      if (utf8proc_grapheme_break_stateful(static_cast<utf8proc_int32_t>(character.code),
                                           static_cast<utf8proc_int32_t>(next.code), &state)) {
        break;
      }
      end += next.size;
      character = next;
    }
    return end - at;
  }

  void put_cluster(const PieceText& piece, std::size_t at, std::size_t size, PieceText& result) const {
    const std::string_view text = piece.text;
    if (size <= kLongestWholeCluster) {
      if (const auto replacement = map_.find(text.substr(at, size))) return put(piece, at, size, *replacement, result);
    }
    for (const std::size_t end = at + size; at < end; at += character_size(text[at])) {
      const std::string_view character = text.substr(at, character_size(text[at]));
      put(piece, at, character.size(), map_.find(character).value_or(character), result);
    }
  }

  // Each new character comes from the old one at its place, those beyond from the last.
  static void put(const PieceText& piece, std::size_t at, std::size_t size, std::string_view replacement,
                  PieceText& result) {
    const std::size_t end = at + size;
    for_each_character(replacement, [&](char32_t code, std::size_t, std::size_t) {
      result.append(code, piece.origins[at]);
      const std::size_t next = at + character_size(piece.text[at]);
      if (next < end) at = next;
    });
    result.check_growth(piece.text.size());
  }

  CharacterTrie map_;
};

}  // namespace

std::unique_ptr<Normalizer> read_precompiled(const Json& description, const std::string& where) {
  const auto encoded = require<std::string>(description, "precompiled_charsmap", where);
  const std::optional<std::string> map = decode_base64(encoded);
  if (!map) {
    throw input_error("{}: \"precompiled_charsmap\" is no base64. Get another copy of the file.", where);
  }
  auto trie = CharacterTrie::read(*map);
  if (!trie) {
    throw input_error("{}: \"precompiled_charsmap\" is cut off or damaged. Get a complete copy of the file.", where);
  }
  return std::make_unique<Precompiled>(std::move(*trie));
}

}  // namespace anneal::datasets
