// Unigram: of all ways to cut a text into known pieces, the one whose scores have the largest sum.

#include <algorithm>
#include <array>
#include <limits>
#include <optional>
#include <utility>

#include "datasets/tokenizers/models/byte_trie.h"
#include "datasets/tokenizers/models/model.h"
#include "datasets/tokenizers/read_kind.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

constexpr double kUnknownPenalty = 10.0;  // below the worst known piece

std::vector<std::pair<std::string_view, Token>> entries_of(const Vocabulary& vocabulary) {
  std::vector<std::pair<std::string_view, Token>> entries;
  for (Token id = 0; id < vocabulary.end(); ++id) {
    if (const auto text = vocabulary.text(id)) entries.emplace_back(*text, id);
  }
  return entries;
}

class Unigram : public Model {
 public:
  Unigram(Vocabulary known, std::vector<double> scores, std::optional<Token> unknown_id, bool byte_fallback,
          std::string where)
      : Model(std::move(known)),
        scores_(std::move(scores)),
        trie_(entries_of(vocabulary())),
        unknown_(unknown_id),
        byte_fallback_(byte_fallback),
        where_(std::move(where)) {
    double lowest = std::numeric_limits<double>::infinity();
    for (const double score : scores_) lowest = std::min(lowest, score);
    unknown_score_ = lowest - kUnknownPenalty;
    for (int byte = 0; byte < 256; ++byte) {
      fallback_tokens_[static_cast<std::size_t>(byte)] =
          vocabulary().find(fmt::format("<0x{:02X}>", byte)).value_or(-1);
    }
  }

  std::optional<Token> unknown() const override { return unknown_; }

  void tokenize(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                std::vector<ModelToken>& tokens) const override {
    const uint8_t kind = control == ControlTokens::kForbidden ? 1 : 0;
    if (scratch.cache.find(piece, kind, tokens)) return;
    const std::size_t first = tokens.size();
    const std::vector<Step> best = best_steps(piece, control);
    for (const auto& [begin, end] : parts_of(best, piece.size())) put_part(piece, begin, end, tokens);
    scratch.cache.store(piece, kind, tokens, first);
  }

 private:
  // The best way to reach a byte: from where, with which piece.
  struct Step {
    double score = 0;
    uint32_t from = kUnreached;
    Token id = -1;
  };
  static constexpr uint32_t kUnreached = UINT32_MAX;

  std::vector<Step> best_steps(std::string_view text, ControlTokens control) const {
    std::vector<Step> steps(text.size() + 1);
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t character = character_size(text[at]);
      const double so_far = steps[at].score;
      bool has_character = false;
      const auto offer = [&](std::size_t size, double score, Token id) {
        Step& step = steps[at + size];
        const double sum = score + so_far;
        if (step.from == kUnreached || sum > step.score) step = {sum, static_cast<uint32_t>(at), id};
      };
      trie_.for_each_prefix(text.substr(at), [&](std::size_t size, Token id) {
        if (control == ControlTokens::kForbidden && is_forbidden(id)) return;
        offer(size, scores_[static_cast<std::size_t>(id)], id);
        has_character = has_character || size == character;
      });
      if (!has_character) {
        if (!unknown_) throw_no_unknown(text.substr(at, character));
        offer(character, unknown_score_, *unknown_);
      }
      at += character;
    }
    return steps;
  }

  // From left to right; unknown neighbours are one part.
  std::vector<std::pair<uint32_t, uint32_t>> parts_of(const std::vector<Step>& steps, std::size_t size) const {
    std::vector<std::pair<uint32_t, uint32_t>> parts;
    bool was_unknown = false;
    for (auto end = static_cast<uint32_t>(size); end > 0;) {
      const Step& step = steps[end];
      const bool is_unknown = unknown_ && step.id == *unknown_;
      if (is_unknown && was_unknown) {
        parts.back().first = step.from;
      } else {
        parts.emplace_back(step.from, end);
      }
      was_unknown = is_unknown;
      end = step.from;
    }
    std::reverse(parts.begin(), parts.end());
    return parts;
  }

  void put_part(std::string_view piece, uint32_t begin, uint32_t end, std::vector<ModelToken>& tokens) const {
    const std::string_view text = piece.substr(begin, end - begin);
    if (const auto id = vocabulary().find(text)) {
      tokens.push_back({*id, begin, end});
      return;
    }
    const bool in_bytes = byte_fallback_ && std::all_of(text.begin(), text.end(), [&](char byte) {
                            return fallback_tokens_[static_cast<unsigned char>(byte)] >= 0;
                          });
    if (!in_bytes) {
      if (!unknown_) throw_no_unknown(text);
      tokens.push_back({*unknown_, begin, end});
      return;
    }
    // Several unknown characters in a row are one part, but each one's bytes stand for that character alone.
    for (std::size_t at = 0; at < text.size();) {
      const std::size_t size = character_size(text[at]);
      for (std::size_t i = 0; i < size; ++i) {
        tokens.push_back({fallback_tokens_[static_cast<unsigned char>(text[at + i])], static_cast<uint32_t>(begin + at),
                          static_cast<uint32_t>(begin + at + size)});
      }
      at += size;
    }
  }

  [[noreturn]] void throw_no_unknown(std::string_view text) const {
    throw input_error(
        "{}: no token stands for \"{}\", and there is no unk_id for what is unknown. "
        "Get another copy of the file.",
        where_, printable(text));
  }

  std::vector<double> scores_;  // by id
  ByteTrie trie_;
  std::optional<Token> unknown_;
  bool byte_fallback_;
  std::string where_;
  double unknown_score_;
  std::array<Token, 256> fallback_tokens_;
};

}  // namespace

std::unique_ptr<Model> read_unigram(const Json& description, const std::string& where) {
  std::vector<std::string> texts;
  std::vector<double> scores;
  for_each_member(description, "vocab", where, [&](const Json& entry, const std::string&) {
    if (!entry.is_array() || entry.size() != 2 || !entry[0].is_string() || !entry[1].is_number()) {
      throw input_error("{}: entry {} of \"vocab\" is {}, expected [text, score]. Get another copy of the file.", where,
                        texts.size(), printable(to_text(entry)));
    }
    texts.push_back(entry[0].get<std::string>());
    scores.push_back(entry[1].get<double>());
  });
  if (static_cast<int64_t>(texts.size()) > kMostTokens) {
    throw input_error("{}: \"vocab\" has {} entries, more than any model. Get another copy of the file.", where,
                      texts.size());
  }
  const auto unknown_id = value_or<int64_t>(description, "unk_id", -1, where);
  const bool has_unknown = description.contains("unk_id") && !description["unk_id"].is_null();
  if (has_unknown && (unknown_id < 0 || unknown_id >= static_cast<int64_t>(texts.size()))) {
    throw input_error("{}: unk_id is {}, but \"vocab\" has {} entries. Get another copy of the file.", where,
                      unknown_id, texts.size());
  }
  return std::make_unique<Unigram>(Vocabulary::of_list(texts), std::move(scores),
                                   has_unknown ? std::optional<Token>(static_cast<Token>(unknown_id)) : std::nullopt,
                                   value_or<bool>(description, "byte_fallback", false, where), where);
}

}  // namespace anneal::datasets
