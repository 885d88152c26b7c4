#pragma once
// Text to token ids and back, exactly as the model's own tokenizer files say.
//
// A Tokenizer owns everything it needs and never changes after it was made: any number of threads may encode and decode
// with one at the same time. Files are read by load_tokenizer() (datasets/tokenizers/loading.h) and by nothing else.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "datasets/span.h"

namespace anneal::datasets {

using Token = int32_t;

struct EncodeOptions {
  // Adds what the tokenizer's files put around a text: a begin or end token, or nothing.
  bool add_special_tokens = true;
  // Control tokens written out in the text ("<|im_end|>") become their one id. When false they stay ordinary text and
  // are cut into ordinary tokens, so that nobody can end a turn by typing its marker.
  bool parse_special_tokens = false;
  // With parse_special_tokens: byte ranges of the text, in order and apart, in which control tokens stay ordinary text
  // all the same. Those are the parts of a rendered chat that came from the data. Looked at during the call only.
  std::span<const Span> literal = {};
};

struct Encoding {
  std::vector<Token> ids;
  // One per id: the bytes of the given text that the token stands for, always whole characters, so the tokens of a
  // character that was cut into several all cover it. Empty for what add_special_tokens put there. A blank that a token
  // holds belongs to it. Between the first and the last token no byte is left out unless the normaliser or
  // pre-tokeniser removes it.
  std::vector<Span> offsets;
};

struct DecodeOptions {
  bool skip_special_tokens = false;
  // Takes out blanks before punctuation (" ." to "."). Unset: as tokenizer_config.json says
  // (clean_up_tokenization_spaces).
  std::optional<bool> clean_up = {};
};

// Ids in, text out, one at a time. Made by Tokenizer::open_text().
class TextStream {
 public:
  virtual ~TextStream() = default;
  // What has become certain: whole characters, and nothing that a later id could still change.
  virtual std::string append(Token id) = 0;
  // The rest; an incomplete character becomes U+FFFD. Nothing may be appended afterwards.
  virtual std::string flush() = 0;
};

class Tokenizer {
 public:
  virtual ~Tokenizer() = default;

  // The text is UTF-8; each byte that is not counts as U+FFFD, with its own place in the offsets.
  virtual Encoding encode(std::string_view text, const EncodeOptions& options = {}) const = 0;
  // False: there is no vocabulary, only ids, and encode() throws Error(kInput) with the reason (id_tokenizer.h).
  virtual bool reads_text() const { return true; }
  // Ids that stand for nothing (padding rows of the embedding table) are passed over.
  std::string decode(std::span<const Token> ids, const DecodeOptions& options = {}) const;
  // All appended pieces together are decode() of all ids. The tokenizer must outlive the stream.
  virtual std::unique_ptr<TextStream> open_text(const DecodeOptions& options = {}) const = 0;

  // One more than the largest id: the rows that an embedding table needs at least. There may be holes.
  virtual int64_t vocabulary_size() const = 0;
  // As it stands in the vocabulary ("Ġhello", "▁hello", "<0x0A>"); empty optional: no token has this id.
  virtual std::optional<std::string> token_text(Token id) const = 0;
  virtual std::optional<Token> id_of(std::string_view token_text) const = 0;
  // A control token: never made from ordinary text, left out by skip_special_tokens.
  virtual bool is_special(Token id) const = 0;

  virtual std::optional<Token> bos() const = 0;
  virtual std::optional<Token> eos() const = 0;
  virtual std::optional<Token> pad() const = 0;
  virtual std::optional<Token> unknown() const = 0;
  // What add_special_tokens does to a single text.
  virtual bool adds_bos() const = 0;
  virtual bool adds_eos() const = 0;

  // Changes whenever the files, or our reading of them, could give other ids. For caches.
  virtual const std::string& content_hash() const = 0;

 protected:
  Tokenizer() = default;
  Tokenizer(const Tokenizer&) = delete;
  Tokenizer& operator=(const Tokenizer&) = delete;
};

// Whole UTF-8 characters from a running model: append() returns what can be shown now.
class StreamDecoder {
 public:
  explicit StreamDecoder(const Tokenizer& tokenizer, const DecodeOptions& options = {})
      : stream_(tokenizer.open_text(options)) {}
  std::string append(Token id) { return stream_->append(id); }
  std::string flush() { return stream_->flush(); }

 private:
  std::unique_ptr<TextStream> stream_;
};

// All texts with the same options, in order, on `threads` threads (at least one is used). The first error is thrown.
std::vector<Encoding> encode_batch(const Tokenizer& tokenizer, std::span<const std::string> texts,
                                   const EncodeOptions& options, int threads);

// A chat that a template has rendered: control tokens are parsed outside `literal`, no end token is added, and a begin
// token is put in front only if the tokenizer wants one and the template has not written it already.
Encoding encode_rendered(const Tokenizer& tokenizer, std::string_view text, std::span<const Span> literal);

}  // namespace anneal::datasets
