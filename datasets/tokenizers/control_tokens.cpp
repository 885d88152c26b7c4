#include "datasets/tokenizers/control_tokens.h"

#include <algorithm>
#include <charconv>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

std::optional<AddedToken> named_token(const Json& config, const char* key, const std::string& where) {
  const auto found = config.is_object() ? config.find(key) : config.end();
  if (found == config.end() || found->is_null()) return {};
  if (!found->is_string() && !found->is_object()) {
    throw input_error("{}: \"{}\" is {}, expected a text or a token. Correct it there.", where, key,
                      printable(to_text(*found)));
  }
  AddedToken token = read_added_token(*found, where);
  if (!found->contains("normalized")) token.normalized = false;
  token.special = true;
  if (token.content.empty()) return {};
  return token;
}

std::optional<bool> optional_bool(const Json& config, const char* key, const std::string& where) {
  const auto found = config.is_object() ? config.find(key) : config.end();
  if (found == config.end() || found->is_null()) return {};
  return require<bool>(config, key, where);
}

void read_named_tokens(const Json& source, const std::string& where, TokenizerConfig& config) {
  const auto take = [&](const char* key, std::optional<AddedToken>& into) {
    if (auto token = named_token(source, key, where)) into = std::move(token);
  };
  take("bos_token", config.bos);
  take("eos_token", config.eos);
  take("unk_token", config.unknown);
  take("pad_token", config.pad);
  for (const char* key : {"sep_token", "cls_token", "mask_token"}) {
    if (auto token = named_token(source, key, where)) config.other_special.push_back(std::move(*token));
  }
  for (const char* key : {"additional_special_tokens", "extra_special_tokens"}) {
    const auto list = source.is_object() ? source.find(key) : source.end();
    if (list == source.end() || !(list->is_array() || list->is_object())) continue;
    for (const Json& member : *list) {
      if (!member.is_string() && !member.is_object()) continue;
      AddedToken token = read_added_token(member, where);
      token.special = true;
      config.other_special.push_back(std::move(token));
    }
  }
}

// {"32000": {"content": …}, …}
void read_added_tokens_decoder(const Json& decoder, const std::string& where, TokenizerConfig& config) {
  if (!decoder.is_object()) throw input_error("{}: \"added_tokens_decoder\" is no object. Correct it there.", where);
  for (const auto& [key, description] : decoder.items()) {
    Token id = -1;
    const auto [end, error] = std::from_chars(key.data(), key.data() + key.size(), id);
    if (error != std::errc() || end != key.data() + key.size() || id < 0) {
      throw input_error("{}: \"added_tokens_decoder\" has the key \"{}\", expected an id. Correct it there.", where,
                        printable(key));
    }
    config.added.push_back({read_added_token(description, where), id});
  }
}

// {"<pad>": 32000, …}; control tokens are those that have a name elsewhere.
void read_added_tokens_file(const Json& file, const std::string& where, TokenizerConfig& config) {
  if (file.is_null()) return;
  if (!file.is_object()) throw input_error("{}: is no object. Get another copy of the file.", where);
  const auto is_special = [&](const std::string& content) {
    const auto named = [&](const std::optional<AddedToken>& token) { return token && token->content == content; };
    return named(config.bos) || named(config.eos) || named(config.unknown) || named(config.pad) ||
           std::any_of(config.other_special.begin(), config.other_special.end(),
                       [&](const AddedToken& token) { return token.content == content; });
  };
  for (const auto& [content, id] : file.items()) {
    if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= kMostTokens) {
      throw input_error("{}: the id of \"{}\" is {}, expected a whole number. Get another copy of the file.", where,
                        printable(content), printable(to_text(id)));
    }
    const bool special = is_special(content);
    config.added.push_back({{.content = content, .normalized = !special, .special = special}, id.get<Token>()});
  }
}

}  // namespace

