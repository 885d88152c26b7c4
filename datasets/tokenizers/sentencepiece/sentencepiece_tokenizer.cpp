#include "datasets/tokenizers/sentencepiece/sentencepiece_tokenizer.h"

#include <sentencepiece_processor.h>

#include <algorithm>
#include <utility>

#include "datasets/tokenizers/aligned_text.h"
#include "datasets/tokenizers/decoding.h"
#include "datasets/tokenizers/literal_ranges.h"
#include "datasets/tokenizers/models/scratch_pool.h"
#include "datasets/tokenizers/sentencepiece/model_file.h"
#include "datasets/tokenizers/sentencepiece/safe_cuts.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

using PieceType = SentencePieceFile::PieceType;
using Processor = sentencepiece::SentencePieceProcessor;

std::unique_ptr<Processor> load_processor(const std::string& bytes, const std::string& where) {
  auto processor = std::make_unique<Processor>();
  const auto status = processor->LoadFromSerializedProto(bytes);
  if (!status.ok()) {
    throw input_error("{}: cannot be used ({}). Get another copy of the file.", where,
                      printable(status.error_message(), 200));
  }
  return processor;
}

struct Parts {
  std::unique_ptr<Processor> processor;
  std::unique_ptr<Processor> inner_processor;  // puts no blank in front; null: nor does the other
  bool is_legacy = true;                       // a text behind an added token gets a blank in front too
  std::optional<SafeCuts> safe_cuts;
  std::vector<PieceType> types;  // by id
  Vocabulary vocabulary;
  AddedTokens added;
  ControlIds control;
  DecoderSteps decoder;
  bool clean_up = false;
};

class SentencePieceTokenizer : public Tokenizer {
 public:
  SentencePieceTokenizer(Parts parts, std::string content_hash)
      : parts_(std::move(parts)), content_hash_(std::move(content_hash)) {}

  Encoding encode(std::string_view text, const EncodeOptions& options) const override {
    AlignedText aligned(text);
    AddedTokens::Control control{.is_parsed = options.parse_special_tokens};
    aligned.split([&](std::string_view piece_text, const Piece&, std::vector<Cut>& cuts) {
      if (!options.literal.empty()) {
        control.is_literal = [&](std::size_t begin, std::size_t end) {
          return overlaps_any(aligned.original(begin, end), options.literal);
        };
      }
      parts_.added.cut(piece_text, /*normalized=*/false, control, cuts);
    });
    Encoding encoding;
    if (options.add_special_tokens) put_all(parts_.control.around.before, 0, encoding);
    for (const Piece& piece : aligned.pieces()) {
      if (piece.token != kNoToken) {
        encoding.ids.push_back(piece.token);
        encoding.offsets.push_back(aligned.original(piece.begin, piece.end));
      } else {
        encode_piece(aligned, piece, encoding);
      }
    }
    if (options.add_special_tokens) put_all(parts_.control.around.behind, text.size(), encoding);
    return encoding;
  }

  std::unique_ptr<TextStream> open_text(const DecodeOptions& options) const override {
    return open_decoding(parts_.decoder, options.clean_up.value_or(parts_.clean_up),
                         [this, skip = options.skip_special_tokens](Token id) -> std::optional<std::string_view> {
                           if (skip && is_special(id)) return {};
                           if (parts_.added.find(id) != nullptr) return parts_.added.decoded_text(id);
                           return parts_.vocabulary.text(id);
                         });
  }

  int64_t vocabulary_size() const override { return std::max(parts_.vocabulary.end(), parts_.added.end()); }
  std::optional<std::string> token_text(Token id) const override {
    if (const AddedToken* token = parts_.added.find(id)) return token->content;
    const auto text = parts_.vocabulary.text(id);
    return text ? std::optional<std::string>(*text) : std::nullopt;
  }
  std::optional<Token> id_of(std::string_view token_text) const override {
    const auto id = parts_.added.id_of(token_text);
    return id ? id : parts_.vocabulary.find(token_text);
  }
  bool is_special(Token id) const override {
    const AddedToken* token = parts_.added.find(id);
    return token != nullptr && token->special;
  }
  std::optional<Token> bos() const override { return parts_.control.bos; }
  std::optional<Token> eos() const override { return parts_.control.eos; }
  std::optional<Token> pad() const override { return parts_.control.pad; }
  std::optional<Token> unknown() const override { return parts_.control.unknown; }
  bool adds_bos() const override { return parts_.control.adds_bos(); }
  bool adds_eos() const override { return parts_.control.adds_eos(); }
  const std::string& content_hash() const override { return content_hash_; }

 private:
  static void put_all(const std::vector<Token>& ids, std::size_t at, Encoding& encoding) {
    for (const Token id : ids) {
      encoding.ids.push_back(id);
      encoding.offsets.push_back({at, at});
    }
  }

  void encode_piece(const AlignedText& aligned, const Piece& piece, Encoding& encoding) const {
    const std::string_view text = aligned.text(piece);
    std::vector<uint32_t> ends;
    if (parts_.safe_cuts) {
      parts_.safe_cuts->find(text, ends);
    } else {
      ends.push_back(static_cast<uint32_t>(text.size()));
    }
    ScratchPool::Lease scratch(scratch_);
    std::vector<ModelToken> tokens;
    bool has_prefix = parts_.is_legacy || piece.origin == 0;
    uint32_t begin = 0;
    for (const uint32_t end : ends) {
      tokens.clear();
      encode_part(text.substr(begin, end - begin), has_prefix, (*scratch).cache, tokens);
      for (const ModelToken& token : tokens) {
        encoding.ids.push_back(token.id);
        encoding.offsets.push_back(
            aligned.original(piece.begin + begin + token.begin, piece.begin + begin + token.end));
      }
      has_prefix = false;
      begin = end;
    }
  }

