#pragma once
// The tables of a run's record, and the check that a file has exactly these.
//
//   run       one row: id, name, recipe, state, step, who holds it and the last sign of life
//   event     what happened, in order
//   scalar    numbers by name and step; stored in that order, so that a curve is one range of the file
//   artifact  files that the run has made
//   control   requests of other processes; the only table that they write

#include "engine/runs/database.h"

namespace anneal::engine {

inline constexpr int64_t kRunSchemaVersion = 1;

void create_run_schema(Database& database);  // within a transaction

// Throws Error(kInput) for a file that is no run record, was changed, or is of a newer version.
void check_run_schema(const Database& database);

// No table at all: nobody has begun to write.
bool is_empty_database(const Database& database);

}  // namespace anneal::engine
