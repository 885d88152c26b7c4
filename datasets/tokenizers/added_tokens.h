#pragma once
// Tokens that were put on top of a model's vocabulary, control tokens above all. They are cut out of a text before
// anything else looks at it: the longest at the leftmost place first.

#include <array>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "datasets/tokenizers/aligned_text.h"
#include "datasets/tokenizers/models/byte_trie.h"
#include "datasets/tokenizers/models/vocabulary.h"
#include "datasets/tokenizers/normalizers/normalizer.h"

namespace anneal::datasets {

struct AddedToken {
  std::string content;
  bool single_word = false;  // only between characters that are no word characters
  bool lstrip = false;       // takes the blanks in front of it along
  bool rstrip = false;       // and those behind it
  bool normalized = true;    // looked for in the normalised text, and normalised itself
  bool special = false;      // a control token
  friend bool operator==(const AddedToken&, const AddedToken&) = default;
};

// {"content": …, flags}; or a text alone, which is a control token. Throws Error(kInput).
AddedToken read_added_token(const Json& description, const std::string& where);

class AddedTokens {
 public:
  // As in the reference, a content that the vocabulary knows keeps its id there and any other gets the next free id of
  // the batch, whatever the file says; `wished` ids of files without a tokenizer.json count if they are free. Throws
  // Error(kInput) for a content of absurd length or an id that another token has.
  struct Wish {
    AddedToken token;
    std::optional<Token> id = {};
  };
  void add(const std::vector<Wish>& batch, const Vocabulary& vocabulary, const std::string& where);
  // Makes a token that is present a control token, whatever its file says.
  void make_special(Token id);
  // After the last add(); the normalizer may be null.
  void finish(const Normalizer* normalizer);

  // Whether control tokens are cut out of this part of a piece: not at all, or not where it is literal.
  struct Control {
    bool is_parsed = false;
    std::function<bool(std::size_t begin, std::size_t end)> is_literal = {};  // empty: nothing is
  };
  // All tokens with normalized == `normalized`. What lies between them is cut too, without a token.
  void cut(std::string_view piece, bool normalized, const Control& control, std::vector<Cut>& cuts) const;
  bool has_any(bool normalized) const { return (normalized ? normalized_ : plain_).trie != nullptr; }

  const AddedToken* find(Token id) const;
  std::optional<Token> id_of(std::string_view content) const;
  // What a decoder gets for this token: its normalised form where it was looked for in that form.
  std::string_view decoded_text(Token id) const;
  // Of control tokens.
  std::vector<Token> special_ids() const;
  int64_t end() const { return end_; }  // one more than the largest id

 private:
  struct Entry {
    AddedToken token;
    std::string matched;  // what is looked for
  };
  struct Finder {
    std::unique_ptr<ByteTrie> trie;
    std::array<bool, 256> first_bytes{};
  };
  struct Match {
    std::size_t begin;
    std::size_t end;
    Token id;
  };
  static Match longest_at(const Finder& finder, std::string_view piece, std::size_t at);
  static bool fits(const AddedToken& token, std::string_view piece, const Match& match);

  std::unordered_map<Token, Entry> entries_;
  std::unordered_map<std::string, Token> ids_;
  Finder plain_;
  Finder normalized_;
  int64_t end_ = 0;
};

}  // namespace anneal::datasets
