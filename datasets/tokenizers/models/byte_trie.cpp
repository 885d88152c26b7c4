#include "datasets/tokenizers/models/byte_trie.h"

#include <algorithm>
#include <deque>

namespace anneal::datasets {
namespace {

// Entries [begin, end) share the first `depth` bytes, which lead to `node`.
struct Branch {
  std::size_t begin;
  std::size_t end;
  std::size_t depth;
  uint32_t node;
};

}  // namespace

ByteTrie::ByteTrie(std::vector<std::pair<std::string_view, Token>> entries) : nodes_(1) {
  std::stable_sort(entries.begin(), entries.end(), [](const auto& a, const auto& b) { return a.first < b.first; });
  std::deque<Branch> branches{{0, entries.size(), 0, 0}};
  while (!branches.empty()) {
    const Branch branch = branches.front();
    branches.pop_front();
    std::size_t at = branch.begin;
    for (; at < branch.end && entries[at].first.size() == branch.depth; ++at) {
      if (branch.depth > 0) nodes_[branch.node].id = entries[at].second;
    }
    nodes_[branch.node].first_child = static_cast<uint32_t>(nodes_.size());
    while (at < branch.end) {
      const char label = entries[at].first[branch.depth];
      std::size_t end = at;
      while (end < branch.end && entries[end].first[branch.depth] == label) ++end;
      branches.push_back({at, end, branch.depth + 1, static_cast<uint32_t>(nodes_.size())});
      nodes_.push_back({.label = static_cast<unsigned char>(label)});
      ++nodes_[branch.node].child_count;
      at = end;
    }
  }
}

}  // namespace anneal::datasets
