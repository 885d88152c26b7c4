#pragma once
// Finds all texts of a vocabulary that a text begins with, in one walk over its bytes.

#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

#include "datasets/tokenizers/tokenizer.h"

namespace anneal::datasets {

class ByteTrie {
 public:
  // Of entries with the same text the last counts; empty texts are passed over.
  explicit ByteTrie(std::vector<std::pair<std::string_view, Token>> entries);

  // visit(size, id) for the entries that `text` begins with, the shortest first.
  template <class Visit>
  void for_each_prefix(std::string_view text, Visit visit) const {
    uint32_t node = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
      node = child(node, static_cast<unsigned char>(text[i]));
      if (node == 0) return;
      if (nodes_[node].id >= 0) visit(i + 1, nodes_[node].id);
    }
  }

 private:
  struct Node {
    uint32_t first_child = 0;
    uint16_t child_count = 0;
    unsigned char label = 0;
    Token id = -1;
  };

  // 0, the root, if there is none.
  uint32_t child(uint32_t parent, unsigned char label) const {
    uint32_t low = nodes_[parent].first_child;
    uint32_t high = low + nodes_[parent].child_count;
    while (low < high) {
      const uint32_t middle = low + (high - low) / 2;
      if (nodes_[middle].label < label) {
        low = middle + 1;
      } else {
        high = middle;
      }
    }
    return low < nodes_[parent].first_child + nodes_[parent].child_count && nodes_[low].label == label ? low : 0;
  }

  std::vector<Node> nodes_;  // a node's children lie together, sorted by label
};

}  // namespace anneal::datasets
