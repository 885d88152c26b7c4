#include "engine/files/problem_list.h"

#include <utility>

namespace anneal::engine {

void throw_if_any(std::vector<Problem> problems) {
  constexpr std::size_t kShown = 20;
  if (problems.empty()) return;
  if (problems.size() > kShown) {
    const std::size_t more = problems.size() - kShown;
    problems.resize(kShown);
    problems.push_back({"", fmt::format("And {} more like these", more), ""});
  }
  throw ProblemError(std::move(problems));
}

}  // namespace anneal::engine
