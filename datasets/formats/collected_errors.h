#pragma once
// What is wrong with several files, told all at once: a person who mends the first should not meet the second
// afterwards.

#include <string>
#include <vector>

#include "kernels/core/error.h"

namespace anneal::datasets {

class CollectedErrors {
 public:
  // Runs `step`. What the person can mend is kept, a sentence told before only once; any other error passes through.
  template <class Step>
  void collect(Step&& step) {
    try {
      step();
    } catch (const Error& error) {
      if (error.kind() != ErrorKind::kInput) throw;
      add(error.what());
    }
  }
  void add(const std::string& sentences);

  bool empty() const { return sentences_.empty(); }
  const std::vector<std::string>& sentences() const { return sentences_; }
  // Error(kInput) with one sentence a line, unless there are none.
  void throw_if_any() const;

 private:
  std::vector<std::string> sentences_;
};

}  // namespace anneal::datasets
