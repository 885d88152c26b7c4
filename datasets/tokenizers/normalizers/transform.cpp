#include "datasets/tokenizers/normalizers/transform.h"

#include <algorithm>
#include <utility>

#include "datasets/tokenizers/unicode/utf8.h"

namespace anneal::datasets {

void Transform::skip_character() {
  if (at_ < piece_.text.size()) at_ += character_size(piece_.text[at_]);
}

void Transform::put(char32_t code, int change) {
  Origin from{piece_.origin, piece_.origin};
  if (!piece_.origins.empty()) {
    const std::size_t last = piece_.origins.size() - 1;
    if (change <= 0) {
      from = piece_.origins[std::min(at_, last)];
    } else if (at_ > 0) {
      from = piece_.origins[std::min(at_ - 1, last)];
    }
  }
  result_.append(code, from);
  if (change <= 0) skip_character();
  for (int swallowed = change; swallowed < 0; ++swallowed) skip_character();
}

void Transform::finish() { piece_ = std::move(result_); }

}  // namespace anneal::datasets
