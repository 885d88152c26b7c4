#pragma once
// Regular expressions from tokenizer files. They are written for Oniguruma; we translate them (oniguruma_pattern.h) and
// match with PCRE2, compiled to machine code where that is possible, within limits of steps and memory.

#include <cstdint>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

namespace anneal::datasets {

// Unchanging; used by many threads at the same time.
class RegularExpression {
 public:
  // `where` names the pattern's place in sentences. Throws Error(kInput) for one that is wrong or that we cannot
  // express.
  RegularExpression(const std::string& oniguruma_pattern, const std::string& where);
  ~RegularExpression();
  RegularExpression(RegularExpression&&) noexcept;
  RegularExpression& operator=(RegularExpression&&) noexcept;

  // Calls found(begin, end) for the matches in `text` (valid UTF-8) from left to right; they do not overlap, and an
  // empty one never touches the end of the one before. Throws Error(kInput) if the pattern needs too many steps.
  void for_each_match(std::string_view text, const std::function<void(std::size_t, std::size_t)>& found) const;

 private:
  struct Compiled;
  std::unique_ptr<Compiled> compiled_;
};

}  // namespace anneal::datasets
