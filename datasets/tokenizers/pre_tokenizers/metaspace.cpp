// SentencePiece's way with blanks: each becomes a visible character that a word begins with.

#include <utility>

#include "datasets/tokenizers/normalizers/character_map.h"
#include "datasets/tokenizers/pre_tokenizers/delimiters.h"
#include "datasets/tokenizers/pre_tokenizers/metaspace.h"
#include "datasets/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

class Metaspace : public PreTokenizer {
 public:
  explicit Metaspace(MetaspaceOptions options)
      : options_(std::move(options)), replacement_code_(character_at(options_.replacement, 0).code) {}

  void apply(AlignedText& text) const override {
    text.rewrite(
        [&](std::string_view piece, const Piece& where) {
          return piece.find(' ') != std::string_view::npos || wants_prefix(piece, where.origin);
        },
        [&](PieceText& piece) {
          map_characters(piece, [&](char32_t code, auto emit) { emit(code == ' ' ? replacement_code_ : code); });
          if (wants_prefix(piece.text, piece.origin)) prepend(piece, options_.replacement);
        });
    if (!options_.split) return;
    split_at_characters(text, DelimiterBehavior::kMergedWithNext,
                        [&](char32_t code) { return code == replacement_code_; });
  }

 private:
  bool wants_prefix(std::string_view piece, uint32_t origin) const {
    if (options_.prepend == PrependScheme::kNever || piece.starts_with(' ') ||
        piece.starts_with(options_.replacement)) {
      return false;
    }
    return options_.prepend == PrependScheme::kAlways || origin == 0;
  }

  MetaspaceOptions options_;
  char32_t replacement_code_;
};

PrependScheme prepend_scheme(const std::string& name, const std::string& where) {
  if (name == "always") return PrependScheme::kAlways;
  if (name == "first") return PrependScheme::kFirst;
  if (name == "never") return PrependScheme::kNever;
  throw input_error("{}: the prepend_scheme \"{}\" is unknown. Get another copy of the file.", where, printable(name));
}

}  // namespace

MetaspaceOptions read_metaspace_options(const Json& description, const std::string& where) {
  MetaspaceOptions options;
  options.replacement = require<std::string>(description, "replacement", where);
  if (options.replacement.empty() || character_size(options.replacement[0]) != options.replacement.size()) {
    throw input_error("{}: \"replacement\" is \"{}\", expected one character. Get another copy of the file.", where,
                      printable(options.replacement));
  }
  // The older form has add_prefix_space; where both stand they must agree.
  const bool add_prefix_space = value_or<bool>(description, "add_prefix_space", true, where);
  const bool has_scheme = description.contains("prepend_scheme");
  options.prepend = prepend_scheme(value_or<std::string>(description, "prepend_scheme", "always", where), where);
  if (!add_prefix_space && has_scheme && options.prepend != PrependScheme::kNever) {
    throw input_error("{}: add_prefix_space is false, but prepend_scheme is not \"never\". Correct one of them.",
                      where);
  }
  if (!add_prefix_space) options.prepend = PrependScheme::kNever;
  options.split = value_or<bool>(description, "split", true, where);
  return options;
}

std::unique_ptr<PreTokenizer> read_metaspace(const Json& description, const std::string& where) {
  return std::make_unique<Metaspace>(read_metaspace_options(description, where));
}

}  // namespace anneal::datasets
