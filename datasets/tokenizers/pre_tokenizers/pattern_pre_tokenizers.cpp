// Pre-tokenizers that cut where a pattern or a kind of character is found.

#include <utility>

#include "datasets/tokenizers/patterns/text_pattern.h"
#include "datasets/tokenizers/pre_tokenizers/delimiters.h"
#include "datasets/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "datasets/tokenizers/unicode/character_classes.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

class Split : public PreTokenizer {
 public:
  Split(TextPattern pattern, DelimiterBehavior behavior, bool invert)
      : pattern_(std::move(pattern)), behavior_(behavior), invert_(invert) {}

  void apply(AlignedText& text) const override {
    text.split([&](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
      DelimiterCuts delimiters(piece.size(), behavior_, invert_);
      pattern_.for_each_match(piece, [&](std::size_t begin, std::size_t end) { delimiters.add(begin, end); });
      delimiters.finish(cuts);
    });
  }

 private:
  TextPattern pattern_;
  DelimiterBehavior behavior_;
  bool invert_;
};

// Cuts at the characters of a class.
class CharacterSplit : public PreTokenizer {
 public:
  CharacterSplit(bool (*is_delimiter)(char32_t), DelimiterBehavior behavior)
      : is_delimiter_(is_delimiter), behavior_(behavior) {}
  void apply(AlignedText& text) const override { split_at_characters(text, behavior_, is_delimiter_); }

 private:
  bool (*is_delimiter_)(char32_t);
  DelimiterBehavior behavior_;
};

class CharDelimiterSplit : public PreTokenizer {
 public:
  explicit CharDelimiterSplit(char32_t delimiter) : delimiter_(delimiter) {}
  void apply(AlignedText& text) const override {
    split_at_characters(text, DelimiterBehavior::kRemoved, [&](char32_t code) { return code == delimiter_; });
  }

 private:
  char32_t delimiter_;
};

// Runs of word characters and runs of signs; blanks are dropped.
class Whitespace : public PreTokenizer {
 public:
  void apply(AlignedText& text) const override {
    text.split([](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
      Kind last = Kind::kBlank;
      for_each_character(piece, [&](char32_t code, std::size_t at, std::size_t size) {
        const Kind kind = kind_of(code);
        if (kind != Kind::kBlank) {
          if (kind != last) cuts.push_back({static_cast<uint32_t>(at), 0});
          cuts.back().end = static_cast<uint32_t>(at + size);
        }
        last = kind;
      });
    });
  }

 private:
  enum class Kind { kBlank, kWord, kSign };
  static Kind kind_of(char32_t code) {
    if (is_word_character(code)) return Kind::kWord;
    return is_white_space(code) ? Kind::kBlank : Kind::kSign;
  }
};

}  // namespace

std::unique_ptr<PreTokenizer> read_split(const Json& description, const std::string& where) {
  TextPattern pattern = TextPattern::read(value_or<Json>(description, "pattern", Json(), where), where);
  return std::make_unique<Split>(std::move(pattern),
                                 delimiter_behavior(require<std::string>(description, "behavior", where), where),
                                 require<bool>(description, "invert", where));
}

std::unique_ptr<PreTokenizer> read_digits(const Json& description, const std::string& where) {
  return std::make_unique<CharacterSplit>(is_numeric, require<bool>(description, "individual_digits", where)
                                                          ? DelimiterBehavior::kIsolated
                                                          : DelimiterBehavior::kContiguous);
}

std::unique_ptr<PreTokenizer> read_punctuation(const Json& description, const std::string& where) {
  const auto behavior = value_or<std::string>(description, "behavior", "Isolated", where);
  return std::make_unique<CharacterSplit>(is_punctuation, delimiter_behavior(behavior, where));
}

std::unique_ptr<PreTokenizer> read_char_delimiter_split(const Json& description, const std::string& where) {
  const auto delimiter = require<std::string>(description, "delimiter", where);
  if (delimiter.empty() || character_size(delimiter[0]) != delimiter.size()) {
    throw input_error("{}: \"delimiter\" is \"{}\", expected one character. Get another copy of the file.", where,
                      printable(delimiter));
  }
  return std::make_unique<CharDelimiterSplit>(character_at(delimiter, 0).code);
}

std::unique_ptr<PreTokenizer> make_whitespace() { return std::make_unique<Whitespace>(); }

std::unique_ptr<PreTokenizer> make_whitespace_split() {
  return std::make_unique<CharacterSplit>(is_white_space, DelimiterBehavior::kRemoved);
}

}  // namespace anneal::datasets
