#pragma once
// What the tests of run records share.

#include <gtest/gtest.h>
#include <sys/wait.h>
#include <unistd.h>

#include <functional>
#include <string>

#include "kernels/core/error.h"

namespace anneal::engine::tests {

// The sentence of the input error that a call throws; "" if it throws none.
template <class Function>
std::string sentence_of(Function&& function) {
  try {
    function();
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    return error.what();
  }
  return "";
}

// Runs `body` in another process and returns its number; the process ends with status 0, or 1 if `body` throws.
inline pid_t in_another_process(const std::function<void()>& body) {
  const pid_t child = ::fork();
  if (child != 0) return child;
  ::alarm(60);  // never outlives a test that failed
  int status = 0;
  try {
    body();
  } catch (const std::exception& error) {
    static_cast<void>(!::write(2, error.what(), std::char_traits<char>::length(error.what())));
    status = 1;
  }
  ::_exit(status);
}

inline int status_of(pid_t child) {
  int status = -1;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 128 + WTERMSIG(status);
}

}  // namespace anneal::engine::tests
