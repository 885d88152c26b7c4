#include "datasets/formats/collected_errors.h"

#include <algorithm>

namespace anneal::datasets {

void CollectedErrors::add(const std::string& sentences) {
  std::size_t begin = 0;
  while (begin <= sentences.size()) {
    const std::size_t end = std::min(sentences.find('\n', begin), sentences.size());
    std::string sentence = sentences.substr(begin, end - begin);
    const bool is_known = std::find(sentences_.begin(), sentences_.end(), sentence) != sentences_.end();
    if (!sentence.empty() && !is_known) sentences_.push_back(std::move(sentence));
    begin = end + 1;
  }
}

void CollectedErrors::throw_if_any() const {
  if (!empty()) throw input_error("{}", fmt::join(sentences_, "\n"));
}

}  // namespace anneal::datasets
