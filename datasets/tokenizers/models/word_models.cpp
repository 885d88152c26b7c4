// The models that look words up: WordLevel takes a word or nothing, WordPiece the longest known beginning again and
// again.

#include <optional>
#include <utility>

#include "datasets/tokenizers/models/byte_trie.h"
#include "datasets/tokenizers/models/model.h"
#include "datasets/tokenizers/read_kind.h"
#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {
namespace {

// Words that are not in the vocabulary become this token.
class UnknownWord {
 public:
  UnknownWord(const Vocabulary& vocabulary, std::string text, std::string where)
      : text_(std::move(text)), where_(std::move(where)), id_(vocabulary.find(text_)) {}

  std::optional<Token> id() const { return id_; }
  void put(std::string_view word, std::vector<ModelToken>& tokens) const {
    if (!id_) {
      throw input_error("{}: the word \"{}\" is unknown, and so is the unk_token \"{}\". Get another copy of the file.",
                        where_, printable(word), printable(text_));
    }
    tokens.push_back({*id_, 0, static_cast<uint32_t>(word.size())});
  }

 private:
  std::string text_;
  std::string where_;
  std::optional<Token> id_;
};

class WordLevel : public Model {
 public:
  WordLevel(Vocabulary known, std::string unknown_text, std::string where)
      : Model(std::move(known)), unknown_(vocabulary(), std::move(unknown_text), std::move(where)) {}

  std::optional<Token> unknown() const override { return unknown_.id(); }

  void tokenize(std::string_view piece, ControlTokens control, ModelScratch&,
                std::vector<ModelToken>& tokens) const override {
    const auto id = vocabulary().find(piece);
    if (!id || (control == ControlTokens::kForbidden && is_forbidden(*id))) return unknown_.put(piece, tokens);
    tokens.push_back({*id, 0, static_cast<uint32_t>(piece.size())});
  }

 private:
  UnknownWord unknown_;
};

// The vocabulary's texts that begin with `prefix`, without it.
ByteTrie trie_behind(const Vocabulary& vocabulary, std::string_view prefix) {
  std::vector<std::pair<std::string_view, Token>> entries;
  for (Token id = 0; id < vocabulary.end(); ++id) {
    const auto text = vocabulary.text(id);
    if (text && text->starts_with(prefix)) entries.emplace_back(text->substr(prefix.size()), id);
  }
  return ByteTrie(std::move(entries));
}

class WordPiece : public Model {
 public:
  WordPiece(Vocabulary known, std::string unknown_text, std::string_view prefix, std::size_t longest_word,
            std::string where)
      : Model(std::move(known)),
        first_pieces_(trie_behind(vocabulary(), "")),
        next_pieces_(trie_behind(vocabulary(), prefix)),
        longest_word_(longest_word),
        unknown_(vocabulary(), std::move(unknown_text), std::move(where)) {}

  std::optional<Token> unknown() const override { return unknown_.id(); }

  void tokenize(std::string_view piece, ControlTokens control, ModelScratch&,
                std::vector<ModelToken>& tokens) const override {
    if (piece.size() > longest_word_ && count_characters(piece) > longest_word_) return unknown_.put(piece, tokens);
    const std::size_t first = tokens.size();
    for (std::size_t at = 0; at < piece.size();) {
      std::size_t longest = 0;
      Token id = kNone;
      (at == 0 ? first_pieces_ : next_pieces_).for_each_prefix(piece.substr(at), [&](std::size_t size, Token found) {
        if (control == ControlTokens::kForbidden && is_forbidden(found)) return;
        longest = size;
        id = found;
      });
      if (id == kNone) {
        tokens.resize(first);
        return unknown_.put(piece, tokens);
      }
      tokens.push_back({id, static_cast<uint32_t>(at), static_cast<uint32_t>(at + longest)});
      at += longest;
    }
  }

 private:
  static constexpr Token kNone = -1;

  ByteTrie first_pieces_;
  ByteTrie next_pieces_;  // behind "##"
  std::size_t longest_word_;
  UnknownWord unknown_;
};

Vocabulary vocabulary_of(const Json& description, const std::string& where) {
  const auto vocab = description.find("vocab");
  return Vocabulary::read(vocab == description.end() ? Json() : *vocab, where);
}

}  // namespace

std::unique_ptr<Model> read_word_level(const Json& description, const std::string& where) {
  return std::make_unique<WordLevel>(vocabulary_of(description, where),
                                     require<std::string>(description, "unk_token", where), where);
}

std::unique_ptr<Model> read_word_piece(const Json& description, const std::string& where) {
  const auto longest_word = value_or<int64_t>(description, "max_input_chars_per_word", 100, where);
  if (longest_word < 0) {
    throw input_error("{}: max_input_chars_per_word is {}. Get another copy of the file.", where, longest_word);
  }
  return std::make_unique<WordPiece>(vocabulary_of(description, where),
                                     value_or<std::string>(description, "unk_token", "[UNK]", where),
                                     value_or<std::string>(description, "continuing_subword_prefix", "##", where),
                                     static_cast<std::size_t>(longest_word), where);
}

}  // namespace anneal::datasets
