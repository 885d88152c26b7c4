#include "datasets/tokenizers/post_processor.h"

#include "datasets/tokenizers/models/vocabulary.h"
#include "datasets/tokenizers/read_kind.h"

namespace anneal::datasets {
namespace {

Token checked_id(const Json& id, const std::string& where) {
  if (!id.is_number_integer() || id.get<int64_t>() < 0 || id.get<int64_t>() >= kMostTokens) {
    throw input_error("{}: {} is no token id. Get another copy of the file.", where, printable(to_text(id)));
  }
  return id.get<Token>();
}

const Json& member(const Json& description, const char* key, const std::string& where) {
  const auto found = description.is_object() ? description.find(key) : description.end();
  if (found == description.end())
    throw input_error("{}: \"{}\" is missing. Get a complete copy of the file.", where, key);
  return *found;
}

std::vector<Token> ids_of_special(const Json& description, const std::string& name, const std::string& where) {
  const Json& all = member(description, "special_tokens", where);
  const auto found = all.is_object() ? all.find(name) : all.end();
  if (found == all.end()) {
    throw input_error("{}: \"special_tokens\" lacks \"{}\", which the template needs. Get another copy of the file.",
                      where, printable(name));
  }
  std::vector<Token> ids;
  for_each_member(*found, "ids", where,
                  [&](const Json& id, const std::string& id_where) { ids.push_back(checked_id(id, id_where)); });
  return ids;
}

TokensAround read_template(const Json& description, const std::string& where) {
  TokensAround around;
  bool has_text = false;
  for_each_member(description, "single", where, [&](const Json& piece, const std::string& piece_where) {
    if (piece.is_object() && piece.contains("SpecialToken")) {
      const auto name = require<std::string>(piece["SpecialToken"], "id", piece_where);
      const std::vector<Token> ids = ids_of_special(description, name, where);
      std::vector<Token>& side = has_text ? around.behind : around.before;
      side.insert(side.end(), ids.begin(), ids.end());
      return;
    }
    const bool is_text = piece.is_object() && piece.contains("Sequence") &&
                         require<std::string>(piece["Sequence"], "id", piece_where) == "A";
    if (!is_text || has_text) {
      throw input_error("{}: {} does not fit into the template of a single text. Get another copy of the file.",
                        piece_where, printable(to_text(piece)));
    }
    has_text = true;
  });
  if (!has_text) throw input_error("{}: the template has no place for the text. Get another copy of the file.", where);
  return around;
}

// "cls": ["[CLS]", 101], "sep": ["[SEP]", 102]
TokensAround read_classifier_pair(const Json& description, const std::string& where) {
  const auto id_of = [&](const char* key) {
    const Json& pair = member(description, key, where);
    if (!pair.is_array() || pair.size() != 2) {
      throw input_error("{}: \"{}\" is {}, expected [text, id]. Get another copy of the file.", where, key,
                        printable(to_text(pair)));
    }
    return checked_id(pair[1], where);
  };
  return {.before = {id_of("cls")}, .behind = {id_of("sep")}};
}

}  // namespace

TokensAround read_post_processor(const Json& description, const std::string& where) {
  if (description.is_null()) return {};
  const auto type = require<std::string>(description, "type", where);
  if (type == "ByteLevel") return {};
  if (type == "TemplateProcessing") return read_template(description, where);
  if (type == "BertProcessing" || type == "RobertaProcessing") return read_classifier_pair(description, where);
  if (type != "Sequence") {
    throw input_error("{}: the type \"{}\" is unknown. Check that the file comes from a program we can read.", where,
                      printable(type));
  }
  // Each step puts its tokens around what the one before it made.
  TokensAround around;
  for_each_member(description, "processors", where, [&](const Json& step, const std::string& step_where) {
    const TokensAround outer = read_post_processor(step, step_where);
    around.before.insert(around.before.begin(), outer.before.begin(), outer.before.end());
    around.behind.insert(around.behind.end(), outer.behind.begin(), outer.behind.end());
  });
  return around;
}

}  // namespace anneal::datasets
