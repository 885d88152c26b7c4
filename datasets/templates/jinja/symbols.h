#pragma once
// The names of one scope while places are given out; see scopes.h.

#include <map>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

// A function whose slots are being given out. The same name on the same level of scopes is the same variable, as in the
// Python that jinja2 writes.
struct FunctionPlan {
  Function* function = nullptr;
  FunctionPlan* outer = nullptr;
  std::map<std::pair<int, std::string>, int> slots = {};
  int slot_of(int level, const std::string& name);
};

struct Reference {
  const FunctionPlan* function;
  int index;
};

class Symbols {
 public:
  Symbols(FunctionPlan& function, const Symbols* outer)
      : function_(&function), outer_(outer), level_(outer == nullptr ? 0 : outer->level_ + 1) {}

  void load(const std::string& name);
  void store(const std::string& name);
  int declare_parameter(const std::string& name);
  // After the branches of an {% if %} were looked at, each with its own copy.
  void merge(const std::vector<const Symbols*>& branches);

  std::optional<Reference> find(const std::string& name) const;
  FunctionPlan& function() const { return *function_; }

  struct Load {
    bool is_parameter = false;
    ScopeLoad::From from = ScopeLoad::From::kUndefined;
    std::optional<Reference> outer = {};
    std::string name = {};
  };
  const std::map<int, Load>& loads() const { return loads_; }

 private:
  int define(const std::string& name, Load load);

  FunctionPlan* function_;
  const Symbols* outer_;
  int level_;
  std::map<std::string, int> references_;
  std::map<int, Load> loads_;  // by slot
  std::set<std::string> stores_;
};

}  // namespace anneal::datasets::jinja
