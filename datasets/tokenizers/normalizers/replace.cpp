#include <utility>

#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/patterns/text_pattern.h"

namespace anneal::datasets {
namespace {

class Replace : public Normalizer {
 public:
  Replace(TextPattern pattern, std::string content) : pattern_(std::move(pattern)), content_(std::move(content)) {}

  void apply(PieceText& piece) const override {
    PieceText result;
    result.origin = piece.origin;
    std::size_t copied = 0;
    const auto copy_until = [&](std::size_t end) {
      result.text.append(piece.text, copied, end - copied);
      result.origins.insert(result.origins.end(), piece.origins.begin() + static_cast<std::ptrdiff_t>(copied),
                            piece.origins.begin() + static_cast<std::ptrdiff_t>(end));
      copied = end;
    };
    pattern_.for_each_match(piece.text, [&](std::size_t begin, std::size_t end) {
      copy_until(begin);
      // The new text comes from the last character that it replaces.
      result.append(content_, end > 0 ? piece.origins[end - 1] : Origin{piece.origin, piece.origin});
      result.check_growth(piece.text.size());
      copied = end;
    });
    if (copied == 0 && result.text.empty()) return;
    copy_until(piece.text.size());
    piece = std::move(result);
  }

 private:
  TextPattern pattern_;
  std::string content_;
};

}  // namespace

std::unique_ptr<Normalizer> read_replace(const Json& description, const std::string& where) {
  TextPattern pattern = TextPattern::read(value_or<Json>(description, "pattern", Json(), where), where);
  return std::make_unique<Replace>(std::move(pattern), require<std::string>(description, "content", where));
}

}  // namespace anneal::datasets
