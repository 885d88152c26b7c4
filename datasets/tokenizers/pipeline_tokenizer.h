#pragma once
// The tokenizer that tokenizer.json describes: added tokens, normalizer, pre-tokenizer, model, post-processor, decoder.

#include <memory>
#include <string>
#include <vector>

#include "datasets/tokenizers/added_tokens.h"
#include "datasets/tokenizers/control_tokens.h"
#include "datasets/tokenizers/decoders/decoder.h"
#include "datasets/tokenizers/models/model.h"
#include "datasets/tokenizers/models/scratch_pool.h"
#include "datasets/tokenizers/normalizers/normalizer.h"
#include "datasets/tokenizers/pre_tokenizers/pre_tokenizer.h"
#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

struct Pipeline {
  std::unique_ptr<Normalizer> normalizer;  // null: none
  PreTokenization pre_tokenization;
  std::unique_ptr<Model> model;
  AddedTokens added;
  DecoderSteps decoder;
  ControlIds control;
  bool clean_up = false;  // what DecodeOptions::clean_up is when it is not said
};

class PipelineTokenizer : public Tokenizer {
 public:
  PipelineTokenizer(Pipeline pipeline, std::string content_hash);

  Encoding encode(std::string_view text, const EncodeOptions& options = {}) const override;
  std::unique_ptr<TextStream> open_text(const DecodeOptions& options = {}) const override;

  int64_t vocabulary_size() const override;
  std::optional<std::string> token_text(Token id) const override;
  std::optional<Token> id_of(std::string_view token_text) const override;
  bool is_special(Token id) const override;
  std::optional<Token> bos() const override { return pipeline_.control.bos; }
  std::optional<Token> eos() const override { return pipeline_.control.eos; }
  std::optional<Token> pad() const override { return pipeline_.control.pad; }
  std::optional<Token> unknown() const override;
  bool adds_bos() const override { return pipeline_.control.adds_bos(); }
  bool adds_eos() const override { return pipeline_.control.adds_eos(); }
  const std::string& content_hash() const override { return content_hash_; }

  // What the decoder gets for an id; empty optional: nothing stands behind it.
  std::optional<std::string_view> decoded_text(Token id) const;

 private:
  void prepare(AlignedText& text, const EncodeOptions& options) const;
  void cut_added_tokens(AlignedText& text, bool normalized, const EncodeOptions& options) const;

  Pipeline pipeline_;
  std::vector<bool> special_;  // by id
  std::string content_hash_;
  mutable ScratchPool scratch_;
};

}  // namespace anneal::datasets
