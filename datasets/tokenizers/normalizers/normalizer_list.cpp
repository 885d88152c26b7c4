// The kinds of "normalizer" in tokenizer.json.

#include <functional>
#include <utility>
#include <vector>

#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/read_kind.h"

namespace anneal::datasets {
namespace {

class Sequence : public Normalizer {
 public:
  explicit Sequence(std::vector<std::unique_ptr<Normalizer>> steps) : steps_(std::move(steps)) {}

  bool leaves_alone(std::string_view text) const override {
    for (const auto& step : steps_) {
      if (!step->leaves_alone(text)) return false;
    }
    return true;
  }
  void apply(PieceText& piece) const override {
    for (const auto& step : steps_) {
      if (!step->leaves_alone(piece.text)) step->apply(piece);
    }
  }

 private:
  std::vector<std::unique_ptr<Normalizer>> steps_;
};

std::unique_ptr<Normalizer> read_sequence(const Json& description, const std::string& where) {
  std::vector<std::unique_ptr<Normalizer>> steps;
  for_each_member(description, "normalizers", where, [&](const Json& step, const std::string& step_where) {
    if (auto normalizer = read_normalizer(step, step_where)) steps.push_back(std::move(normalizer));
  });
  return std::make_unique<Sequence>(std::move(steps));
}

std::unique_ptr<Normalizer> read_strip(const Json& description, const std::string& where) {
  return make_strip(value_or<bool>(description, "strip_left", true, where),
                    value_or<bool>(description, "strip_right", true, where));
}

std::unique_ptr<Normalizer> read_prepend(const Json& description, const std::string& where) {
  return make_prepend(require<std::string>(description, "prepend", where));
}

// A kind without options.
template <class Make>
auto plain(Make make) {
  return [make](const Json&, const std::string&) { return make(); };
}

}  // namespace

std::unique_ptr<Normalizer> read_normalizer(const Json& description, const std::string& where) {
  static const KindList<Normalizer> kinds = {
      {"BertNormalizer", read_bert_normalizer},
      {"ByteLevel", plain(make_byte_alphabet)},
      {"Lowercase", plain(make_lowercase)},
      {"NFC", plain([] { return make_unicode_form(false, true); })},
      {"NFD", plain([] { return make_unicode_form(false, false); })},
      {"NFKC", plain([] { return make_unicode_form(true, true); })},
      {"NFKD", plain([] { return make_unicode_form(true, false); })},
      {"Nmt", plain(make_nmt)},
      {"Precompiled", read_precompiled},
      {"Prepend", read_prepend},
      {"Replace", read_replace},
      {"Sequence", read_sequence},
      {"Strip", read_strip},
      {"StripAccents", plain(make_strip_accents)},
  };
  return read_kind(kinds, description, where);
}

}  // namespace anneal::datasets
