#pragma once
// How things go wrong: three kinds, each with a sentence that a person can act on.
//   Problem       something the person can mend, known before work starts; collected, shown all at once
//   Error         an operation failed; thrown, with what happened, where and what to do
//   ensure()      our own fault; throws InternalError
// Text that comes from files goes through printable() before it is put into a sentence.

#include <fmt/format.h>

#include <cstdint>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace anneal {

// Something the person can mend. `path` says where: a recipe key, "file.jsonl:7", a tensor's name.
struct Problem {
  std::string path;
  std::string message;  // what is wrong, without a full stop
  std::string remedy;   // what to do, a full sentence
  friend bool operator==(const Problem&, const Problem&) = default;
};

// "WHERE: what. Remedy." on one line.
std::string to_sentence(const Problem& problem);

// The kinds decide the exit status of the command line (see app/tune).
enum class ErrorKind {
  kInput,     // a file or setting that the person can mend: 1
  kUsage,     // a wrong command line: 2
  kDevice,    // a device or the operating system failed: 3
  kInternal,  // our fault: 3
};

class Error : public std::runtime_error {
 public:
  Error(ErrorKind kind, const std::string& sentence) : std::runtime_error(sentence), kind_(kind) {}
  ErrorKind kind() const { return kind_; }

 private:
  ErrorKind kind_;
};

class InternalError : public Error {
 public:
  explicit InternalError(const std::string& sentence) : Error(ErrorKind::kInternal, sentence) {}
};

// Several problems at once: every one is shown, one sentence a line.
class ProblemError : public Error {
 public:
  explicit ProblemError(std::vector<Problem> problems);
  explicit ProblemError(Problem problem) : ProblemError(std::vector<Problem>{std::move(problem)}) {}
  const std::vector<Problem>& problems() const { return problems_; }

 private:
  std::vector<Problem> problems_;
};

// throw input_error("{}: file ends {} bytes early. Copy it again.", name, missing);
template <class... Args>
Error input_error(fmt::format_string<Args...> text, Args&&... args) {
  return Error(ErrorKind::kInput, fmt::format(text, std::forward<Args>(args)...));
}
template <class... Args>
Error device_error(fmt::format_string<Args...> text, Args&&... args) {
  return Error(ErrorKind::kDevice, fmt::format(text, std::forward<Args>(args)...));
}

// Our own invariants. Never for input.
inline void ensure(bool holds, const char* what) {
  if (!holds) throw InternalError(std::string("internal fault: ") + what);
}

// Text from a file, safe to print: control characters as \xNN, invalid UTF-8 as \xNN, cut after `limit` bytes with "…".
std::string printable(std::string_view text, std::size_t limit = 80);

// The known name nearest to `name` by edit distance; empty if none is near. For "unknown key … did you mean …".
std::string nearest_name(std::string_view name, const std::vector<std::string>& known);

}  // namespace anneal
