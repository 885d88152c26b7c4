// Byte-pair encoding: a word begins as characters (or bytes) and neighbours are merged in the order of the file's list.

#include <array>
#include <optional>
#include <utility>

#include "datasets/tokenizers/models/bpe_merging.h"
#include "datasets/tokenizers/models/merge_table.h"
#include "datasets/tokenizers/models/model.h"
#include "datasets/tokenizers/read_kind.h"
#include "datasets/tokenizers/unicode/byte_alphabet.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

struct BpeOptions {
  std::string unknown_text;  // empty: what is unknown is dropped
  std::string continuing_subword_prefix;
  std::string end_of_word_suffix;
  bool fuse_unknown = false;
  bool byte_fallback = false;
  bool ignore_merges = false;
};

enum CacheKind : uint8_t { kText = 0, kBytes = 1, kForbiddenToo = 2 };

class Bpe : public Model {
 public:
  Bpe(Vocabulary known, MergeTable merges, BpeOptions options, std::string where)
      : Model(std::move(known)), merges_(std::move(merges)), options_(std::move(options)), where_(std::move(where)) {
    if (!options_.unknown_text.empty()) unknown_ = vocabulary().find(options_.unknown_text);
    bytes_are_complete_ = options_.continuing_subword_prefix.empty() && options_.end_of_word_suffix.empty();
    for (int byte = 0; byte < 256; ++byte) {
      std::string spelt;
      append_character(spelt, kByteCharacters[static_cast<std::size_t>(byte)]);
      byte_symbols_[static_cast<std::size_t>(byte)] = vocabulary().find(spelt).value_or(-1);
      fallback_symbols_[static_cast<std::size_t>(byte)] =
          vocabulary().find(fmt::format("<0x{:02X}>", byte)).value_or(-1);
    }
  }

  std::optional<Token> unknown() const override { return unknown_; }

  void tokenize(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                std::vector<ModelToken>& tokens) const override {
    cached(piece, kText, control, scratch, tokens, [&] {
      if (options_.ignore_merges && take_whole(piece, piece.size(), control, tokens)) return;
      std::vector<Symbol> symbols;
      spell(piece, symbols);
      merge(symbols, control, tokens);
    });
  }

  void tokenize_bytes(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                      std::vector<ModelToken>& tokens) const override {
    if (!bytes_are_complete_) return Model::tokenize_bytes(piece, control, scratch, tokens);
    cached(piece, kBytes, control, scratch, tokens, [&] {
      if (options_.ignore_merges) {
        scratch.spelling.clear();
        append_in_byte_alphabet(scratch.spelling, piece);
        if (take_whole(scratch.spelling, piece.size(), control, tokens)) return;
      }
      std::vector<Symbol> symbols(piece.size());
      for (std::size_t i = 0; i < piece.size(); ++i) {
        const Token id = byte_symbols_[static_cast<unsigned char>(piece[i])];
        if (id < 0) return Model::tokenize_bytes(piece, control, scratch, tokens);
        symbols[i] = {id, static_cast<uint32_t>(i), static_cast<uint32_t>(i + 1)};
      }
      merge(symbols, control, tokens);
    });
  }

 private:
  template <class Cut>
  void cached(std::string_view piece, uint8_t kind, ControlTokens control, ModelScratch& scratch,
              std::vector<ModelToken>& tokens, Cut cut) const {
    if (control == ControlTokens::kForbidden) kind |= kForbiddenToo;
    if (scratch.cache.find(piece, kind, tokens)) return;
    const std::size_t first = tokens.size();
    cut();
    scratch.cache.store(piece, kind, tokens, first);
  }

  bool take_whole(std::string_view text, std::size_t size, ControlTokens control,
                  std::vector<ModelToken>& tokens) const {
    const auto id = vocabulary().find(text);
    if (!id || (control == ControlTokens::kForbidden && is_forbidden(*id))) return false;
    tokens.push_back({*id, 0, static_cast<uint32_t>(size)});
    return true;
  }

  void merge(std::vector<Symbol>& symbols, ControlTokens control, std::vector<ModelToken>& tokens) const {
    const bool forbid = control == ControlTokens::kForbidden;
    merge_symbols(symbols, [&](Token left, Token right) {
      const Merge merge = merges_.find(left, right);
      return forbid && merge.rank != kNoMerge && is_forbidden(merge.result) ? Merge{} : merge;
    });
    for (const Symbol& symbol : symbols) tokens.push_back({symbol.id, symbol.begin, symbol.end});
  }

  // The word as characters; one that has no token becomes its bytes or the unknown token.
  void spell(std::string_view word, std::vector<Symbol>& symbols) const {
    std::optional<Symbol> pending;  // an unknown that the next one may be fused with
    const auto flush = [&] {
      if (pending) symbols.push_back(*pending);
      pending.reset();
    };
    std::string spelt;
    for (std::size_t at = 0; at < word.size();) {
      const std::size_t size = character_size(word[at]);
      const auto begin = static_cast<uint32_t>(at);
      const auto end = static_cast<uint32_t>(at + size);
      spelt = at == 0 ? "" : options_.continuing_subword_prefix;
      spelt += word.substr(at, size);
      if (end == word.size()) spelt += options_.end_of_word_suffix;
      at = end;
      if (const auto id = vocabulary().find(spelt)) {
        flush();
        symbols.push_back({*id, begin, end});
      } else if (options_.byte_fallback && spell_in_fallback_bytes(spelt, begin, end, symbols)) {
        continue;
      } else if (!options_.unknown_text.empty()) {
        if (!unknown_) throw_no_unknown();
        if (pending && options_.fuse_unknown) {
          pending->end = end;
        } else {
          flush();
          pending = Symbol{*unknown_, begin, end};
        }
      }
    }
    flush();
  }

