#include "engine/runs/database.h"

#include <fcntl.h>
#include <sqlite3.h>
#include <unistd.h>

#include <cerrno>
#include <limits>

namespace anneal::engine {
namespace {

constexpr int kLongestText = 16 << 20;  // a recipe or an event is far below
constexpr int kBusyWaitMs = 3000;

DatabaseFault fault_of(int code, int system_error) {
  // The shared-memory file beside the record cannot grow, or a quota is used up: a full disk under other names.
  const bool is_disk_error = (code & 0xFF) == SQLITE_IOERR;
  if (code == SQLITE_IOERR_SHMSIZE || (is_disk_error && (system_error == ENOSPC || system_error == EDQUOT))) {
    return DatabaseFault::kFull;
  }
  switch (code & 0xFF) {
    case SQLITE_FULL:
      return DatabaseFault::kFull;
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      return DatabaseFault::kBusy;
    case SQLITE_CORRUPT:
    case SQLITE_NOTADB:
      return DatabaseFault::kDamaged;
    case SQLITE_READONLY:
    case SQLITE_CANTOPEN:
    case SQLITE_PERM:
      return DatabaseFault::kReadOnly;
    default:
      return DatabaseFault::kOther;
  }
}

std::string sentence_of(DatabaseFault fault, const std::string& where, const char* reason) {
  const std::string shown = printable(reason, 200);
  switch (fault) {
    case DatabaseFault::kFull:
      return fmt::format("{}: the disk is full. Make room.", where);
    case DatabaseFault::kBusy:
      return fmt::format("{}: another program holds the file. Try again, or close it.", where);
    case DatabaseFault::kDamaged:
      return fmt::format("{}: is damaged ({}). Restore it from a copy; the files beside it are not touched.", where,
                         shown);
    case DatabaseFault::kReadOnly:
      return fmt::format("{}: cannot be opened or written ({}). Check the path and its permissions.", where, shown);
    case DatabaseFault::kOther:
      return fmt::format("{}: {}. Check the disk.", where, shown);
  }
  return where;
}

[[noreturn]] void fail(sqlite3* connection, int code, const std::string& where) {
  const DatabaseFault fault = fault_of(code, connection != nullptr ? sqlite3_system_errno(connection) : 0);
  throw DatabaseError(
      fault, sentence_of(fault, where, connection != nullptr ? sqlite3_errmsg(connection) : sqlite3_errstr(code)));
}

// A path as SQLite's file: address; every unusual byte is escaped.
std::string as_address(const std::string& path) {
  std::string address = "file:";
  for (const char letter : path) {
    const bool plain = (letter >= 'a' && letter <= 'z') || (letter >= 'A' && letter <= 'Z') ||
                       (letter >= '0' && letter <= '9') || letter == '/' || letter == '.' || letter == '-' ||
                       letter == '_';
    address += plain ? std::string(1, letter) : fmt::format("%{:02X}", static_cast<unsigned char>(letter));
  }
  return address + "?immutable=1";
}

// SQLite would make the file readable by everybody.
void make_private_file(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600);
  if (file >= 0) ::close(file);  // if not, opening the database says why
}

}  // namespace

void Statement::Finish::operator()(sqlite3_stmt* statement) const { sqlite3_finalize(statement); }
void Database::Close::operator()(sqlite3* connection) const { sqlite3_close_v2(connection); }

Statement::Statement(sqlite3* connection, std::string_view sql, const std::string& where)
    : connection_(connection), where_(where) {
  sqlite3_stmt* statement = nullptr;
  const int code = sqlite3_prepare_v2(connection, sql.data(), static_cast<int>(sql.size()), &statement, nullptr);
  statement_.reset(statement);
  expect(code);
}

void Statement::expect(int code) const {
  if (code != SQLITE_OK && code != SQLITE_ROW && code != SQLITE_DONE)
    fail(connection_, sqlite3_extended_errcode(connection_), where_);
}

Statement& Statement::bind(int index, int64_t value) {
  expect(sqlite3_bind_int64(statement_.get(), index, value));
  return *this;
}
Statement& Statement::bind(int index, double value) {
  expect(sqlite3_bind_double(statement_.get(), index, value));
  return *this;
}
Statement& Statement::bind(int index, std::string_view value) {
  expect(sqlite3_bind_text64(statement_.get(), index, value.data(), value.size(), SQLITE_TRANSIENT, SQLITE_UTF8));
  return *this;
}
Statement& Statement::bind_null(int index) {
  expect(sqlite3_bind_null(statement_.get(), index));
  return *this;
}

