#include "kernels/reference/reference.h"

namespace anneal {
namespace {

class ReferenceBackend : public Backend {
 public:
  explicit ReferenceBackend(int64_t part_rows) : part_rows_(part_rows) {}
  std::string_view name() const override { return "reference"; }
  std::string description() const override { return "plain reference, one thread"; }
  int threads() const override { return 1; }
  int64_t part_rows() const override { return part_rows_; }
  void for_each_part(int64_t count, FunctionRef<void(int64_t, Stream)> part) override {
    for (int64_t index = 0; index < count; ++index) part(index, Stream{0});
  }
  WeightLayout weight_layout(int64_t, int64_t, bool, bool) const override { return {}; }
  void pack(const LinearWeight&, const Tensor&) override {}
  int64_t scratch_bytes(int, const void*) const override { return 0; }
  void use_scratch(const Tensor&) override {}

 protected:
  void run_op(int op, const void* args, Stream) override {
    using Entry = void (*)(const void*);
#define ANNEAL_ENTRY(Args, gradient) [](const void* a) { reference::run(*static_cast<const Args*>(a)); },
    static constexpr Entry kTable[] = {ANNEAL_FOR_EACH_OP(ANNEAL_ENTRY)};
#undef ANNEAL_ENTRY
    kTable[op](args);
  }

 private:
  int64_t part_rows_;
};

}  // namespace

std::unique_ptr<Backend> make_reference_backend(int64_t part_rows) {
  return std::make_unique<ReferenceBackend>(part_rows);
}

}  // namespace anneal
