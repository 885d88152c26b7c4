#pragma once
#include <QString>

#include "engine/recipe/recipe.h"

namespace anneal::ui {

// The command that trains the same in a terminal: every setting that differs from its default, quoted for a POSIX
// shell.
QString command_text(const engine::Recipe& recipe);

}  // namespace anneal::ui
