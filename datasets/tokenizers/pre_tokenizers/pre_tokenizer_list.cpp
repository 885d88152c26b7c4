// The kinds of "pre_tokenizer" in tokenizer.json.

#include <iterator>
#include <utility>

#include "datasets/tokenizers/normalizers/character_map.h"
#include "datasets/tokenizers/patterns/regular_expression.h"
#include "datasets/tokenizers/pre_tokenizers/delimiters.h"
#include "datasets/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "datasets/tokenizers/read_kind.h"
#include "datasets/tokenizers/unicode/character_classes.h"

namespace anneal::datasets {
namespace {

constexpr const char* kGpt2Words = R"('s|'t|'re|'ve|'m|'ll|'d| ?\p{L}+| ?\p{N}+| ?[^\s\p{L}\p{N}]+|\s+(?!\S)|\s+)";

class ByteLevelWords : public PreTokenizer {
 public:
  ByteLevelWords(bool add_prefix_space, bool use_regex, const std::string& where)
      : add_prefix_space_(add_prefix_space) {
    if (use_regex) words_ = std::make_unique<RegularExpression>(kGpt2Words, where);
  }

  void apply(AlignedText& text) const override {
    if (add_prefix_space_) {
      text.rewrite([](std::string_view piece, const Piece&) { return !piece.starts_with(' '); },
                   [](PieceText& piece) { prepend(piece, " "); });
    }
    if (!words_) return;
    text.split([&](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
      DelimiterCuts words(piece.size(), DelimiterBehavior::kIsolated);
      words_->for_each_match(piece, [&](std::size_t begin, std::size_t end) { words.add(begin, end); });
      words.finish(cuts);
    });
  }

 private:
  bool add_prefix_space_;
  std::unique_ptr<RegularExpression> words_;
};

class ByteAlphabetStep : public PreTokenizer {
 public:
  void apply(AlignedText& text) const override {
    text.rewrite([](std::string_view, const Piece&) { return true; }, spell_in_byte_alphabet);
  }
};

// Cuts where the script changes. Blanks fit to every script; what comes before the first other character is dropped, as
// the reference does.
class UnicodeScripts : public PreTokenizer {
 public:
  void apply(AlignedText& text) const override {
    text.split([](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
      uint32_t last = 0;
      for_each_character(piece, [&](char32_t code, std::size_t at, std::size_t) {
        const uint32_t script = code == ' ' ? 0 : script_of(code);
        if (script == 0 || script == last) return;
        if (!cuts.empty()) cuts.back().end = static_cast<uint32_t>(at);
        cuts.push_back({static_cast<uint32_t>(at), static_cast<uint32_t>(piece.size())});
        last = script;
      });
    });
  }
};

class FixedLength : public PreTokenizer {
 public:
  explicit FixedLength(std::size_t length) : length_(length) {}
  void apply(AlignedText& text) const override {
    text.split([&](std::string_view piece, const Piece&, std::vector<Cut>& cuts) {
      std::size_t count = 0;
      for_each_character(piece, [&](char32_t, std::size_t at, std::size_t size) {
        if (count++ % length_ == 0) cuts.push_back({static_cast<uint32_t>(at), 0});
        cuts.back().end = static_cast<uint32_t>(at + size);
      });
    });
  }

 private:
  std::size_t length_;
};

using Reader = std::unique_ptr<PreTokenizer> (*)(const Json&, const std::string&);

template <std::unique_ptr<PreTokenizer> (*kMake)()>
std::unique_ptr<PreTokenizer> plain(const Json&, const std::string&) {
  return kMake();
}

void read_steps(const Json& description, const std::string& where, PreTokenization& into);

void read_byte_level(const Json& description, const std::string& where, PreTokenization& into) {
  into.steps.push_back(make_byte_level_words(value_or<bool>(description, "add_prefix_space", true, where),
                                             value_or<bool>(description, "use_regex", true, where), where));
  into.steps.push_back(make_byte_alphabet_step());
}

void read_steps(const Json& description, const std::string& where, PreTokenization& into) {
  if (description.is_null()) return;
  const auto type = require<std::string>(description, "type", where);
  if (type == "Sequence") {
    for_each_member(description, "pretokenizers", where,
                    [&](const Json& step, const std::string& step_where) { read_steps(step, step_where, into); });
    return;
  }
  if (type == "ByteLevel") return read_byte_level(description, where, into);
  if (type == "BertPreTokenizer") {
    into.steps.push_back(make_whitespace_split());
    into.steps.push_back(read_punctuation(Json::object(), where));
    return;
  }
  static const KindList<PreTokenizer> kinds = {
      {"CharDelimiterSplit", read_char_delimiter_split},
      {"Digits", read_digits},
      {"FixedLength", read_fixed_length},
      {"Metaspace", read_metaspace},
      {"Punctuation", read_punctuation},
      {"Split", read_split},
      {"UnicodeScripts", plain<make_unicode_scripts>},
      {"Whitespace", plain<make_whitespace>},
      {"WhitespaceSplit", plain<make_whitespace_split>},
  };
  into.steps.push_back(read_kind(kinds, description, where));
}

}  // namespace

std::unique_ptr<PreTokenizer> make_byte_level_words(bool add_prefix_space, bool use_regex, const std::string& where) {
  return std::make_unique<ByteLevelWords>(add_prefix_space, use_regex, where);
}
std::unique_ptr<PreTokenizer> make_byte_alphabet_step() { return std::make_unique<ByteAlphabetStep>(); }
std::unique_ptr<PreTokenizer> make_unicode_scripts() { return std::make_unique<UnicodeScripts>(); }

std::unique_ptr<PreTokenizer> read_fixed_length(const Json& description, const std::string& where) {
  const auto length = value_or<int64_t>(description, "length", 5, where);
  if (length < 1)
    throw input_error("{}: \"length\" is {}, expected 1 or more. Get another copy of the file.", where, length);
  return std::make_unique<FixedLength>(static_cast<std::size_t>(length));
}

PreTokenization read_pre_tokenizer(const Json& description, const std::string& where) {
  PreTokenization result;
  read_steps(description, where, result);
  if (!result.steps.empty() && dynamic_cast<const ByteAlphabetStep*>(result.steps.back().get()) != nullptr) {
    result.steps.pop_back();
    result.ends_in_byte_alphabet = true;
  }
  return result;
}

}  // namespace anneal::datasets
