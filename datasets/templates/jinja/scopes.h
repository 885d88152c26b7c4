#pragma once
// Gives every variable of a parsed template its place, by jinja2's rules: which names are local to a loop, which come
// from outside, and what a name is before it is set. Also refuses what jinja2 refuses when it compiles: unknown filters
// and tests outside of conditions, and setting `loop`.

#include "datasets/templates/jinja/ast.h"

namespace anneal::datasets::jinja {

// Completes the program in place. Throws SyntaxFault.
void give_places(Program& program);

}  // namespace anneal::datasets::jinja
