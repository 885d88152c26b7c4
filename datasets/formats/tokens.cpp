// Ready-made tokens: {"input_ids", "labels"?, "attention_mask"?}, aligned as in transformers.

#include <limits>

#include "datasets/formats/format_list.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

std::vector<int32_t> read_ids(const RowFields& fields, const char* role, bool may_be_unlabelled) {
  const Json list = fields.structure(role);
  if (!list.is_array()) throw BadRow(fmt::format("\"{}\" is no list", role));
  std::vector<int32_t> ids;
  ids.reserve(list.size());
  for (const Json& item : list) {
    const bool is_whole = item.is_number_integer();
    const bool is_in_range =
        is_whole && (!item.is_number_unsigned() || item.get<uint64_t>() <= std::numeric_limits<int32_t>::max());
    const int64_t id = is_in_range ? item.get<int64_t>() : -1;
    if (!is_in_range || (id < 0 && !(may_be_unlabelled && id == kNoLabel))) {
      throw BadRow(fmt::format("\"{}\" holds {}, which is no token id", role, printable(to_text(item))));
    }
    ids.push_back(static_cast<int32_t>(id));
  }
  return ids;
}

// Padding has no place in a row: rows are packed without any.
void drop_masked(TokenRow& row, const std::vector<int32_t>& mask) {
  if (mask.size() != row.ids.size()) throw BadRow("\"attention_mask\" is not as long as \"input_ids\"");
  std::size_t kept = 0;
  for (std::size_t i = 0; i < mask.size(); ++i) {
    if (mask[i] == 0) continue;
    row.ids[kept] = row.ids[i];
    row.labels[kept++] = row.labels[i];
  }
  row.ids.resize(kept);
  row.labels.resize(kept);
}

RowContent read(const RowFields& fields) {
  TokenRow row;
  row.ids = read_ids(fields, "input_ids", false);
  if (fields.has("labels")) {
    row.labels = read_ids(fields, "labels", true);
    if (row.labels.size() != row.ids.size()) {
      throw BadRow(fmt::format("\"labels\" has {} entries and \"input_ids\" {}", row.labels.size(), row.ids.size()));
    }
  } else {
    row.labels = row.ids;
  }
  if (fields.has("attention_mask")) drop_masked(row, read_ids(fields, "attention_mask", false));
  // Nothing stands before the first token that it could be predicted from.
  if (!row.labels.empty()) row.labels.front() = kNoLabel;
  return row;
}

}  // namespace

const Format& tokens_format() {
  static const Format kFormat = {"tokens",
                                 "ready-made tokens",
                                 {{"input_ids", {"input_ids"}, Holds::kIds},
                                  {"labels", {"labels"}, Holds::kIds, false},
                                  {"attention_mask", {"attention_mask"}, Holds::kIds, false}},
                                 &read};
  return kFormat;
}

}  // namespace anneal::datasets
