#include "datasets/tokenizers/vocabulary_files.h"

#include <algorithm>
#include <array>

#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

constexpr std::array<std::string_view, 3> kLikeGpt2 = {"", "GPT2Tokenizer", "CodeGenTokenizer"};

constexpr const char* kQwen2Words =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

Json lines_of(std::string_view text) {
  Json lines = Json::array();
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    std::string_view line = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (line.ends_with('\r')) line.remove_suffix(1);
    if (!line.empty()) lines.push_back(std::string(line));
  }
  return lines;
}

Json byte_level(bool add_prefix_space, bool use_regex) {
  return {
      {"type", "ByteLevel"}, {"add_prefix_space", add_prefix_space}, {"trim_offsets", true}, {"use_regex", use_regex}};
}

}  // namespace

Json describe_vocabulary_files(const Json& vocabulary, std::string_view merges, const TokenizerConfig& config,
                               const std::string& where) {
  std::string_view family = config.tokenizer_class;
  if (family.ends_with("Fast")) family.remove_suffix(4);
  const bool is_qwen = family == "Qwen2Tokenizer";
  if (!is_qwen && std::find(kLikeGpt2.begin(), kLikeGpt2.end(), family) == kLikeGpt2.end()) {
    throw input_error(
        "{}: how a {} cuts words is not in vocab.json and merges.txt. Add the model's tokenizer.json to the folder.",
        where, printable(family));
  }
  const bool add_prefix_space = config.add_prefix_space.value_or(false);
  Json description = {{"version", "1.0"}, {"normalizer", nullptr}, {"decoder", byte_level(add_prefix_space, true)}};
  if (is_qwen) {
    const Json words = {
        {"type", "Split"}, {"pattern", {{"Regex", kQwen2Words}}}, {"behavior", "Isolated"}, {"invert", false}};
    description["normalizer"] = {{"type", "NFC"}};
    description["pre_tokenizer"] = {{"type", "Sequence"},
                                    {"pretokenizers", Json::array({words, byte_level(add_prefix_space, false)})}};
  } else {
    description["pre_tokenizer"] = byte_level(add_prefix_space, true);
  }
  // GPT-2's one control token, for folders without a config.
  Json added = Json::array();
  const char* kEndOfText = "<|endoftext|>";
  if (vocabulary.is_object() && vocabulary.contains(kEndOfText) && vocabulary[kEndOfText].is_number_integer()) {
    added.push_back(
        {{"id", vocabulary[kEndOfText]}, {"content", kEndOfText}, {"special", true}, {"normalized", false}});
  }
  description["added_tokens"] = std::move(added);
  description["model"] = {{"type", "BPE"}, {"vocab", vocabulary}, {"merges", lines_of(merges)}};
  return description;
}

}  // namespace anneal::datasets