bool Statement::step() {
  const int code = sqlite3_step(statement_.get());
  expect(code);
  return code == SQLITE_ROW;
}

void Statement::execute() {
  try {
    while (step()) {
    }
  } catch (...) {
    reset();  // a statement left half way would keep its lock
    throw;
  }
  reset();
}

void Statement::reset() {
  sqlite3_reset(statement_.get());  // repeats the error of the last step
  sqlite3_clear_bindings(statement_.get());
}

int64_t Statement::integer(int column) const { return sqlite3_column_int64(statement_.get(), column); }
double Statement::real(int column) const {
  return is_null(column) ? std::numeric_limits<double>::quiet_NaN() : sqlite3_column_double(statement_.get(), column);
}
std::string Statement::text(int column) const {
  const auto* text = reinterpret_cast<const char*>(sqlite3_column_text(statement_.get(), column));
  return text == nullptr ? std::string()
                         : std::string(text, static_cast<std::size_t>(sqlite3_column_bytes(statement_.get(), column)));
}
bool Statement::is_null(int column) const { return sqlite3_column_type(statement_.get(), column) == SQLITE_NULL; }

Database::Database(const std::filesystem::path& file, DatabaseAccess access, const std::string& vfs)
    : where_(printable(file.string(), 1000)) {
  const std::string path = std::filesystem::absolute(file).string();  // never taken for an address or an option
  int flags = SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE;
  if (access == DatabaseAccess::kCreate) make_private_file(path);
  flags |= access == DatabaseAccess::kWrite || access == DatabaseAccess::kCreate ? SQLITE_OPEN_READWRITE
                                                                                 : SQLITE_OPEN_READONLY;
  const bool unchanging = access == DatabaseAccess::kReadUnchanging;
  if (unchanging) flags |= SQLITE_OPEN_URI;
  sqlite3* connection = nullptr;
  const int code = sqlite3_open_v2(unchanging ? as_address(path).c_str() : path.c_str(), &connection, flags,
                                   vfs.empty() ? nullptr : vfs.c_str());
  connection_.reset(connection);
  if (code != SQLITE_OK) fail(connection, code, where_);
  harden();
}

void Database::harden() {
  sqlite3* connection = connection_.get();
  sqlite3_db_config(connection, SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
  sqlite3_db_config(connection, SQLITE_DBCONFIG_ENABLE_VIEW, 0, nullptr);
  sqlite3_limit(connection, SQLITE_LIMIT_LENGTH, kLongestText);
  sqlite3_limit(connection, SQLITE_LIMIT_ATTACHED, 0);
  wait_when_busy(kBusyWaitMs);
  // Not mapped: a file that shrinks under a mapping kills the process. Cells are checked as pages are read.
  execute("PRAGMA mmap_size=0; PRAGMA cell_size_check=ON");
}

void Database::execute(const std::string& sql) {
  const int code = sqlite3_exec(connection_.get(), sql.c_str(), nullptr, nullptr, nullptr);
  if (code != SQLITE_OK) fail(connection_.get(), code, where_);
}

Statement Database::prepare(std::string_view sql) const { return Statement(connection_.get(), sql, where_); }

int64_t Database::pragma_number(const std::string& name) const {
  Statement statement = prepare("PRAGMA " + name);
  return statement.step() ? statement.integer(0) : 0;
}

std::string Database::pragma_text(const std::string& assignment) const {
  Statement statement = prepare("PRAGMA " + assignment);
  return statement.step() ? statement.text(0) : std::string();
}

void Database::wait_when_busy(int milliseconds) { sqlite3_busy_timeout(connection_.get(), milliseconds); }

Transaction::Transaction(Database& database) : database_(database) { database_.execute("BEGIN IMMEDIATE"); }

Transaction::~Transaction() {
  if (!is_open_) return;
  try {
    database_.execute("ROLLBACK");
  } catch (const Error&) {
    // SQLite has rolled back by itself already, as it does when the disk is full.
  }
}

void Transaction::commit() {
  database_.execute("COMMIT");
  is_open_ = false;
}

}  // namespace anneal::engine
