#include "datasets/tokenizers/added_tokens.h"

#include <algorithm>

#include "datasets/tokenizers/unicode/character_classes.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::size_t kLongestContent = 4096;  // bytes; looked for at each place of a text

}  // namespace

AddedToken read_added_token(const Json& description, const std::string& where) {
  if (description.is_string()) {
    return {.content = description.get<std::string>(), .normalized = false, .special = true};
  }
  AddedToken token;
  token.content = require<std::string>(description, "content", where);
  token.special = value_or<bool>(description, "special", false, where);
  token.single_word = value_or<bool>(description, "single_word", false, where);
  token.lstrip = value_or<bool>(description, "lstrip", false, where);
  token.rstrip = value_or<bool>(description, "rstrip", false, where);
  token.normalized = value_or<bool>(description, "normalized", !token.special, where);
  return token;
}

void AddedTokens::add(const std::vector<Wish>& batch, const Vocabulary& vocabulary, const std::string& where) {
  int64_t next = vocabulary.count();
  if (end_ > 0 && (end_ - 1 >= next || next == 0)) next = end_;
  for (const Wish& wish : batch) {
    const AddedToken& token = wish.token;
    if (token.content.empty()) continue;
    if (token.content.size() > kLongestContent) {
      throw input_error(
          "{}: the added token \"{}\" has {} bytes; more than {} cannot be right. Get another copy of the file.", where,
          printable(token.content), token.content.size(), kLongestContent);
    }
    const auto is_taken = [&](int64_t id) {
      return vocabulary.text(static_cast<Token>(id)).has_value() || entries_.contains(static_cast<Token>(id));
    };
    std::optional<Token> id = id_of(token.content);
    if (!id) id = vocabulary.find(token.content);
    if (!id && wish.id && *wish.id >= 0 && *wish.id < kMostTokens && !is_taken(*wish.id)) id = wish.id;
    if (!id) {
      // In a vocabulary with holes the reference's next id can be in use already.
      while (is_taken(next)) ++next;
      id = static_cast<Token>(next++);
    }
    if (*id >= kMostTokens) {
      throw input_error(
          "{}: the added token \"{}\" would get the id {}, more than any model has. Get another copy of the file.",
          where, printable(token.content), *id);
    }
    ids_[token.content] = *id;
    entries_[*id] = {token, token.content};
    end_ = std::max(end_, static_cast<int64_t>(*id) + 1);
  }
}

void AddedTokens::make_special(Token id) {
  const auto found = entries_.find(id);
  if (found != entries_.end()) found->second.token.special = true;
}

void AddedTokens::finish(const Normalizer* normalizer) {
  std::vector<std::pair<std::string_view, Token>> plain;
  std::vector<std::pair<std::string_view, Token>> normalized;
  for (auto& [id, entry] : entries_) {
    if (entry.token.normalized && normalizer != nullptr) {
      PieceText piece;
      for_each_character(entry.token.content,
                         [&](char32_t code, std::size_t, std::size_t) { piece.append(code, {0, 0}); });
      normalizer->apply(piece);
      entry.matched = piece.text;
    }
    if (entry.matched.empty()) continue;
    (entry.token.normalized ? normalized : plain).emplace_back(entry.matched, id);
  }
  const auto build = [](Finder& finder, std::vector<std::pair<std::string_view, Token>>& entries) {
    if (entries.empty()) return;
    for (const auto& [text, id] : entries) finder.first_bytes[static_cast<unsigned char>(text[0])] = true;
    // Two tokens with the same normalised form: the one with the smaller id wins, in whatever order the map has them.
    std::sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.second > b.second; });
    finder.trie = std::make_unique<ByteTrie>(entries);
  };
  build(plain_, plain);
  build(normalized_, normalized);
}

AddedTokens::Match AddedTokens::longest_at(const Finder& finder, std::string_view piece, std::size_t at) {
  Match match{at, at, kNoToken};
  if (!finder.first_bytes[static_cast<unsigned char>(piece[at])]) return match;
  finder.trie->for_each_prefix(piece.substr(at), [&](std::size_t size, Token id) {
    match.end = at + size;
    match.id = id;
  });
  return match;
}

bool AddedTokens::fits(const AddedToken& token, std::string_view piece, const Match& match) {
  if (!token.single_word) return true;
  const bool word_before = match.begin > 0 && is_word_character(character_before(piece, match.begin).code);
  const bool word_behind = match.end < piece.size() && is_word_character(character_at(piece, match.end).code);
  return !word_before && !word_behind;
}

void AddedTokens::cut(std::string_view piece, bool normalized, const Control& control, std::vector<Cut>& cuts) const {
  const Finder& finder = normalized ? normalized_ : plain_;
  std::size_t done = 0;
  for (std::size_t at = 0; at < piece.size();) {
    Match match = longest_at(finder, piece, at);
    if (match.id == kNoToken) {
      ++at;
      continue;
    }
    const AddedToken& token = entries_.at(match.id).token;
    if (token.special && control.is_parsed && control.is_literal && control.is_literal(match.begin, match.end)) {
      // A control token may yet begin inside, behind the literal part.
      ++at;
      continue;
    }
    at = match.end;
    if ((token.special && !control.is_parsed) || !fits(token, piece, match)) continue;
    while (token.lstrip && match.begin > done) {
      const Character before = character_before(piece, match.begin);
      if (!is_white_space(before.code)) break;
      match.begin -= before.size;
    }
    if (token.lstrip) match.begin = std::max(match.begin, std::min(done, match.end));
    while (token.rstrip && match.end < piece.size()) {
      const Character behind = character_at(piece, match.end);
      if (!is_white_space(behind.code)) break;
      match.end += behind.size;
    }
    if (done < match.begin) cuts.push_back({static_cast<uint32_t>(done), static_cast<uint32_t>(match.begin)});
    cuts.push_back({static_cast<uint32_t>(match.begin), static_cast<uint32_t>(match.end), match.id});
    done = match.end;
  }
  if (done < piece.size()) cuts.push_back({static_cast<uint32_t>(done), static_cast<uint32_t>(piece.size())});
}

const AddedToken* AddedTokens::find(Token id) const {
  const auto found = entries_.find(id);
  return found == entries_.end() ? nullptr : &found->second.token;
}

std::optional<Token> AddedTokens::id_of(std::string_view content) const {
  const auto found = ids_.find(std::string(content));
  return found == ids_.end() ? std::nullopt : std::optional<Token>(found->second);
}

std::string_view AddedTokens::decoded_text(Token id) const { return entries_.at(id).matched; }

std::vector<Token> AddedTokens::special_ids() const {
  std::vector<Token> ids;
  for (const auto& [id, entry] : entries_) {
    if (entry.token.special) ids.push_back(id);
  }
  std::sort(ids.begin(), ids.end());
  return ids;
}

}  // namespace anneal::datasets
