#include "datasets/tokenizers/pre_tokenizers/delimiters.h"

#include <algorithm>

#include "kernels/core/error.h"

namespace anneal::datasets {

DelimiterBehavior delimiter_behavior(const std::string& name, const std::string& where) {
  if (name == "Removed") return DelimiterBehavior::kRemoved;
  if (name == "Isolated") return DelimiterBehavior::kIsolated;
  if (name == "MergedWithPrevious") return DelimiterBehavior::kMergedWithPrevious;
  if (name == "MergedWithNext") return DelimiterBehavior::kMergedWithNext;
  if (name == "Contiguous") return DelimiterBehavior::kContiguous;
  throw input_error("{}: the behavior \"{}\" is unknown. Get another copy of the file.", where, printable(name));
}

void DelimiterCuts::add_part(std::size_t begin, std::size_t end, bool is_delimiter) {
  parts_.push_back({{static_cast<uint32_t>(begin), static_cast<uint32_t>(end)}, is_delimiter != invert_});
}

void DelimiterCuts::add(std::size_t begin, std::size_t end) {
  if (begin > done_) add_part(done_, begin, false);
  add_part(begin, end, true);
  done_ = end;
}

void DelimiterCuts::finish(std::vector<Cut>& cuts) {
  if (done_ < text_size_) add_part(done_, text_size_, false);
  if (behavior_ == DelimiterBehavior::kMergedWithNext) std::reverse(parts_.begin(), parts_.end());
  bool was_delimiter = false;
  for (const Part& part : parts_) {
    bool joins_last = false;
    switch (behavior_) {
      case DelimiterBehavior::kRemoved:
        if (part.is_delimiter) continue;
        break;
      case DelimiterBehavior::kIsolated:
        break;
      case DelimiterBehavior::kContiguous:
        joins_last = part.is_delimiter == was_delimiter;
        break;
      case DelimiterBehavior::kMergedWithPrevious:
      case DelimiterBehavior::kMergedWithNext:
        joins_last = part.is_delimiter && !was_delimiter;
        break;
    }
    was_delimiter = part.is_delimiter;
    if (joins_last && !cuts.empty()) {
      cuts.back().begin = std::min(cuts.back().begin, part.cut.begin);
      cuts.back().end = std::max(cuts.back().end, part.cut.end);
    } else {
      cuts.push_back(part.cut);
    }
  }
  if (behavior_ == DelimiterBehavior::kMergedWithNext) std::reverse(cuts.begin(), cuts.end());
}

}  // namespace anneal::datasets