TokenizerConfig read_tokenizer_config(const Json& config, const Json& special_tokens_map, const Json& added_tokens,
                                      const std::string& where) {
  const std::string config_where = where + "/tokenizer_config.json";
  TokenizerConfig result;
  result.tokenizer_class = value_or<std::string>(config, "tokenizer_class", "", config_where);
  result.add_bos_token = optional_bool(config, "add_bos_token", config_where);
  result.add_eos_token = optional_bool(config, "add_eos_token", config_where);
  result.add_prefix_space = optional_bool(config, "add_prefix_space", config_where);
  result.legacy = optional_bool(config, "legacy", config_where);
  result.clean_up_tokenization_spaces = value_or<bool>(config, "clean_up_tokenization_spaces", false, config_where);
  read_named_tokens(config, config_where, result);
  if (config.is_object() && config.contains("added_tokens_decoder")) {
    // Newer folders say everything here; the two other files are leftovers then.
    read_added_tokens_decoder(config["added_tokens_decoder"], config_where, result);
  } else {
    read_named_tokens(special_tokens_map, where + "/special_tokens_map.json", result);
    read_added_tokens_file(added_tokens, where + "/added_tokens.json", result);
  }
  std::stable_sort(result.added.begin(), result.added.end(),
                   [](const AddedTokens::Wish& a, const AddedTokens::Wish& b) { return a.id < b.id; });
  return result;
}

std::vector<AddedTokens::Wish> tokens_of_config(const TokenizerConfig& config, const AddedTokens& present) {
  std::vector<AddedTokens::Wish> wishes;
  const auto is_known = [&](const std::string& content) {
    return present.id_of(content) || std::any_of(wishes.begin(), wishes.end(), [&](const AddedTokens::Wish& wish) {
             return wish.token.content == content;
           });
  };
  for (const AddedTokens::Wish& wish : config.added) {
    const auto id = present.id_of(wish.token.content);
    if (id && *present.find(*id) == wish.token) continue;
    wishes.push_back(wish);
  }
  const auto name = [&](const AddedToken& token) {
    if (is_known(token.content)) {
      for (AddedTokens::Wish& wish : wishes) wish.token.special |= wish.token.content == token.content;
    } else {
      wishes.push_back({token});
    }
  };
  for (const auto* token : {&config.bos, &config.eos, &config.unknown, &config.pad}) {
    if (*token) name(**token);
  }
  for (const AddedToken& token : config.other_special) name(token);
  return wishes;
}

bool ControlIds::adds_bos() const {
  return bos && std::find(around.before.begin(), around.before.end(), *bos) != around.before.end();
}
bool ControlIds::adds_eos() const {
  return eos && std::find(around.behind.begin(), around.behind.end(), *eos) != around.behind.end();
}

ControlIds control_ids(const TokenizerConfig& config, const AddedTokens& added, const Vocabulary& vocabulary,
                       TokensAround around) {
  const auto id_of = [&](const std::optional<AddedToken>& token) -> std::optional<Token> {
    if (!token) return {};
    const auto id = added.id_of(token->content);
    return id ? id : vocabulary.find(token->content);
  };
  ControlIds ids{.bos = id_of(config.bos),
                 .eos = id_of(config.eos),
                 .pad = id_of(config.pad),
                 .unknown = id_of(config.unknown),
                 .around = std::move(around)};
  if (!ids.bos && !ids.around.before.empty()) ids.bos = ids.around.before.front();
  if (!ids.eos && !ids.around.behind.empty()) ids.eos = ids.around.behind.back();
  std::vector<Token>& before = ids.around.before;
  std::vector<Token>& behind = ids.around.behind;
  if (config.add_bos_token && ids.bos && *config.add_bos_token != ids.adds_bos()) {
    if (*config.add_bos_token) {
      before.insert(before.begin(), *ids.bos);
    } else {
      std::erase(before, *ids.bos);
    }
  }
  if (config.add_eos_token && ids.eos && *config.add_eos_token != ids.adds_eos()) {
    if (*config.add_eos_token) {
      behind.push_back(*ids.eos);
    } else {
      std::erase(behind, *ids.eos);
    }
  }
  return ids;
}

}  // namespace anneal::datasets
