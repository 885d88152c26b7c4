#pragma once
// The text on its way to tokens: cut into pieces and rewritten, with each byte knowing where it came from.
//
// The pieces lie one behind the other in one buffer. As long as nothing was rewritten the buffer is the caller's text
// and no origins are stored. Belongs to one call of encode(), and so to one thread.

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/span.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

// Bytes of the caller's text: the characters that a byte of the rewritten text stands for.
struct Origin {
  uint32_t begin;
  uint32_t end;
};

inline constexpr Token kNoToken = -1;

struct Piece {
  uint32_t begin;  // in the buffer
  uint32_t end;
  uint32_t origin;         // where it begins in the caller's text
  Token token = kNoToken;  // set: the piece is this added token and is left alone
};

// A part of a piece, in bytes from its begin; what no cut covers is dropped.
struct Cut {
  uint32_t begin;
  uint32_t end;
  Token token = kNoToken;
};

// One piece while it is rewritten.
struct PieceText {
  std::string text;
  std::vector<Origin> origins;  // one per byte of text
  uint32_t origin = 0;

  void append(char32_t code, Origin from);
  void append(std::string_view more, Origin from);
  // Throws Error(kInput) when the text has become absurdly longer than it was.
  void check_growth(std::size_t original_size) const;
};

class AlignedText {
 public:
  // Bytes that are not UTF-8 are replaced by U+FFFD, one each. Looks at `original` for as long as it lives.
  // Throws Error(kInput) for a text of more than 256 MiB.
  explicit AlignedText(std::string_view original);
  AlignedText(const AlignedText&) = delete;  // views of itself
  AlignedText& operator=(const AlignedText&) = delete;

  const std::vector<Piece>& pieces() const { return pieces_; }
  std::string_view text(const Piece& piece) const { return text_.substr(piece.begin, piece.end - piece.begin); }
  // The caller's bytes behind a part of the buffer.
  Span original(std::size_t begin, std::size_t end) const;

  // cut(text, piece, cuts) fills `cuts` for each piece that is no token yet.
  template <class Cutter>
  void split(Cutter cut);
  // edit(piece_text) changes the text of each piece that is no token yet and for which wanted(text, piece) holds.
  // A piece that becomes empty is dropped.
  template <class Wanted, class Edit>
  void rewrite(Wanted wanted, Edit edit);

 private:
  Origin origin_at(std::size_t byte) const;
  void load(const Piece& piece, PieceText& into) const;
  void repair(std::string_view original);

  std::string_view text_;
  std::string storage_;          // holds text_ once anything was rewritten
  std::vector<Origin> origins_;  // empty: the buffer is the caller's text
  std::vector<Piece> pieces_;
};

template <class Cutter>
void AlignedText::split(Cutter cut) {
  std::vector<Piece> result;
  std::vector<Cut> cuts;
  for (const Piece& piece : pieces_) {
    if (piece.token != kNoToken) {
      result.push_back(piece);
      continue;
    }
    cuts.clear();
    cut(text(piece), piece, cuts);
    for (const Cut& part : cuts) {
      if (part.begin == part.end) continue;
      const uint32_t begin = piece.begin + part.begin;
      result.push_back({begin, piece.begin + part.end, origin_at(begin).begin, part.token});
    }
  }
  pieces_ = std::move(result);
}

template <class Wanted, class Edit>
void AlignedText::rewrite(Wanted wanted, Edit edit) {
  bool any = false;
  for (const Piece& piece : pieces_) any = any || (piece.token == kNoToken && wanted(text(piece), piece));
  if (!any) return;

  PieceText all;
  PieceText one;
  std::vector<Piece> result;
  for (const Piece& piece : pieces_) {
    load(piece, one);
    if (piece.token == kNoToken && wanted(text(piece), piece)) {
      edit(one);
      one.check_growth(piece.end - piece.begin);
      if (one.text.empty()) continue;
    }
    const auto begin = static_cast<uint32_t>(all.text.size());
    all.text += one.text;
    all.origins.insert(all.origins.end(), one.origins.begin(), one.origins.end());
    result.push_back({begin, static_cast<uint32_t>(all.text.size()), piece.origin, piece.token});
  }
  storage_ = std::move(all.text);
  origins_ = std::move(all.origins);
  text_ = storage_;
  pieces_ = std::move(result);
}

}  // namespace anneal::datasets
