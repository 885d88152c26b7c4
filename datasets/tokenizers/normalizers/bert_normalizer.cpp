#include "datasets/tokenizers/normalizers/character_map.h"
#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/unicode/character_classes.h"

namespace anneal::datasets {
namespace {

struct BertOptions {
  bool clean_text;
  bool handle_chinese_chars;
  bool strip_accents;
  bool lowercase;
};

class BertNormalizer : public Normalizer {
 public:
  explicit BertNormalizer(const BertOptions& options)
      : options_(options), decomposed_(make_unicode_form(/*compatibility=*/false, /*composed=*/false)) {}

  void apply(PieceText& piece) const override {
    if (options_.clean_text) clean(piece);
    if (options_.handle_chinese_chars) set_apart_ideographs(piece);
    if (options_.strip_accents) strip_accents(piece);
    if (options_.lowercase) lower_case(piece);
  }

 private:
  static void clean(PieceText& piece) {
    map_characters(piece, [](char32_t code, auto emit) {
      if (code == 0 || code == 0xFFFD) return;
      const bool is_line_control = code == '\t' || code == '\n' || code == '\r';
      if (!is_line_control && is_other(code)) return;
      emit(is_white_space(code) ? U' ' : code);
    });
  }
  static void set_apart_ideographs(PieceText& piece) {
    map_characters(piece, [](char32_t code, auto emit) {
      const bool is_ideograph = is_cjk_ideograph(code);
      if (is_ideograph) emit(U' ');
      emit(code);
      if (is_ideograph) emit(U' ');
    });
  }
  void strip_accents(PieceText& piece) const {
    if (!decomposed_->leaves_alone(piece.text)) decomposed_->apply(piece);
    map_characters(piece, [](char32_t code, auto emit) {
      if (!is_nonspacing_mark(code)) emit(code);
    });
  }

  BertOptions options_;
  std::unique_ptr<Normalizer> decomposed_;
};

}  // namespace

std::unique_ptr<Normalizer> read_bert_normalizer(const Json& description, const std::string& where) {
  const bool lowercase = value_or<bool>(description, "lowercase", true, where);
  return std::make_unique<BertNormalizer>(
      BertOptions{.clean_text = value_or<bool>(description, "clean_text", true, where),
                  .handle_chinese_chars = value_or<bool>(description, "handle_chinese_chars", true, where),
                  .strip_accents = value_or<bool>(description, "strip_accents", lowercase, where),
                  .lowercase = lowercase});
}

}  // namespace anneal::datasets
