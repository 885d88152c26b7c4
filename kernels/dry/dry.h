#pragma once
// A backend that computes nothing: it counts operations and asks the target how much scratch each op would need. One
// step run on it is the plan.

#include <memory>

#include "kernels/backend.h"

namespace anneal {

class DryBackend : public Backend {
 public:
  explicit DryBackend(const Backend& target) : target_(target) {}
  std::string_view name() const override { return "dry"; }
  std::string description() const override { return "dry run for " + target_.description(); }
  int threads() const override { return target_.threads(); }
  int64_t part_rows() const override { return target_.part_rows(); }
  bool is_dry() const override { return true; }
  void for_each_part(int64_t count, FunctionRef<void(int64_t, Stream)> part) override {
    for (int64_t index = 0; index < count; ++index) part(index, Stream{0});
  }
  WeightLayout weight_layout(int64_t outputs, int64_t inputs, bool bf16, bool is_frozen) const override {
    return target_.weight_layout(outputs, inputs, bf16, is_frozen);
  }
  void pack(const LinearWeight&, const Tensor&) override {}
  int64_t scratch_bytes(int op, const void* args) const override { return target_.scratch_bytes(op, args); }
  void use_scratch(const Tensor&) override {}

  double operations() const { return operations_; }                    // of everything run so far
  int64_t scratch_bytes_per_worker() const { return scratch_bytes_; }  // the largest need met so far

 protected:
  void run_op(int op, const void* args, Stream stream) override;

 private:
  const Backend& target_;
  double operations_ = 0;
  int64_t scratch_bytes_ = 0;
};

}  // namespace anneal
