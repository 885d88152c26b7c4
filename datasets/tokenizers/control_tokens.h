#pragma once
// The tokens with a name, what is put around a text, and what tokenizer_config.json and its companions say about both.

#include <optional>
#include <string>
#include <vector>

#include "datasets/tokenizers/added_tokens.h"
#include "datasets/tokenizers/post_processor.h"
#include "kernels/core/json.h"

namespace anneal::datasets {

// tokenizer_config.json, special_tokens_map.json and added_tokens.json, as far as they concern ids.
struct TokenizerConfig {
  std::string tokenizer_class;
  std::optional<AddedToken> bos;
  std::optional<AddedToken> eos;
  std::optional<AddedToken> unknown;
  std::optional<AddedToken> pad;
  std::vector<AddedToken> other_special;  // cls, sep, mask, additional ones
  std::vector<AddedTokens::Wish> added;   // in the order of their ids
  std::optional<bool> add_bos_token;
  std::optional<bool> add_eos_token;
  std::optional<bool> add_prefix_space;
  std::optional<bool> legacy;
  bool clean_up_tokenization_spaces = false;
};

// Absent files are null. `where` is the folder's name. Throws Error(kInput).
TokenizerConfig read_tokenizer_config(const Json& config, const Json& special_tokens_map, const Json& added_tokens,
                                      const std::string& where);

// What the config adds to, or changes about, the tokens that are already there; in the order in which it takes ids.
std::vector<AddedTokens::Wish> tokens_of_config(const TokenizerConfig& config, const AddedTokens& present);

struct ControlIds {
  std::optional<Token> bos;
  std::optional<Token> eos;
  std::optional<Token> pad;
  std::optional<Token> unknown;
  TokensAround around;

  bool adds_bos() const;
  bool adds_eos() const;
};

// Ids of the config's names; where it names no begin or end token, the one that is put around a text. add_bos_token and
// add_eos_token then decide whether those two are put there.
ControlIds control_ids(const TokenizerConfig& config, const AddedTokens& added, const Vocabulary& vocabulary,
                       TokensAround around);

}  // namespace anneal::datasets