  bool spell_in_fallback_bytes(std::string_view spelt, uint32_t begin, uint32_t end,
                               std::vector<Symbol>& symbols) const {
    for (const char byte : spelt) {
      if (fallback_symbols_[static_cast<unsigned char>(byte)] < 0) return false;
    }
    for (const char byte : spelt) symbols.push_back({fallback_symbols_[static_cast<unsigned char>(byte)], begin, end});
    return true;
  }

  [[noreturn]] void throw_no_unknown() const {
    throw input_error("{}: the unk_token \"{}\" is not in the vocabulary. Get another copy of the file.", where_,
                      printable(options_.unknown_text));
  }

  MergeTable merges_;
  BpeOptions options_;
  std::string where_;
  std::optional<Token> unknown_;
  bool bytes_are_complete_;
  std::array<Token, 256> byte_symbols_;      // the byte alphabet's tokens; -1: none
  std::array<Token, 256> fallback_symbols_;  // <0x00> …; -1: none
};

class MergeReader {
 public:
  MergeReader(const Vocabulary& vocabulary, std::string_view prefix, const std::string& where, std::size_t count)
      : vocabulary_(vocabulary), prefix_(prefix), where_(where), merges_(count) {}

  void put(std::string_view left, std::string_view right) {
    if (right.size() < prefix_.size()) {
      throw input_error(
          "{}: merge {} (\"{}\" with \"{}\") lacks the continuing_subword_prefix. Get another copy of the file.",
          where_, rank_, printable(left), printable(right));
    }
    const Token left_id = id_of(left, left, right);
    const Token right_id = id_of(right, left, right);
    joined_ = left;
    joined_ += right.substr(prefix_.size());
    merges_.put(left_id, right_id, {rank_, id_of(joined_, left, right)});
    ++rank_;
  }
  // "left right"
  void put_line(std::string_view line) {
    const std::size_t blank = line.find(' ');
    if (blank == std::string_view::npos || line.find(' ', blank + 1) != std::string_view::npos) {
      throw input_error(
          "{}: merge {} is \"{}\", expected two texts with a blank between. Get another copy of the file.", where_,
          rank_, printable(line));
    }
    put(line.substr(0, blank), line.substr(blank + 1));
  }
  MergeTable take() { return std::move(merges_); }

 private:
  Token id_of(std::string_view text, std::string_view left, std::string_view right) const {
    const auto id = vocabulary_.find(text);
    if (!id) {
      throw input_error(
          "{}: merge {} (\"{}\" with \"{}\") needs \"{}\", which is not in the vocabulary. "
          "Get another copy of the file.",
          where_, rank_, printable(left), printable(right), printable(text));
    }
    return *id;
  }

  const Vocabulary& vocabulary_;
  std::string_view prefix_;
  const std::string& where_;
  MergeTable merges_;
  std::string joined_;
  uint32_t rank_ = 0;
};

MergeTable read_merges(const Json& description, const Vocabulary& vocabulary, std::string_view prefix,
                       const std::string& where) {
  const auto merges = description.find("merges");
  MergeReader reader(vocabulary, prefix, where, merges == description.end() ? 0 : merges->size());
  for_each_member(description, "merges", where, [&](const Json& merge, const std::string&) {
    if (merge.is_string()) {
      const auto& line = merge.get_ref<const std::string&>();
      if (!line.starts_with("#version")) reader.put_line(line);
    } else if (merge.is_array() && merge.size() == 2 && merge[0].is_string() && merge[1].is_string()) {
      reader.put(merge[0].get_ref<const std::string&>(), merge[1].get_ref<const std::string&>());
    } else {
      throw input_error(
          "{}: a merge is {}, expected \"left right\" or [\"left\", \"right\"]. Get another copy of the file.", where,
          printable(to_text(merge)));
    }
  });
  return reader.take();
}

}  // namespace

std::unique_ptr<Model> read_bpe(const Json& description, const std::string& where) {
  BpeOptions options{
      .unknown_text = value_or<std::string>(description, "unk_token", "", where),
      .continuing_subword_prefix = value_or<std::string>(description, "continuing_subword_prefix", "", where),
      .end_of_word_suffix = value_or<std::string>(description, "end_of_word_suffix", "", where),
      .fuse_unknown = value_or<bool>(description, "fuse_unk", false, where),
      .byte_fallback = value_or<bool>(description, "byte_fallback", false, where),
      .ignore_merges = value_or<bool>(description, "ignore_merges", false, where)};
  const auto vocab = description.find("vocab");
  Vocabulary vocabulary = Vocabulary::read(vocab == description.end() ? Json() : *vocab, where);
  MergeTable merges = read_merges(description, vocabulary, options.continuing_subword_prefix, where);
  return std::make_unique<Bpe>(std::move(vocabulary), std::move(merges), std::move(options), where);
}

}  // namespace anneal::datasets
