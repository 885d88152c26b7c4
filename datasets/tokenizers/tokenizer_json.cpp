#include "datasets/tokenizers/tokenizer_json.h"

#include <unordered_map>
#include <utility>

#include "datasets/tokenizers/pipeline_tokenizer.h"
#include "datasets/tokenizers/read_kind.h"

namespace anneal::datasets {
namespace {

Json part_of(const Json& description, const char* key) {
  const auto found = description.find(key);
  return found == description.end() ? Json() : *found;
}

void check_version(const Json& description, const std::string& where) {
  const auto version = value_or<std::string>(description, "version", "1.0", where);
  if (version == "1.0") return;
  throw input_error(
      "{}: its version is \"{}\"; only \"1.0\" can be read. Save the tokenizer again with a program of today.", where,
      printable(version));
}

std::vector<AddedTokens::Wish> read_added(const Json& description, const std::string& where) {
  std::vector<AddedTokens::Wish> wishes;
  if (part_of(description, "added_tokens").is_null()) return wishes;
  std::unordered_map<int64_t, std::string> contents;
  for_each_member(description, "added_tokens", where, [&](const Json& entry, const std::string& entry_where) {
    const auto id = require<int64_t>(entry, "id", entry_where);
    AddedToken token = read_added_token(entry, entry_where);
    if (id < 0 || id >= kMostTokens) {
      throw input_error("{}: the id of \"{}\" is {}, expected 0 to {}. Get another copy of the file.", entry_where,
                        printable(token.content), id, kMostTokens - 1);
    }
    const auto [known, is_new] = contents.emplace(id, token.content);
    if (!is_new && known->second != token.content) {
      throw input_error("{}: \"{}\" and \"{}\" both have the id {}. Get another copy of the file.", entry_where,
                        printable(known->second), printable(token.content), id);
    }
    wishes.push_back({std::move(token)});
  });
  return wishes;
}

// A config may say otherwise about the blank in front of a text, where the pre-tokenizer is nothing but a ByteLevel.
Json with_prefix_space(Json pre_tokenizer, const TokenizerConfig& config) {
  if (config.add_prefix_space && pre_tokenizer.is_object() && pre_tokenizer.contains("type") &&
      pre_tokenizer["type"] == "ByteLevel") {
    pre_tokenizer["add_prefix_space"] = *config.add_prefix_space;
  }
  return pre_tokenizer;
}

}  // namespace

std::unique_ptr<Tokenizer> make_json_tokenizer(const Json& description, const TokenizerConfig& config,
                                               const std::string& where, const std::string& content_hash) {
  if (!description.is_object()) throw input_error("{}: is no object. Get another copy of the file.", where);
  check_version(description, where);
  Pipeline pipeline;
  pipeline.normalizer = read_normalizer(part_of(description, "normalizer"), where + ": normalizer");
  pipeline.pre_tokenization =
      read_pre_tokenizer(with_prefix_space(part_of(description, "pre_tokenizer"), config), where + ": pre_tokenizer");
  const auto model = description.find("model");
  pipeline.model = read_model(model == description.end() ? Json() : *model, where + ": model");
  pipeline.decoder = read_decoder(part_of(description, "decoder"), where + ": decoder");
  const Vocabulary& vocabulary = pipeline.model->vocabulary();
  pipeline.added.add(read_added(description, where + ": added_tokens"), vocabulary, where);
  pipeline.added.add(tokens_of_config(config, pipeline.added), vocabulary, where);
  pipeline.control =
      control_ids(config, pipeline.added, vocabulary,
                  read_post_processor(part_of(description, "post_processor"), where + ": post_processor"));
  // Whatever its flags say, the end of a text or of a turn must not come out of ordinary text.
  for (const auto& id : {pipeline.control.bos, pipeline.control.eos, pipeline.control.pad}) {
    if (id) pipeline.added.make_special(*id);
  }
  pipeline.added.finish(pipeline.normalizer.get());
  pipeline.clean_up = config.clean_up_tokenization_spaces;
  return std::make_unique<PipelineTokenizer>(std::move(pipeline), content_hash);
}

}  // namespace anneal::datasets
