#include "datasets/tokenizers/id_tokenizer.h"

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

class Numbers : public TextStream {
 public:
  std::string append(Token id) override { return fmt::format("[{}]", id); }
  std::string flush() override { return {}; }
};

class IdTokenizer : public Tokenizer {
 public:
  IdTokenizer(int64_t vocabulary_size, std::string why)
      : vocabulary_size_(vocabulary_size), why_(std::move(why)), content_hash_("ids only") {}

  Encoding encode(std::string_view, const EncodeOptions&) const override { throw input_error("{}", why_); }
  bool reads_text() const override { return false; }
  std::unique_ptr<TextStream> open_text(const DecodeOptions&) const override { return std::make_unique<Numbers>(); }
  int64_t vocabulary_size() const override { return vocabulary_size_; }
  std::optional<std::string> token_text(Token) const override { return std::nullopt; }
  std::optional<Token> id_of(std::string_view) const override { return std::nullopt; }
  bool is_special(Token) const override { return false; }
  std::optional<Token> bos() const override { return std::nullopt; }
  std::optional<Token> eos() const override { return std::nullopt; }
  std::optional<Token> pad() const override { return std::nullopt; }
  std::optional<Token> unknown() const override { return std::nullopt; }
  bool adds_bos() const override { return false; }
  bool adds_eos() const override { return false; }
  const std::string& content_hash() const override { return content_hash_; }

 private:
  int64_t vocabulary_size_;
  std::string why_;
  std::string content_hash_;
};

}  // namespace

std::unique_ptr<Tokenizer> make_id_tokenizer(int64_t vocabulary_size, std::string why) {
  return std::make_unique<IdTokenizer>(vocabulary_size, std::move(why));
}

}  // namespace anneal::datasets
