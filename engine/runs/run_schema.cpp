#include "engine/runs/run_schema.h"

#include <array>
#include <map>

namespace anneal::engine {
namespace {

constexpr int64_t kApplicationId = 0x416E6E6C;  // "Annl"

struct Table {
  const char* name;
  const char* sql;  // as SQLite keeps it: a file is ours if these texts stand in it
};

constexpr std::array<Table, 5> kTables = {{
    {"run",
     "CREATE TABLE run (one INTEGER PRIMARY KEY CHECK (one = 1), id TEXT NOT NULL, name TEXT NOT NULL, "
     "created_ms INTEGER NOT NULL, recipe TEXT NOT NULL, state TEXT NOT NULL, message TEXT NOT NULL, "
     "step INTEGER NOT NULL, total_steps INTEGER, process TEXT NOT NULL, heartbeat_ms INTEGER NOT NULL)"},
    {"event",
     "CREATE TABLE event (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, step INTEGER NOT NULL, kind TEXT NOT NULL, "
     "data TEXT NOT NULL)"},
    {"scalar",
     "CREATE TABLE scalar (name TEXT NOT NULL, step INTEGER NOT NULL, value REAL, PRIMARY KEY (name, step)) WITHOUT "
     "ROWID"},
    {"artifact",
     "CREATE TABLE artifact (path TEXT NOT NULL PRIMARY KEY, kind TEXT NOT NULL, step INTEGER NOT NULL, "
     "bytes INTEGER NOT NULL, sha256 TEXT NOT NULL, time_ms INTEGER NOT NULL)"},
    {"control",
     "CREATE TABLE control (id INTEGER PRIMARY KEY, time_ms INTEGER NOT NULL, word TEXT NOT NULL, taken_ms INTEGER)"},
}};

}  // namespace

void create_run_schema(Database& database) {
  for (const Table& table : kTables) database.execute(table.sql);
  database.execute(fmt::format("PRAGMA application_id={}; PRAGMA user_version={}", kApplicationId, kRunSchemaVersion));
}

bool is_empty_database(const Database& database) {
  return !database.prepare("SELECT 1 FROM sqlite_schema LIMIT 1").step();
}

void check_run_schema(const Database& database) {
  if (database.pragma_number("application_id") != kApplicationId) {
    throw input_error("{}: is not the record of a run. Check the path.", database.where());
  }
  const int64_t version = database.pragma_number("user_version");
  if (version > kRunSchemaVersion) {
    throw input_error("{}: was written by a newer Anneal (version {} of the record, this one reads {}). Use that one.",
                      database.where(), version, kRunSchemaVersion);
  }
  std::map<std::string, std::string> expected;
  for (const Table& table : kTables) expected.emplace(table.name, table.sql);
  Statement found = database.prepare("SELECT name, sql FROM sqlite_schema WHERE sql IS NOT NULL");
  std::size_t count = 0;
  for (; found.step(); ++count) {
    const auto table = expected.find(found.text(0));
    // Anything else could make a query do what we did not write: a generated column, a virtual table.
    if (table == expected.end() || table->second != found.text(1)) {
      throw input_error("{}: its table \"{}\" is not one that this program writes. Restore it from a copy.",
                        database.where(), printable(found.text(0)));
    }
  }
  if (version < 1 || count != expected.size()) {
    throw input_error("{}: is not a whole record of a run. Restore it from a copy.", database.where());
  }
}

}  // namespace anneal::engine
