#pragma once
// What was typed after a subcommand, taken apart: flags with and without values, and the rest.

#include <functional>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "kernels/core/error.h"

namespace anneal::tune {

class UsageError : public Error {
 public:
  explicit UsageError(const std::string& sentence) : Error(ErrorKind::kUsage, sentence) {}
};

// Which flags a subcommand knows. A flag that takes several values may be given again, or be followed by several words.
struct FlagSet {
  std::set<std::string> switches;  // "--json"
  std::set<std::string> values;    // "--out DIR"
  std::set<std::string> lists;     // "--data D…"
};

// Throws UsageError for an unknown flag (with the nearest known), a value that is missing, or one given twice.
class CommandLine {
 public:
  // `unknown_flag` may take what the set does not know (recipe keys): it gets the flag and the next word, if it is none
  // of our flags, and answers how many words it took (0: unknown).
  CommandLine(
      const std::vector<std::string>& words, const FlagSet& known,
      const std::function<int(const std::string& flag, const std::optional<std::string>& next)>& unknown_flag = {});

  bool has(const std::string& flag) const { return switches_.contains(flag); }
  std::optional<std::string> value(const std::string& flag) const;
  std::string required(const std::string& flag) const;
  std::vector<std::string> list(const std::string& flag) const;
  // The one of these flags that was given. Throws UsageError if none or more than one was.
  std::string expect_one_of(const std::vector<std::string>& flags) const;
  std::optional<int64_t> whole_number(const std::string& flag) const;
  std::optional<double> number(const std::string& flag) const;
  const std::vector<std::string>& words() const { return words_; }
  // Exactly `count` words beside the flags, named in the sentence otherwise.
  void expect_words(std::size_t count, const std::string& what) const;

 private:
  std::set<std::string> switches_;
  std::map<std::string, std::vector<std::string>> values_;
  std::vector<std::string> words_;
};

}  // namespace anneal::tune
