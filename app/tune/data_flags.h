#pragma once
// The flags of commands that read data without a recipe: data check, data preview, eval. They are the recipe's keys.

#include <set>
#include <string>

#include "app/tune/command_line.h"
#include "engine/recipe/recipe.h"

namespace anneal::tune {

// "--max-sequence-length", "--bad-rows", …; add them to a command's set.
const std::set<std::string>& data_flags();

// --data and all of the above. Throws UsageError without --data, ProblemError for a value that a key does not take.
engine::DataOptions data_options(const CommandLine& line);

}  // namespace anneal::tune
