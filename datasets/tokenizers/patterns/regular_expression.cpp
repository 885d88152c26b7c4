#include "datasets/tokenizers/patterns/regular_expression.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>

#include <algorithm>

#include "datasets/tokenizers/patterns/oniguruma_pattern.h"
#include "datasets/tokenizers/unicode/utf8.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

template <class T, void (*kFree)(T*)>
struct Freer {
  void operator()(T* object) const { kFree(object); }
};
using Code = std::unique_ptr<pcre2_code, Freer<pcre2_code, pcre2_code_free>>;
using CompileContext = std::unique_ptr<pcre2_compile_context, Freer<pcre2_compile_context, pcre2_compile_context_free>>;
using MatchContext = std::unique_ptr<pcre2_match_context, Freer<pcre2_match_context, pcre2_match_context_free>>;
using MatchData = std::unique_ptr<pcre2_match_data, Freer<pcre2_match_data, pcre2_match_data_free>>;
using JitStack = std::unique_ptr<pcre2_jit_stack, Freer<pcre2_jit_stack, pcre2_jit_stack_free>>;

constexpr std::size_t kLongestPattern = 64 * 1024;
constexpr uint32_t kDepthLimit = 1000;          // nested brackets in a pattern, and frames of the interpreter per byte
constexpr uint32_t kLeastSteps = 1'000'000;     // of one search
constexpr std::size_t kStepsPerByte = 20;       // a run of blanks is gone back through once or twice
constexpr uint32_t kHeapLimitKib = 256 * 1024;  // of the interpreter
constexpr std::size_t kJitStackBytes = 32 << 20;

std::string message_of(int code) {
  PCRE2_UCHAR text[256];
  pcre2_get_error_message(code, text, sizeof text);
  return reinterpret_cast<const char*>(text);
}

Code compile(const std::string& pattern, const std::string& shown, const std::string& where) {
  const CompileContext context(pcre2_compile_context_create(nullptr));
  pcre2_set_newline(context.get(), PCRE2_NEWLINE_LF);
  pcre2_set_bsr(context.get(), PCRE2_BSR_UNICODE);
  pcre2_set_parens_nest_limit(context.get(), 250);
  int error = 0;
  PCRE2_SIZE at = 0;
  Code code(pcre2_compile(reinterpret_cast<PCRE2_SPTR>(pattern.data()), pattern.size(),
                          PCRE2_UTF | PCRE2_UCP | PCRE2_MULTILINE | PCRE2_NEVER_BACKSLASH_C, &error, &at,
                          context.get()));
  if (!code) {
    throw input_error("{}: the regular expression \"{}\" cannot be used ({}). Get another copy of the file.", where,
                      printable(shown, 200), message_of(error));
  }
  pcre2_jit_compile(code.get(), PCRE2_JIT_COMPLETE);  // where it fails, matching is interpreted
  return code;
}

}  // namespace

struct RegularExpression::Compiled {
  std::string shown;  // as the file has it
  std::string where;
  Code code;
};

namespace {

// One walk through one text.
class Search {
 public:
  Search(const pcre2_code* code, std::string_view text)
      : code_(code),
        text_(text),
        data_(pcre2_match_data_create_from_pattern(code, nullptr)),
        context_(pcre2_match_context_create(nullptr)) {
    const std::size_t steps = kLeastSteps + kStepsPerByte * text.size();
    pcre2_set_match_limit(context_.get(), static_cast<uint32_t>(std::min<std::size_t>(steps, UINT32_MAX)));
    pcre2_set_depth_limit(context_.get(), kLeastSteps);
    pcre2_set_heap_limit(context_.get(), kHeapLimitKib);
  }

  // A match at or behind `from`; PCRE2's error code if there is none.
  int find(std::size_t from) {
    int result = run(from);
    if (result == PCRE2_ERROR_JIT_STACKLIMIT && !stack_) {
      stack_.reset(pcre2_jit_stack_create(32 * 1024, kJitStackBytes, nullptr));
      pcre2_jit_stack_assign(context_.get(), nullptr, stack_.get());
      result = run(from);
    }
    return result;
  }
  std::size_t begin() const { return pcre2_get_ovector_pointer(data_.get())[0]; }
  std::size_t end() const { return pcre2_get_ovector_pointer(data_.get())[1]; }

 private:
  int run(std::size_t from) {
    return pcre2_match(code_, reinterpret_cast<PCRE2_SPTR>(text_.data()), text_.size(), from, PCRE2_NO_UTF_CHECK,
                       data_.get(), context_.get());
  }

  const pcre2_code* code_;
  std::string_view text_;
  MatchData data_;
  MatchContext context_;
  JitStack stack_;
};

}  // namespace

RegularExpression::RegularExpression(const std::string& oniguruma_pattern, const std::string& where)
    : compiled_(std::make_unique<Compiled>()) {
  if (oniguruma_pattern.size() > kLongestPattern) {
    throw input_error(
        "{}: the regular expression has {} bytes, more than any tokenizer needs. Get another copy of the file.", where,
        oniguruma_pattern.size());
  }
  compiled_->shown = oniguruma_pattern;
  compiled_->where = where;
  compiled_->code = compile(translate_oniguruma_pattern(oniguruma_pattern, where), oniguruma_pattern, where);
}

RegularExpression::~RegularExpression() = default;
RegularExpression::RegularExpression(RegularExpression&&) noexcept = default;
RegularExpression& RegularExpression::operator=(RegularExpression&&) noexcept = default;

void RegularExpression::for_each_match(std::string_view text,
                                       const std::function<void(std::size_t, std::size_t)>& found) const {
  Search search(compiled_->code.get(), text);
  std::size_t from = 0;
  std::size_t last_end = std::string_view::npos;
  while (from <= text.size()) {
    const int result = search.find(from);
    if (result == PCRE2_ERROR_NOMATCH) return;
    if (result < 0) {
      throw input_error(
          "{}: the regular expression \"{}\" does not come to an end on a text of {} bytes ({}). The tokenizer file is "
          "damaged or hostile; get another copy.",
          compiled_->where, printable(compiled_->shown, 200), text.size(), message_of(result));
    }
    const std::size_t begin = search.begin();
    const std::size_t end = search.end();
    // An empty match right behind the last one would never end; the search goes on one character later.
    if (begin >= end && end == last_end) {
      from += from < text.size() ? character_size(text[from]) : 1;
      continue;
    }
    from = last_end = end;
    found(std::min(begin, end), end);
  }
}

}  // namespace anneal::datasets
