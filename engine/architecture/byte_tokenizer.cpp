#include "engine/architecture/byte_tokenizer.h"

#include <string>

namespace anneal::engine {
namespace {

// Byte-level tokenizers write each byte as one visible character: printable Latin-1 as itself, the others from U+0100
// on in order. All of these are below U+0800, so two bytes of UTF-8 at most.
std::string visible(int byte, int& others) {
  const bool is_printable = (byte >= 0x21 && byte <= 0x7E) || (byte >= 0xA1 && byte <= 0xAC) || byte >= 0xAE;
  const int code = is_printable ? byte : 0x100 + others++;
  if (code < 0x80) return {static_cast<char>(code)};
  return {static_cast<char>(0xC0 | (code >> 6)), static_cast<char>(0x80 | (code & 0x3F))};
}

Json added_token(int64_t id, const char* content) {
  return {{"id", id},        {"content", content},  {"single_word", false}, {"lstrip", false},
          {"rstrip", false}, {"normalized", false}, {"special", true}};
}

Json piece(const char* kind, const char* id, int type_id) { return {{kind, {{"id", id}, {"type_id", type_id}}}}; }

constexpr const char* kChatTemplate =
    "{% for message in messages %}"
    "{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>\\n' }}"
    "{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

}  // namespace

Json ByteTokenizer::tokenizer_json() const {
  Json vocabulary = Json::object();
  int others = 0;
  for (int byte = 0; byte < 256; ++byte) vocabulary[visible(byte, others)] = byte;
  Json added = Json::array({added_token(kBegin, "<s>"), added_token(kEnd, "</s>")});
  if (has_chat) {
    added.push_back(added_token(kTurnBegin, "<|im_start|>"));
    added.push_back(added_token(kTurnEnd, "<|im_end|>"));
  }
  const Json begin = piece("SpecialToken", "<s>", 0);
  const Json single = Json::array({begin, piece("Sequence", "A", 0)});
  const Json pair = Json::array({begin, piece("Sequence", "A", 0), piece("Sequence", "B", 1)});
  return {{"version", "1.0"},
          {"truncation", nullptr},
          {"padding", nullptr},
          {"added_tokens", added},
          {"normalizer", nullptr},
          {"pre_tokenizer",
           {{"type", "ByteLevel"}, {"add_prefix_space", false}, {"trim_offsets", true}, {"use_regex", true}}},
          {"post_processor",
           {{"type", "TemplateProcessing"},
            {"single", single},
            {"pair", pair},
            {"special_tokens",
             {{"<s>", {{"id", "<s>"}, {"ids", Json::array({kBegin})}, {"tokens", Json::array({"<s>"})}}}}}}},
          {"decoder", {{"type", "ByteLevel"}, {"add_prefix_space", true}, {"trim_offsets", true}, {"use_regex", true}}},
          {"model",
           {{"type", "BPE"},
            {"dropout", nullptr},
            {"unk_token", nullptr},
            {"continuing_subword_prefix", nullptr},
            {"end_of_word_suffix", nullptr},
            {"fuse_unk", false},
            {"byte_fallback", false},
            {"ignore_merges", false},
            {"vocab", std::move(vocabulary)},
            {"merges", Json::array()}}}};
}

Json ByteTokenizer::tokenizer_config(int64_t max_length) const {
  Json config = {{"tokenizer_class", "PreTrainedTokenizerFast"},  {"bos_token", "<s>"},
                 {"eos_token", has_chat ? "<|im_end|>" : "</s>"}, {"pad_token", "</s>"},
                 {"clean_up_tokenization_spaces", false},         {"model_max_length", max_length}};
  if (has_chat) config["chat_template"] = kChatTemplate;
  return config;
}

}  // namespace anneal::engine
