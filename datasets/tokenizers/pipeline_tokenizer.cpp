#include "datasets/tokenizers/pipeline_tokenizer.h"

#include <algorithm>
#include <utility>

#include "datasets/tokenizers/decoding.h"
#include "datasets/tokenizers/literal_ranges.h"

namespace anneal::datasets {

PipelineTokenizer::PipelineTokenizer(Pipeline pipeline, std::string content_hash)
    : pipeline_(std::move(pipeline)), content_hash_(std::move(content_hash)) {
  const std::vector<Token> special = pipeline_.added.special_ids();
  special_.resize(static_cast<std::size_t>(vocabulary_size()));
  for (const Token id : special) special_[static_cast<std::size_t>(id)] = true;
  pipeline_.model->forbid(special);
}

void PipelineTokenizer::cut_added_tokens(AlignedText& text, bool normalized, const EncodeOptions& options) const {
  if (!pipeline_.added.has_any(normalized)) return;
  text.split([&](std::string_view piece_text, const Piece& piece, std::vector<Cut>& cuts) {
    AddedTokens::Control control{.is_parsed = options.parse_special_tokens};
    if (!options.literal.empty()) {
      control.is_literal = [&](std::size_t begin, std::size_t end) {
        return overlaps_any(text.original(piece.begin + begin, piece.begin + end), options.literal);
      };
    }
    pipeline_.added.cut(piece_text, normalized, control, cuts);
  });
}

void PipelineTokenizer::prepare(AlignedText& aligned, const EncodeOptions& options) const {
  cut_added_tokens(aligned, /*normalized=*/false, options);
  if (pipeline_.normalizer) {
    aligned.rewrite([&](std::string_view piece, const Piece&) { return !pipeline_.normalizer->leaves_alone(piece); },
                    [&](PieceText& piece) { pipeline_.normalizer->apply(piece); });
  }
  cut_added_tokens(aligned, /*normalized=*/true, options);
  for (const auto& step : pipeline_.pre_tokenization.steps) step->apply(aligned);
}

Encoding PipelineTokenizer::encode(std::string_view text, const EncodeOptions& options) const {
  AlignedText aligned(text);
  prepare(aligned, options);
  const bool may_be_control = options.parse_special_tokens && options.literal.empty();
  const ControlTokens control = may_be_control ? ControlTokens::kAllowed : ControlTokens::kForbidden;
  const bool in_bytes = pipeline_.pre_tokenization.ends_in_byte_alphabet;

  Encoding encoding;
  const auto put = [&](Token id, Span span) {
    encoding.ids.push_back(id);
    encoding.offsets.push_back(span);
  };
  const TokensAround& around = pipeline_.control.around;
  if (options.add_special_tokens) {
    for (const Token id : around.before) put(id, {0, 0});
  }
  ScratchPool::Lease scratch(scratch_);
  std::vector<ModelToken> tokens;
  for (const Piece& piece : aligned.pieces()) {
    if (piece.token != kNoToken) {
      put(piece.token, aligned.original(piece.begin, piece.end));
      continue;
    }
    tokens.clear();
    if (in_bytes) {
      pipeline_.model->tokenize_bytes(aligned.text(piece), control, *scratch, tokens);
    } else {
      pipeline_.model->tokenize(aligned.text(piece), control, *scratch, tokens);
    }
    for (const ModelToken& token : tokens) {
      put(token.id, aligned.original(piece.begin + token.begin, piece.begin + token.end));
    }
  }
  if (options.add_special_tokens) {
    for (const Token id : around.behind) put(id, {text.size(), text.size()});
  }
  return encoding;
}

std::optional<std::string_view> PipelineTokenizer::decoded_text(Token id) const {
  if (pipeline_.added.find(id) != nullptr) return pipeline_.added.decoded_text(id);
  return pipeline_.model->vocabulary().text(id);
}

std::unique_ptr<TextStream> PipelineTokenizer::open_text(const DecodeOptions& options) const {
  return open_decoding(pipeline_.decoder, options.clean_up.value_or(pipeline_.clean_up),
                       [this, skip = options.skip_special_tokens](Token id) -> std::optional<std::string_view> {
                         if (skip && is_special(id)) return {};
                         return decoded_text(id);
                       });
}

int64_t PipelineTokenizer::vocabulary_size() const {
  return std::max(pipeline_.model->vocabulary().end(), pipeline_.added.end());
}

std::optional<std::string> PipelineTokenizer::token_text(Token id) const {
  if (const AddedToken* added = pipeline_.added.find(id)) return added->content;
  const auto text = pipeline_.model->vocabulary().text(id);
  return text ? std::optional<std::string>(*text) : std::nullopt;
}

std::optional<Token> PipelineTokenizer::id_of(std::string_view token_text) const {
  const auto added = pipeline_.added.id_of(token_text);
  return added ? added : pipeline_.model->vocabulary().find(token_text);
}

bool PipelineTokenizer::is_special(Token id) const {
  return id >= 0 && static_cast<std::size_t>(id) < special_.size() && special_[static_cast<std::size_t>(id)];
}

std::optional<Token> PipelineTokenizer::unknown() const {
  return pipeline_.control.unknown ? pipeline_.control.unknown : pipeline_.model->unknown();
}

}  // namespace anneal::datasets
