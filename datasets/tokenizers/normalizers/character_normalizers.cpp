// The normalizers that look at one character at a time.

#include <algorithm>
#include <utility>

#include "datasets/tokenizers/normalizers/character_map.h"
#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/unicode/byte_alphabet.h"
#include "datasets/tokenizers/unicode/character_classes.h"

namespace anneal::datasets {
namespace {

class Lowercase : public Normalizer {
 public:
  bool leaves_alone(std::string_view text) const override {
    return is_ascii(text) && std::none_of(text.begin(), text.end(), [](char c) { return c >= 'A' && c <= 'Z'; });
  }
  void apply(PieceText& piece) const override { lower_case(piece); }
};

class StripAccents : public Normalizer {
 public:
  bool leaves_alone(std::string_view text) const override { return is_ascii(text); }
  void apply(PieceText& piece) const override {
    map_characters(piece, [](char32_t code, auto emit) {
      if (!is_mark(code)) emit(code);
    });
  }
};

// Removes and evens out what SentencePiece's "nmt" rules do.
class Nmt : public Normalizer {
 public:
  void apply(PieceText& piece) const override {
    map_characters(piece, [](char32_t code, auto emit) {
      if (!is_removed(code)) emit(is_blank(code) ? U' ' : code);
    });
  }

 private:
  static bool is_removed(char32_t code) {
    return (code >= 0x01 && code <= 0x08) || code == 0x0B || (code >= 0x0E && code <= 0x1F) || code == 0x7F ||
           code == 0x8F || code == 0x9F;
  }
  static bool is_blank(char32_t code) {
    return code == 0x09 || code == 0x0A || code == 0x0C || code == 0x0D || code == 0x1680 ||
           (code >= 0x200B && code <= 0x200F) || code == 0x2028 || code == 0x2029 || code == 0x2581 || code == 0xFEFF ||
           code == 0xFFFD;
  }
};

class Strip : public Normalizer {
 public:
  Strip(bool left, bool right) : left_(left), right_(right) {}
  void apply(PieceText& piece) const override {
    const std::string_view text = piece.text;
    std::size_t begin = 0;
    std::size_t end = text.size();
    while (left_ && begin < end && is_white_space(character_at(text, begin).code)) begin += character_size(text[begin]);
    while (right_ && end > begin) {
      const Character last = character_before(text, end);
      if (!is_white_space(last.code)) break;
      end -= last.size;
    }
    piece.origins.erase(piece.origins.begin() + static_cast<std::ptrdiff_t>(end), piece.origins.end());
    piece.origins.erase(piece.origins.begin(), piece.origins.begin() + static_cast<std::ptrdiff_t>(begin));
    piece.text = piece.text.substr(begin, end - begin);
  }

 private:
  bool left_;
  bool right_;
};

class Prepend : public Normalizer {
 public:
  explicit Prepend(std::string prefix) : prefix_(std::move(prefix)) {}
  bool leaves_alone(std::string_view text) const override { return text.empty(); }
  void apply(PieceText& piece) const override {
    if (!piece.text.empty()) prepend(piece, prefix_);
  }

 private:
  std::string prefix_;
};

class ByteAlphabet : public Normalizer {
 public:
  void apply(PieceText& piece) const override { spell_in_byte_alphabet(piece); }
};

}  // namespace

void lower_case(PieceText& piece) {
  map_characters(piece, [](char32_t code, auto emit) {
    emit(lower_case_of(code));
    if (code == 0x130) emit(0x307);
  });
}

void prepend(PieceText& piece, std::string_view prefix) {
  piece.text.insert(0, prefix);
  piece.origins.insert(piece.origins.begin(), prefix.size(), piece.origins.front());
}

void spell_in_byte_alphabet(PieceText& piece) {
  PieceText spelt;
  spelt.origin = piece.origin;
  for (std::size_t i = 0; i < piece.text.size(); ++i) spelt.append(character_of(piece.text[i]), piece.origins[i]);
  piece = std::move(spelt);
}

std::unique_ptr<Normalizer> make_lowercase() { return std::make_unique<Lowercase>(); }
std::unique_ptr<Normalizer> make_strip_accents() { return std::make_unique<StripAccents>(); }
std::unique_ptr<Normalizer> make_strip(bool left, bool right) { return std::make_unique<Strip>(left, right); }
std::unique_ptr<Normalizer> make_prepend(std::string prefix) { return std::make_unique<Prepend>(std::move(prefix)); }
std::unique_ptr<Normalizer> make_nmt() { return std::make_unique<Nmt>(); }
std::unique_ptr<Normalizer> make_byte_alphabet() { return std::make_unique<ByteAlphabet>(); }

}  // namespace anneal::datasets
