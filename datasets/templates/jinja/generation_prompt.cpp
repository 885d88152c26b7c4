#include "datasets/templates/jinja/generation_prompt.h"

#include <algorithm>

#include "datasets/templates/jinja/tree_walk.h"

namespace anneal::datasets::jinja {
namespace {

constexpr std::string_view kAsked = "add_generation_prompt";

bool asks(Statement& statement) {
  bool found = false;
  NameWalk([&](const std::string& name, NameUse) { found = found || name == kAsked; }).walk(statement);
  return found;
}

class Judge {
 public:
  explicit Judge(std::set<std::string, std::less<>> changing) : changing_(std::move(changing)) {}

  // Only prints and conditions, with names that stay the same.
  bool is_fixed(Statements& statements) const {
    return std::all_of(statements.begin(), statements.end(),
                       [&](const auto& statement) { return is_fixed(*statement); });
  }

 private:
  bool is_fixed(Statement& statement) const {
    if (statement.kind == StatementKind::kOutput) {
      auto& parts = static_cast<Output&>(statement).parts;
      return std::all_of(parts.begin(), parts.end(),
                         [&](const auto& part) { return !part.expression || is_fixed(*part.expression); });
    }
    if (statement.kind != StatementKind::kIf) return false;
    auto& node = static_cast<If&>(statement);
    return std::all_of(node.branches.begin(), node.branches.end(),
                       [&](auto& branch) { return is_fixed(*branch.test) && is_fixed(branch.body); }) &&
           is_fixed(node.otherwise);
  }
  bool is_fixed(Expression& expression) const {
    bool fixed = true;
    NameWalk([&](const std::string& name, NameUse) { fixed = fixed && !changing_.contains(name); }).walk(expression);
    return fixed;
  }

  std::set<std::string, std::less<>> changing_;
};

}  // namespace

bool has_fixed_generation_prompt(Program& program) {
  std::set<std::string, std::less<>> changing = {"messages"};
  const auto note = [&](const std::string& name, NameUse use) {
    if (use != NameUse::kRead) changing.insert(name);
  };
  NameWalk(note).walk(program.body);
  if (changing.contains(kAsked)) return false;
  const Judge judge(std::move(changing));
  for (auto& statement : program.body) {
    if (!asks(*statement)) continue;
    if (statement->kind != StatementKind::kIf) return false;
    auto& node = static_cast<If&>(*statement);
    const bool plain = node.branches.size() == 1 && node.otherwise.empty() &&
                       node.branches.front().test->kind == ExpressionKind::kName &&
                       static_cast<Name&>(*node.branches.front().test).name == kAsked;
    if (!plain || !judge.is_fixed(node.branches.front().body)) return false;
  }
  return true;
}

}  // namespace anneal::datasets::jinja
