#pragma once
// A backend computes ops. Blocks speak to this class alone: backend.run(RmsNorm::Forward{…}, stream).
// One table slot per op, no strings; an op without a reference does not link.

#include <array>
#include <cstdint>
#include <string>
#include <string_view>

#include "kernels/core/arena.h"
#include "kernels/core/function_ref.h"
#include "kernels/op_list.h"

namespace anneal {

// Where an op runs: one worker's own rows (inside Backend::for_each_part), or everything (the whole team or card).
struct Stream {
  static constexpr int kWhole = -1;
  int worker = kWhole;
};

// How weights lie in memory for the products.
struct WeightLayout {
  DType dtype = DType::kF32;  // element type of `plain`
  bool keeps_plain = true;    // false: only packed forms are kept
  int64_t forward_bytes = 0;  // 0: Forward reads `plain`
  int64_t backward_bytes = 0;
};

class Backend {
 public:
  virtual ~Backend() = default;

  virtual std::string_view name() const = 0;         // "cpu"
  virtual std::string description() const = 0;       // for people: processor, instruction set, threads
  virtual int threads() const = 0;                   // workers of for_each_part
  virtual int64_t part_rows() const = 0;             // rows of one part; the last part may have fewer
  virtual bool is_dry() const { return false; }      // computes nothing; tensors have no memory

  template <class Args>
  void run(const Args& args, Stream stream = {}) {
    static_assert(kOpIndex<Args> >= 0, "not in op_list.h");
    run_op(kOpIndex<Args>, &args, stream);
  }

  // Runs `part` for 0 … count-1 on the workers, each with its own stream, in any order; returns when all are done and
  // throws the first exception of any.
  virtual void for_each_part(int64_t count, FunctionRef<void(int64_t index, Stream stream)> part) = 0;

  // How products want a weight that is frozen (packed once) or trained; `bf16` when products read BF16 values.
  virtual WeightLayout weight_layout(int64_t outputs, int64_t inputs, bool bf16, bool is_frozen) const = 0;
  // Fills the packed forms of `weight` from a plain matrix (which need not be weight.plain).
  virtual void pack(const LinearWeight& weight, const Tensor& plain) = 0;

  // Bytes of scratch that one worker needs for this op; the plan asks for each op of a step, and the largest is taken
  // from the arena for every worker before the first step (`use_scratch`).
  virtual int64_t scratch_bytes(int op, const void* args) const = 0;
  virtual void use_scratch(const Tensor& scratch) = 0;  // (threads, bytes), U8

 protected:
  virtual void run_op(int op, const void* args, Stream stream) = 0;
  // For a backend that stands in front of another.
  static void run_op_of(Backend& backend, int op, const void* args, Stream stream) {
    backend.run_op(op, args, stream);
  }
};

}  // namespace anneal
