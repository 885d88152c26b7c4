#pragma once
// A backend that stands in front of another and measures where the time goes, op by op.

#include <array>
#include <memory>
#include <vector>

#include "kernels/backend.h"

namespace anneal {

class TimedBackend : public Backend {
 public:
  explicit TimedBackend(std::unique_ptr<Backend> inner);

  std::string_view name() const override { return inner_->name(); }
  std::string description() const override { return inner_->description(); }
  int threads() const override { return inner_->threads(); }
  int64_t part_rows() const override { return inner_->part_rows(); }
  bool is_dry() const override { return inner_->is_dry(); }
  void for_each_part(int64_t count, FunctionRef<void(int64_t, Stream)> part) override {
    inner_->for_each_part(count, part);
  }
  WeightLayout weight_layout(int64_t outputs, int64_t inputs, bool bf16, bool is_frozen) const override {
    return inner_->weight_layout(outputs, inputs, bf16, is_frozen);
  }
  void pack(const LinearWeight& weight, const Tensor& plain) override { inner_->pack(weight, plain); }
  int64_t scratch_bytes(int op, const void* args) const override { return inner_->scratch_bytes(op, args); }
  void use_scratch(const Tensor& scratch) override { inner_->use_scratch(scratch); }

  // What was measured since the last clear(), of ops that ran at all. A worker's time counts once, the whole team's as
  // often as it has threads: divided by threads × elapsed time it is the op's share; what is missing is waiting.
  struct OpTime {
    std::string_view name;
    double thread_seconds = 0;
    double operations = 0;
    int64_t calls = 0;
  };
  std::vector<OpTime> times() const;  // the longest first
  void clear();

 protected:
  void run_op(int op, const void* args, Stream stream) override;

 private:
  struct alignas(64) Counter {  // one per worker and one for the team: no two threads write to one
    double seconds = 0;
    double operations = 0;
    int64_t calls = 0;
  };
  Counter& counter(int op, Stream stream) {
    return counters_[static_cast<std::size_t>(op)][static_cast<std::size_t>(stream.worker + 1)];
  }
  std::unique_ptr<Backend> inner_;
  std::array<std::vector<Counter>, static_cast<std::size_t>(kOpCount)> counters_;
};

}  // namespace anneal
