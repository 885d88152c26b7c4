#include "datasets/tokenizers/gguf/vocabulary.h"

#include <fmt/format.h>

#include <unordered_set>
#include <vector>

#include "datasets/tokenizers/gguf/word_cutting.h"
#include "datasets/tokenizers/sentencepiece/model_file.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

using PieceType = SentencePieceFile::PieceType;  // GGUF numbers them alike

constexpr const char* kGetOther = "Get another conversion of the model, or its Hugging Face folder.";

class GgufVocabulary {
 public:
  GgufVocabulary(const Json& metadata, const std::string& where) : metadata_(metadata), where_(where) {
    read_tokens();
    read_types();
  }

  std::string as_tokenizer_json(const WordCutting& cutting) const {
    std::string text = R"({"version":"1.0","truncation":null,"padding":null,"added_tokens":)" + to_text(added_tokens());
    text += R"(,"normalizer":)" + std::string(cutting.composes ? R"({"type":"NFC"})" : "null");
    text += R"(,"pre_tokenizer":)" + to_text(pre_tokenizer(cutting));
    text += R"(,"post_processor":)" + to_text(byte_level(true));
    text += R"(,"decoder":)" + to_text(byte_level(true));
    text += fmt::format(R"(,"model":{{"type":"BPE","dropout":null,"unk_token":null,"continuing_subword_prefix":null,)"
                        R"("end_of_word_suffix":null,"fuse_unk":false,"byte_fallback":false,"ignore_merges":{},)",
                        cutting.ignores_merges);
    // By hand: an object of Json looks each new key up among all before it.
    text += R"("vocab":{)";
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      if (!is_first_[id]) continue;
      text += fmt::format("{}{}:{}", text.ends_with('{') ? "" : ",", to_text(Json(tokens_[id])), id);
    }
    text += R"(},"merges":)" + to_text(merges()) + "}}";
    return text;
  }

  std::string as_sentencepiece_model() const {
    SentencePieceFile file{.add_dummy_prefix = flag("tokenizer.ggml.add_space_prefix", true),
                           .remove_extra_whitespaces = flag("tokenizer.ggml.remove_extra_whitespaces", false),
                           .escape_whitespaces = true,
                           .is_bpe = true,
                           .has_byte_fallback = false};
    const Json& scores = list("tokenizer.ggml.scores");
    if (scores.size() != tokens_.size()) unequal("tokenizer.ggml.scores", scores.size());
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      if (!scores[id].is_number()) wrong("tokenizer.ggml.scores", "is no list of numbers");
      file.pieces.push_back({tokens_[id], scores[id].get<float>(), types_[id]});
      file.has_byte_fallback = file.has_byte_fallback || types_[id] == PieceType::kByte;
    }
    return write_sentencepiece_file(file);
  }

  std::string as_config(bool adds_bos, bool is_sentencepiece) const {
    Json config = Json::object();
    config["tokenizer_class"] = is_sentencepiece ? "LlamaTokenizer" : "PreTrainedTokenizerFast";
    config["add_bos_token"] = flag("tokenizer.ggml.add_bos_token", adds_bos);
    config["add_eos_token"] = flag("tokenizer.ggml.add_eos_token", false);
    // In the order of the reference's own files.
    for (const auto& [name, key] : {std::pair{"bos_token", "tokenizer.ggml.bos_token_id"},
                                    {"eos_token", "tokenizer.ggml.eos_token_id"},
                                    {"unk_token", "tokenizer.ggml.unknown_token_id"},
                                    {"pad_token", "tokenizer.ggml.padding_token_id"}}) {
      if (const std::string* text = token_of(key)) config[name] = *text;
    }
    if (is_sentencepiece) {
      config["legacy"] = true;
      config["add_prefix_space"] = flag("tokenizer.ggml.add_space_prefix", true);
    }
    config["clean_up_tokenization_spaces"] = false;
    if (Json templates = chat_templates(); !templates.is_null()) config["chat_template"] = std::move(templates);
    return to_text(config);
  }

 private:
  [[noreturn]] void wrong(std::string_view key, std::string_view what) const {
    throw input_error("{}: \"{}\" {}. {}", where_, key, what, kGetOther);
  }
  [[noreturn]] void unequal(std::string_view key, std::size_t size) const {
    wrong(key, fmt::format("has {} members for {} tokens", size, tokens_.size()));
  }

  const Json& list(const char* key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end() || !found->is_array()) wrong(key, "is missing or no list");
    return *found;
  }
  bool flag(const char* key, bool fallback) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) return fallback;
    if (!found->is_boolean()) wrong(key, "is neither true nor false");
    return found->get<bool>();
  }

  void read_tokens() {
    std::unordered_set<std::string> seen;
    for (const Json& token : list("tokenizer.ggml.tokens")) {
      if (!token.is_string()) wrong("tokenizer.ggml.tokens", "is no list of texts");
      tokens_.push_back(token.get<std::string>());
      if (!is_valid_utf8(tokens_.back())) {
        wrong("tokenizer.ggml.tokens", fmt::format("holds a text that is no UTF-8 at place {}", tokens_.size() - 1));
      }
      is_first_.push_back(seen.insert(tokens_.back()).second);  // of several alike only the first is ever made
    }
  }
  void read_types() {
    types_.assign(tokens_.size(), PieceType::kNormal);
    if (!metadata_.contains("tokenizer.ggml.token_type")) return;
    const Json& types = list("tokenizer.ggml.token_type");
    if (types.size() != tokens_.size()) unequal("tokenizer.ggml.token_type", types.size());
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      // 0 is how some converters mark what they know nothing about.
      if (!types[id].is_number_integer() || types[id] < 0 || types[id] > 6)
        wrong("tokenizer.ggml.token_type", fmt::format("holds {}, which is no type", to_text(types[id])));
      if (types[id] != 0) types_[id] = static_cast<PieceType>(types[id].get<int>());
    }
  }

  const std::string* token_of(const char* key) const {
    const auto found = metadata_.find(key);
    if (found == metadata_.end()) return nullptr;
    if (!found->is_number_integer()) wrong(key, "is no whole number");
    if (*found < 0 || *found >= tokens_.size()) {
      wrong(key, fmt::format("is {}, but there are {} tokens", to_text(*found), tokens_.size()));
    }
    return &tokens_[found->get<std::size_t>()];
  }

  static Json byte_level(bool use_regex) {
    return {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", use_regex}};
  }
  static Json pre_tokenizer(const WordCutting& cutting) {
    Json steps = Json::array();
    for (const std::string_view pattern : cutting.patterns) {
      steps.push_back(
          {{"type", "Split"}, {"pattern", {{"Regex", pattern}}}, {"behavior", "Isolated"}, {"invert", false}});
    }
    steps.push_back(byte_level(cutting.then_as_gpt2));
    return {{"type", "Sequence"}, {"pretokenizers", std::move(steps)}};
  }

  Json added_tokens() const {
    Json added = Json::array();
    for (std::size_t id = 0; id < tokens_.size(); ++id) {
      const bool is_special = types_[id] == PieceType::kControl || types_[id] == PieceType::kUnknown;
      if ((!is_special && types_[id] != PieceType::kUserDefined) || tokens_[id].empty() || !is_first_[id]) continue;
      added.push_back({{"id", id},
                       {"content", tokens_[id]},
                       {"single_word", false},
                       {"lstrip", false},
                       {"rstrip", false},
                       {"normalized", false},
                       {"special", is_special}});
    }
    return added;
  }
  const Json& merges() const {
    const Json& merges = list("tokenizer.ggml.merges");
    for (const Json& merge : merges) {
      if (!merge.is_string() || !is_valid_utf8(merge.get_ref<const std::string&>()))
        wrong("tokenizer.ggml.merges", "is no list of UTF-8 texts");
    }
    return merges;
  }

  // One text, or a list of named ones; null where there is none.
  Json chat_templates() const {
    constexpr std::string_view kKey = "tokenizer.chat_template";
    Json named = Json::array();
    for (const auto& [key, value] : metadata_.items()) {
      if (key != kKey && !key.starts_with(std::string(kKey) + ".")) continue;
      if (!value.is_string()) wrong(key, "is no text");
      if (!is_valid_utf8(value.get_ref<const std::string&>())) wrong(key, "is no UTF-8");
      const std::string name = key.size() == kKey.size() ? "default" : key.substr(kKey.size() + 1);
      named.push_back({{"name", name}, {"template", value}});
    }
    if (named.empty()) return nullptr;
    if (named.size() == 1 && named[0]["name"] == "default") return named[0]["template"];
    return named;
  }

  const Json& metadata_;
  const std::string& where_;
  std::vector<std::string> tokens_;
  std::vector<bool> is_first_;
  std::vector<PieceType> types_;
};

