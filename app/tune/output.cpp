#include "app/tune/output.h"

#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <cstdlib>

namespace anneal::tune {
namespace {

void flush_or_leave() {
  // Nobody reads any more (| head): no fault of the run's, and nothing more to say.
  if (std::fflush(stdout) != 0 && errno == EPIPE) std::_Exit(0);
}

}  // namespace

void print_text(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  flush_or_leave();
}

void print_line(std::string_view text) {
  std::fwrite(text.data(), 1, text.size(), stdout);
  std::fputc('\n', stdout);
  flush_or_leave();
}

void print_json(const Json& object) { print_line(to_text(object)); }

void print_error(std::string_view sentence) {
  std::fwrite(sentence.data(), 1, sentence.size(), stderr);
  std::fputc('\n', stderr);
  std::fflush(stderr);
}

bool is_terminal() { return isatty(STDOUT_FILENO) == 1; }

}  // namespace anneal::tune
