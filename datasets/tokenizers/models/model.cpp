#include "datasets/tokenizers/models/model.h"

#include "datasets/tokenizers/read_kind.h"
#include "datasets/tokenizers/unicode/byte_alphabet.h"

namespace anneal::datasets {

void Model::tokenize_bytes(std::string_view piece, ControlTokens control, ModelScratch& scratch,
                           std::vector<ModelToken>& tokens) const {
  scratch.spelling.clear();
  scratch.spelling_ends.clear();
  for (std::size_t i = 0; i < piece.size(); ++i) {
    append_character(scratch.spelling, character_of(piece[i]));
    scratch.spelling_ends.resize(scratch.spelling.size(), static_cast<uint32_t>(i + 1));
  }
  const std::size_t first = tokens.size();
  tokenize(scratch.spelling, control, scratch, tokens);
  for (std::size_t i = first; i < tokens.size(); ++i) {
    ModelToken& token = tokens[i];
    token.begin = token.begin == 0 ? 0 : scratch.spelling_ends[token.begin - 1];
    token.end = token.end == 0 ? 0 : scratch.spelling_ends[token.end - 1];
  }
}

void Model::forbid(std::span<const Token> control_tokens) {
  for (const Token id : control_tokens) {
    // A single character is the model's alphabet; without it ordinary text could not be spelt.
    const auto text = vocabulary_.text(id);
    if (!text || count_characters(*text) < 2 || id == unknown()) continue;
    forbidden_.resize(static_cast<std::size_t>(vocabulary_.end()));
    forbidden_[static_cast<std::size_t>(id)] = true;
  }
}

std::unique_ptr<Model> read_model(const Json& description, const std::string& where) {
  if (!description.is_object()) throw input_error("{}: is missing. Get a complete copy of the file.", where);
  if (!description.contains("type")) {
    const auto vocab = description.find("vocab");
    if (description.contains("merges")) return read_bpe(description, where);
    if (vocab != description.end() && vocab->is_array()) return read_unigram(description, where);
    if (description.contains("continuing_subword_prefix")) return read_word_piece(description, where);
    return read_word_level(description, where);
  }
  static const KindList<Model> kinds = {
      {"BPE", read_bpe}, {"Unigram", read_unigram}, {"WordLevel", read_word_level}, {"WordPiece", read_word_piece}};
  return read_kind(kinds, description, where);
}

}  // namespace anneal::datasets