std::string text_at(const Json& metadata, const char* key) {
  const auto found = metadata.find(key);
  return found != metadata.end() && found->is_string() ? found->get<std::string>() : "";
}

}  // namespace

TokenizerFiles describe_gguf_vocabulary(const Json& metadata, const std::string& where) {
  TokenizerFiles files;
  files.where = where;
  const std::string kind = text_at(metadata, "tokenizer.ggml.model");
  if (kind.empty() && metadata.contains("tokenizer.ggml.tokens")) {
    throw input_error("{}: what kind of vocabulary it has (\"tokenizer.ggml.model\") is not stated. {}", where,
                      kGetOther);
  }
  if (kind.empty() || kind == "no_vocab" || kind == "none") return files;
  if (kind == "llama") {
    const GgufVocabulary vocabulary(metadata, where);
    files.tokenizer_model = vocabulary.as_sentencepiece_model();
    files.tokenizer_config_json = vocabulary.as_config(true, true);
    return files;
  }
  if (kind != "gpt2") {
    throw input_error(
        "{}: a vocabulary of the kind \"{}\" is not read from GGUF files. Get the model's Hugging Face "
        "folder.",
        where, printable(kind));
  }
  const std::string name = text_at(metadata, "tokenizer.ggml.pre");
  const WordCutting* cutting = word_cutting_named(name);
  if (cutting == nullptr) {
    throw input_error(
        "{}: how a text is cut into words (\"tokenizer.ggml.pre\") is {}, so its tokens would be guesses. {}", where,
        name.empty() ? "not stated" : fmt::format("\"{}\", which is not known", printable(name)), kGetOther);
  }
  const GgufVocabulary vocabulary(metadata, where);
  files.tokenizer_json = vocabulary.as_tokenizer_json(*cutting);
  files.tokenizer_config_json = vocabulary.as_config(cutting->adds_bos, false);
  return files;
}

}  // namespace anneal::datasets
