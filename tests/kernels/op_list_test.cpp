#include "kernels/op_list.h"

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "tests/kernels/ops/finite_differences.h"

namespace anneal::tests {
namespace {

struct ListedOp {
  std::string_view name;
  std::string_view gradient;
  // Empty: the op is itself a gradient; "none: …": it has none, for that reason.
  bool has_gradient() const { return !gradient.empty() && !gradient.starts_with("none: "); }
};

std::vector<ListedOp> listed_ops() {
#define ANNEAL_LISTED(Args, gradient) {#Args, gradient},
  return {ANNEAL_FOR_EACH_OP(ANNEAL_LISTED)};
#undef ANNEAL_LISTED
}

bool is_listed(std::string_view name) {
  const auto ops = listed_ops();
  return std::any_of(ops.begin(), ops.end(), [&](const ListedOp& op) { return op.name == name; });
}

TEST(OpList, EveryGradientIsTestedAgainstDifferences) {
  const auto ops = listed_ops();
  ASSERT_EQ(static_cast<int>(ops.size()), kOpCount);
  for (int index = 0; index < kOpCount; ++index) {
    const ListedOp& op = ops[static_cast<std::size_t>(index)];
    EXPECT_EQ(op.name, op_name(index));
    if (!op.has_gradient()) continue;
    EXPECT_TRUE(ops_with_gradient_test().contains(index))
        << op.name << " has a gradient and no ANNEAL_GRADIENT_TEST in tests/kernels/ops";
  }
}

TEST(OpList, NamedGradientsAreOpsThemselves) {
  for (const ListedOp& op : listed_ops()) {
    if (!op.has_gradient() || op.gradient.starts_with("itself")) continue;
    std::string_view rest = op.gradient;
    while (!rest.empty()) {
      const std::size_t comma = std::min(rest.find(", "), rest.size());
      EXPECT_TRUE(is_listed(rest.substr(0, comma))) << op.name << " names " << rest.substr(0, comma);
      rest.remove_prefix(std::min(rest.size(), comma + 2));
    }
  }
}

}  // namespace
}  // namespace anneal::tests
