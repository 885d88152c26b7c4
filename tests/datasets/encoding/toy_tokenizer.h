#pragma once
// A tokenizer small enough to follow by hand: every byte is a token of its own number. With `glues_blanks` a blank and
// the byte behind it are one token, as in most real vocabularies; with `blank_in_front` every text gets a blank in
// front that was not there, as SentencePiece does.

#include <array>
#include <memory>
#include <string>
#include <string_view>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets::tests {

struct ToyOptions {
  bool adds_bos = false;
  bool has_end = true;
  bool glues_blanks = false;
  bool blank_in_front = false;
};

inline constexpr Token kBegin = 256;    // <s>
inline constexpr Token kEnd = 257;      // </s>
inline constexpr Token kTurn = 258;     // <|im_start|>
inline constexpr Token kTurnEnd = 259;  // <|im_end|>
inline constexpr Token kGlued = 300;    // 300 + byte: a blank and the byte
inline constexpr std::array<std::string_view, 4> kControls = {"<s>", "</s>", "<|im_start|>", "<|im_end|>"};

inline Token byte_token(char byte) { return static_cast<unsigned char>(byte); }
inline Token glued(char byte) { return kGlued + byte_token(byte); }

class ToyTokenizer : public Tokenizer {
 public:
  explicit ToyTokenizer(ToyOptions options = {}) : options_(options) {}

  Encoding encode(std::string_view text, const EncodeOptions& options) const override {
    Encoding encoding;
    const auto add = [&](Token id, std::size_t begin, std::size_t end) {
      encoding.ids.push_back(id);
      encoding.offsets.push_back({begin, end});
    };
    std::size_t at = 0;
    if (options_.blank_in_front && !text.empty()) {
      add(glued(text[0]), 0, 1);
      at = 1;
    }
    while (at < text.size()) {
      const std::size_t control =
          options.parse_special_tokens ? control_at(text, at, options.literal) : kControls.size();
      if (control < kControls.size()) {
        add(kBegin + static_cast<Token>(control), at, at + kControls[control].size());
      } else if (glues() && text[at] == ' ' && at + 1 < text.size() && text[at + 1] != ' ') {
        add(glued(text[at + 1]), at, at + 2);
      } else {
        add(byte_token(text[at]), at, at + 1);
      }
      at = encoding.offsets.back().end;
    }
    return encoding;
  }

  std::unique_ptr<TextStream> open_text(const DecodeOptions&) const override {
    return std::make_unique<Stream>(*this, options_.blank_in_front);
  }
  int64_t vocabulary_size() const override { return kGlued + 256; }
  std::optional<std::string> token_text(Token id) const override {
    if (id >= 0 && id < 256) return std::string(1, static_cast<char>(id));
    if (id >= kBegin && id < kBegin + 4) return std::string(kControls[static_cast<std::size_t>(id - kBegin)]);
    if (id >= kGlued && id < kGlued + 256) return std::string(" ") + static_cast<char>(id - kGlued);
    return std::nullopt;
  }
  std::optional<Token> id_of(std::string_view text) const override {
    for (Token id = 0; id < vocabulary_size(); ++id) {
      if (token_text(id) == text) return id;
    }
    return std::nullopt;
  }
  bool is_special(Token id) const override { return id >= kBegin && id < kBegin + 4; }
  std::optional<Token> bos() const override { return kBegin; }
  std::optional<Token> eos() const override { return options_.has_end ? std::optional(kEnd) : std::nullopt; }
  std::optional<Token> pad() const override { return eos(); }
  std::optional<Token> unknown() const override { return std::nullopt; }
  bool adds_bos() const override { return options_.adds_bos; }
  bool adds_eos() const override { return false; }
  const std::string& content_hash() const override { return hash_; }

 private:
  class Stream : public TextStream {
   public:
    Stream(const ToyTokenizer& tokenizer, bool drops_blank) : tokenizer_(tokenizer), drops_blank_(drops_blank) {}
    std::string append(Token id) override {
      std::string text = tokenizer_.token_text(id).value_or("");
      if (drops_blank_ && !tokenizer_.is_special(id)) {
        if (text.starts_with(' ')) text.erase(0, 1);
        drops_blank_ = false;
      }
      return text;
    }
    std::string flush() override { return {}; }

   private:
    const ToyTokenizer& tokenizer_;
    bool drops_blank_;
  };

  bool glues() const { return options_.glues_blanks || options_.blank_in_front; }
  static std::size_t control_at(std::string_view text, std::size_t at, std::span<const Span> literal) {
    for (std::size_t i = 0; i < kControls.size(); ++i) {
      if (!text.substr(at).starts_with(kControls[i])) continue;
      const Span whole{at, at + kControls[i].size()};
      bool is_literal = false;
      for (const Span& span : literal) is_literal = is_literal || span.overlaps(whole);
      if (!is_literal) return i;
    }
    return kControls.size();
  }

  ToyOptions options_;
  std::string hash_ = "toy";
};

// "ab" -> {97, 98}
inline std::vector<Token> bytes(std::string_view text) {
  std::vector<Token> ids;
  for (const char byte : text) ids.push_back(byte_token(byte));
  return ids;
}

inline std::vector<Token> joined(std::initializer_list<std::vector<Token>> parts) {
  std::vector<Token> ids;
  for (const std::vector<Token>& part : parts) ids.insert(ids.end(), part.begin(), part.end());
  return ids;
}

inline std::vector<Token> none(std::size_t count) { return std::vector<Token>(count, -100); }

}  // namespace anneal::datasets::tests
