#pragma once
// A thin owner of one SQLite connection. Only this folder uses it. One thread at a time; a Database that moves to
// another thread moves whole. Every file is taken as one that a stranger wrote: defensive mode, no trusted schema, no
// views or triggers, bounded texts.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "kernels/core/error.h"

struct sqlite3;
struct sqlite3_stmt;

namespace anneal::engine {

// What went wrong, in kinds that callers treat differently.
enum class DatabaseFault { kFull, kBusy, kDamaged, kReadOnly, kOther };

class DatabaseError : public Error {
 public:
  DatabaseError(DatabaseFault fault, const std::string& sentence) : Error(ErrorKind::kInput, sentence), fault_(fault) {}
  DatabaseFault fault() const { return fault_; }

 private:
  DatabaseFault fault_;
};

enum class DatabaseAccess {
  kRead,
  kReadUnchanging,  // nobody writes: needs no lock or shared-memory file beside it, so it works in a read-only folder
  kWrite,           // must exist
  kCreate,          // made, readable by its owner only, where it does not exist
};

class Statement {
 public:
  Statement(sqlite3* connection, std::string_view sql, const std::string& where);
  // Parameters count from 1. Texts are copied.
  Statement& bind(int index, int64_t value);
  Statement& bind(int index, double value);  // NaN is stored as NULL
  Statement& bind(int index, std::string_view value);
  Statement& bind_null(int index);
  bool step();     // true: a row is there
  void execute();  // to the end, then reset for the next values
  void reset();

  int64_t integer(int column) const;
  double real(int column) const;  // NULL reads as NaN
  std::string text(int column) const;
  bool is_null(int column) const;

 private:
  struct Finish {
    void operator()(sqlite3_stmt* statement) const;
  };
  void expect(int code) const;

  sqlite3* connection_;
  std::string where_;
  std::unique_ptr<sqlite3_stmt, Finish> statement_;
};

class Database {
 public:
  // `vfs` names another file layer of SQLite; empty: the system's.
  Database(const std::filesystem::path& file, DatabaseAccess access, const std::string& vfs = {});

  void execute(const std::string& sql);  // one or several statements without parameters
  Statement prepare(std::string_view sql) const;
  int64_t pragma_number(const std::string& name) const;
  std::string pragma_text(const std::string& assignment) const;  // "journal_mode=WAL" -> the mode that it got
  void wait_when_busy(int milliseconds);
  const std::string& where() const { return where_; }  // the file, for sentences

 private:
  struct Close {
    void operator()(sqlite3* connection) const;
  };
  void harden();

  std::string where_;
  std::unique_ptr<sqlite3, Close> connection_;
};

// Rolls back unless committed.
class Transaction {
 public:
  explicit Transaction(Database& database);  // takes the write lock at once
  ~Transaction();
  Transaction(const Transaction&) = delete;
  Transaction& operator=(const Transaction&) = delete;
  void commit();

 private:
  Database& database_;
  bool is_open_ = true;
};

}  // namespace anneal::engine