  void encode_part(std::string_view text, bool has_prefix, WordCache& cache, std::vector<ModelToken>& tokens) const {
    const uint8_t kind = has_prefix ? 1 : 0;
    if (cache.find(text, kind, tokens)) return;
    const Processor& processor = has_prefix || !parts_.inner_processor ? *parts_.processor : *parts_.inner_processor;
    const auto cut = processor.EncodeAsImmutableProto(absl::string_view(text.data(), text.size()));  // owns its pieces
    for (const auto& part : cut.pieces()) {
      tokens.push_back({static_cast<Token>(part.id()), part.begin(), part.end()});
    }
    complete(text, tokens);
    cache.store(text, kind, tokens, 0);
  }

  // The library gives the span of a character in bytes to its last byte, and none to a blank that it put in front.
  void complete(std::string_view text, std::vector<ModelToken>& tokens) const {
    for (std::size_t i = tokens.size(); i-- > 0;) {
      if (tokens[i].begin != tokens[i].end) continue;
      if (is_byte(tokens[i].id) && i + 1 < tokens.size()) {
        tokens[i].begin = tokens[i + 1].begin;
        tokens[i].end = tokens[i + 1].end;
      } else if (i == 0 && !text.empty()) {
        tokens[i].end = static_cast<uint32_t>(character_size(text[0]));
      }
    }
  }
  bool is_byte(Token id) const { return parts_.types[static_cast<std::size_t>(id)] == PieceType::kByte; }

  Parts parts_;
  std::string content_hash_;
  mutable ScratchPool scratch_;
};

DecoderSteps decoder_of(const SentencePieceFile& file) {
  const bool has_bytes = std::any_of(file.pieces.begin(), file.pieces.end(),
                                     [](const auto& piece) { return piece.type == PieceType::kByte; });
  Json replace = {{"pattern", {{"String", "▁"}}}, {"content", " "}};
  DecoderSteps steps;
  steps.push_back(read_replace_decoder(replace, "SentencePiece"));
  if (has_bytes) steps.push_back(make_byte_fallback_decoder());
  steps.push_back(make_fuse());
  if (file.add_dummy_prefix) steps.push_back(make_strip_decoder(' ', 1, 0));
  return steps;
}

// Control pieces and the unknown piece can be written in a text like any other added token.
std::vector<AddedTokens::Wish> control_pieces(const SentencePieceFile& file) {
  std::vector<AddedTokens::Wish> wishes;
  for (std::size_t id = 0; id < file.pieces.size(); ++id) {
    const SentencePieceFile::Piece& piece = file.pieces[id];
    if (piece.type != PieceType::kControl && piece.type != PieceType::kUnknown) continue;
    wishes.push_back({{.content = piece.text, .normalized = false, .special = true}, static_cast<Token>(id)});
  }
  return wishes;
}

std::optional<Token> id_or_none(int id) { return id < 0 ? std::nullopt : std::optional<Token>(id); }

}  // namespace

std::unique_ptr<Tokenizer> make_sentencepiece_tokenizer(const std::string& bytes, const TokenizerConfig& config,
                                                        const std::string& where, std::string content_hash) {
  const SentencePieceFile file = read_sentencepiece_file(bytes, where);
  Parts parts;
  parts.processor = load_processor(bytes, where);
  parts.is_legacy = config.legacy.value_or(true);
  if (SafeCuts::are_known_for(file)) parts.safe_cuts.emplace(file);
  if (file.add_dummy_prefix && (parts.safe_cuts || !parts.is_legacy)) {
    parts.inner_processor = load_processor(without_dummy_prefix(bytes), where);
  }

  std::vector<std::string> texts;
  for (const SentencePieceFile::Piece& piece : file.pieces) {
    texts.push_back(piece.text);
    parts.types.push_back(piece.type);
  }
  parts.vocabulary = Vocabulary::of_list(texts);
  parts.added.add(control_pieces(file), parts.vocabulary, where);
  std::vector<AddedTokens::Wish> wishes = tokens_of_config(config, parts.added);
  for (AddedTokens::Wish& wish : wishes) wish.token.normalized = false;
  parts.added.add(wishes, parts.vocabulary, where);

  TokensAround around;
  if (parts.processor->bos_id() >= 0) around.before.push_back(parts.processor->bos_id());
  const bool is_t5 = config.tokenizer_class.starts_with("T5Tokenizer");
  if (is_t5 && parts.processor->eos_id() >= 0) around.behind.push_back(parts.processor->eos_id());
  parts.control = control_ids(config, parts.added, parts.vocabulary, std::move(around));
  if (!parts.control.bos) parts.control.bos = id_or_none(parts.processor->bos_id());
  if (!parts.control.eos) parts.control.eos = id_or_none(parts.processor->eos_id());
  if (!parts.control.pad) parts.control.pad = id_or_none(parts.processor->pad_id());
  if (!parts.control.unknown) parts.control.unknown = id_or_none(parts.processor->unk_id());
  for (const auto& id : {parts.control.bos, parts.control.eos, parts.control.pad}) {
    if (id) parts.added.make_special(*id);
  }
  parts.added.finish(nullptr);
  parts.decoder = decoder_of(file);
  parts.clean_up = config.clean_up_tokenization_spaces;
  return std::make_unique<SentencePieceTokenizer>(std::move(parts), std::move(content_hash));
}

}  // namespace anneal::datasets
