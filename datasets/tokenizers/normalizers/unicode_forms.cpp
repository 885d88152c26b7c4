// NFC, NFD, NFKC, NFKD with origins. The forms themselves are Unicode's (UAX 15); which character of the result stands
// for which of the source follows the reference library: the first of a decomposition replaces the source character,
// the others are insertions, and a composition swallows the characters behind it.

#include <utf8proc.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/normalizers/transform.h"
#include "datasets/tokenizers/unicode/character_tables.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

// Beyond it no character decomposes, composes or is a mark with a class, but for a few that go the slow way.
constexpr char32_t kInertLimit = 0x30000;

bool is_unknown_to_reference(char32_t code) {
  const auto boundaries = newer_than_normalization_boundaries();
  const auto behind = std::upper_bound(boundaries.begin(), boundaries.end(), static_cast<uint32_t>(code));
  return (behind - boundaries.begin()) % 2 == 1;
}

const utf8proc_property_t& property_of(char32_t code) {
  return *utf8proc_get_property(static_cast<utf8proc_int32_t>(code));
}

int combining_class_of(char32_t code) {
  const int combining_class = property_of(code).combining_class;
  return combining_class != 0 && is_unknown_to_reference(code) ? 0 : combining_class;
}

// A character with its part in the text's change, as Transform::put() takes it.
struct Change {
  char32_t code;
  int change;
  int combining_class;
};

void decompose(char32_t code, bool compatibility, std::vector<Change>& into) {
  utf8proc_int32_t parts[32];
  int boundary_class = 0;
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_DECOMPOSE | (compatibility ? UTF8PROC_COMPAT : 0));
  const utf8proc_ssize_t count =
      code < 0x80 || is_unknown_to_reference(code)
          ? 0
          : utf8proc_decompose_char(static_cast<utf8proc_int32_t>(code), parts, 32, options, &boundary_class);
  if (count <= 0 || count > 32) {
    into.push_back({code, 0, combining_class_of(code)});
    return;
  }
  for (utf8proc_ssize_t i = 0; i < count; ++i) {
    const auto part = static_cast<char32_t>(parts[i]);
    into.push_back({part, i == 0 ? 0 : 1, combining_class_of(part)});
  }
}

bool may_follow_in_composition(char32_t code) {
  const bool is_jamo = (code >= 0x1161 && code <= 0x1175) || (code >= 0x11A8 && code <= 0x11C2);
  const unsigned index = property_of(code).comb_index;
  return is_jamo || (index >= 0x8000 && index != UINT16_MAX);
}

std::optional<char32_t> compose(char32_t first, char32_t second) {
  if (!may_follow_in_composition(second)) return {};
  utf8proc_int32_t pair[3] = {static_cast<utf8proc_int32_t>(first), static_cast<utf8proc_int32_t>(second), 0};
  const auto options = static_cast<utf8proc_option_t>(UTF8PROC_COMPOSE | UTF8PROC_STABLE);
  if (utf8proc_normalize_utf32(pair, 2, options) != 1) return {};
  const auto composed = static_cast<char32_t>(pair[0]);
  if (is_unknown_to_reference(composed)) return {};
  return composed;
}

class UnicodeForm : public Normalizer {
 public:
  UnicodeForm(bool compatibility, bool composed)
      : compatibility_(compatibility), composed_(composed), inert_(kInertLimit) {
    for (char32_t code = 0; code < kInertLimit; ++code) inert_[code] = is_inert(code);
  }

  bool leaves_alone(std::string_view text) const override {
    for (std::size_t at = 0; at < text.size();) {
      if (static_cast<unsigned char>(text[at]) < 0x80) {
        ++at;
        continue;
      }
      const Character character = character_at(text, at);
      if (character.code >= kInertLimit || !inert_[character.code]) return false;
      at += character.size;
    }
    return true;
  }

  void apply(PieceText& piece) const override {
    std::vector<Change> changes = decomposed(piece.text);
    if (composed_) recompose(changes);
    Transform transform(piece);
    for (const Change& change : changes) transform.put(change.code, change.change);
    transform.finish();
  }

 private:
  // The same in every text, whatever stands around it.
  bool is_inert(char32_t code) const {
    if (code < 0x80) return true;
    const utf8proc_property_t& property = property_of(code);
    if (property.combining_class != 0 || (composed_ && may_follow_in_composition(code))) return false;
    const bool is_hangul_syllable = code >= 0xAC00 && code <= 0xD7A3;
    if (is_hangul_syllable) return composed_;
    if (property.decomp_seqindex == UINT16_MAX) return true;
    if (!compatibility_ && property.decomp_type != 0) return true;
    std::vector<Change> changes;
    decompose(code, compatibility_, changes);
    if (composed_) recompose(changes);
    return changes.size() == 1 && changes.front().code == code;
  }

  // Marks behind one another are in the order of their classes.
  std::vector<Change> decomposed(std::string_view text) const {
    std::vector<Change> changes;
    changes.reserve(text.size());
    for_each_character(text,
                       [&](char32_t code, std::size_t, std::size_t) { decompose(code, compatibility_, changes); });
    const auto by_class = [](const Change& a, const Change& b) { return a.combining_class < b.combining_class; };
    for (std::size_t begin = 0; begin < changes.size();) {
      std::size_t end = begin + 1;
      while (end < changes.size() && changes[end].combining_class != 0) ++end;
      // The run's first may be a mark itself, at the text's beginning.
      const std::size_t marks = changes[begin].combining_class == 0 ? begin + 1 : begin;
      std::stable_sort(changes.begin() + static_cast<std::ptrdiff_t>(marks),
                       changes.begin() + static_cast<std::ptrdiff_t>(end), by_class);
      begin = end;
    }
    return changes;
  }

  static void recompose(std::vector<Change>& changes) {
    std::size_t kept = 0;     // changes[0, kept) is the result so far
    std::size_t starter = 0;  // index in the result
    bool has_starter = false;
    int last_class = -1;  // of the last mark kept behind the starter; -1: none
    for (const Change change : changes) {
      if (has_starter && last_class < change.combining_class) {
        if (const auto composed = compose(changes[starter].code, change.code)) {
          changes[starter].code = *composed;
          changes[starter].change += change.change - 1;
          continue;
        }
      }
      if (change.combining_class == 0) {
        starter = kept;
        has_starter = true;
        last_class = -1;
      } else if (has_starter) {
        last_class = change.combining_class;
      }
      changes[kept++] = change;
    }
    changes.resize(kept);
  }

  bool compatibility_;
  bool composed_;
  std::vector<bool> inert_;
};

}  // namespace

std::unique_ptr<Normalizer> make_unicode_form(bool compatibility, bool composed) {
  return std::make_unique<UnicodeForm>(compatibility, composed);
}

}  // namespace anneal::datasets
