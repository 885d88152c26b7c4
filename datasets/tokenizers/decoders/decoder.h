#pragma once
// From the tokens' texts back to one text: "decoder" in tokenizer.json, as a chain of steps that texts flow through.
//
// A step passes on what has become certain as soon as it is, so that decoding a stream and decoding all at once are the
// same thing.

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::datasets {

// Takes a list of texts. A text may come in several parts, cut between characters.
class TextSink {
 public:
  virtual ~TextSink() = default;
  virtual void part(std::string_view text) = 0;
  virtual void end_of_text() = 0;
  virtual void end_of_list() = 0;
};

// One step's description. Unchanging; opened once per stream.
class DecoderStep {
 public:
  virtual ~DecoderStep() = default;
  // `next` outlives what is returned.
  virtual std::unique_ptr<TextSink> open(TextSink& next) const = 0;
};

using DecoderSteps = std::vector<std::unique_ptr<DecoderStep>>;

// Sequences are unrolled. A JSON null is the one step that puts blanks between the texts. Throws Error(kInput).
DecoderSteps read_decoder(const Json& description, const std::string& where);

// transformers' clean_up_tokenization_spaces, over the whole text.
std::unique_ptr<DecoderStep> make_clean_up();

// Each kind's own reader or maker, called by read_decoder() through its list.
std::unique_ptr<DecoderStep> make_byte_level_decoder();
std::unique_ptr<DecoderStep> make_byte_fallback_decoder();
std::unique_ptr<DecoderStep> make_fuse();
std::unique_ptr<DecoderStep> make_join_with_blanks();
std::unique_ptr<DecoderStep> make_strip_decoder(char32_t content, std::size_t start, std::size_t stop);
std::unique_ptr<DecoderStep> read_strip_decoder(const Json&, const std::string& where);
std::unique_ptr<DecoderStep> read_replace_decoder(const Json&, const std::string& where);
std::unique_ptr<DecoderStep> read_metaspace_decoder(const Json&, const std::string& where);
std::unique_ptr<DecoderStep> read_word_piece_decoder(const Json&, const std::string& where);
std::unique_ptr<DecoderStep> read_bpe_decoder(const Json&, const std::string& where);
std::unique_ptr<DecoderStep> read_ctc_decoder(const Json&, const std::string& where);

}  // namespace anneal::datasets
