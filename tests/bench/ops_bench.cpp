// Rates of the processor's ops at the shapes of a model with 576 columns (135 million parameters), parts of 256 rows:
//   anneal_ops_bench [threads] [text that the op's name holds]
// One thread shows what a part costs; more show the whole-team ops. Each line is the best of many runs: on a machine
// that does other things too, compare lines of one run.

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <ctime>
#include <string>

#include "kernels/cpu/cpu.h"
#include "tests/kernels/ops/cpu_comparison.h"

namespace anneal::tests {
namespace {

constexpr int64_t kRows = 256, kWidth = 576, kFeed = 1536, kVocabulary = 49152;

class Bench {
 public:
  Bench(int threads, std::string wanted)
      : team_(threads, int64_t{64} << 20), threads_(threads), wanted_(std::move(wanted)) {}

  // Runs `args` as a part on one thread, or on the whole team; prints its rate. `bytes` is what the op must at least
  // read and write; 0 for ops that count operations.
  template <class Args>
  void measure(std::string_view name, const Args& args, double bytes = 0) {
    if (name.find(wanted_) == std::string_view::npos) return;
    const cpu::Worker worker = threads_ == 1 ? team_.part() : team_.whole();
    const double seconds = best_seconds([&] { cpu::run(args, worker); });
    if (bytes > 0) {
      fmt::print("{:<44} {:9.1f} us {:8.1f} GB/s\n", name, seconds * 1e6, bytes / seconds * 1e-9);
    } else {
      fmt::print("{:<44} {:9.1f} us {:8.1f} GFLOP/s\n", name, seconds * 1e6, args.operations() / seconds * 1e-9);
    }
  }

 private:
  // One thread is measured in processor time, so that other programs count less; a team in time on the wall.
  double now() const {
    timespec time;
    clock_gettime(threads_ == 1 ? CLOCK_THREAD_CPUTIME_ID : CLOCK_MONOTONIC, &time);
    return static_cast<double>(time.tv_sec) + 1e-9 * static_cast<double>(time.tv_nsec);
  }
  template <class Body>
  double best_seconds(const Body& body) const {
    body();
    double best = 1e9;
    const double start = now();
    for (int run = 0; run < 5 || (run < 1000 && now() - start < 0.3); ++run) {
      const double begin = now();
      body();
      best = std::min(best, now() - begin);
    }
    return best;
  }

  CpuTeam team_;
  int threads_;
  std::string wanted_;
};

double bytes_of(std::initializer_list<const TestTensor*> tensors) {
  double bytes = 0;
  for (const TestTensor* tensor : tensors) bytes += static_cast<double>(tensor->view().bytes());
  return bytes;
}

LinearWeight weight_of(const TestTensor& plain) {
  LinearWeight weight;
  weight.plain = plain;
  weight.outputs = plain.view().rows();
  weight.inputs = plain.view().columns();
  return weight;
}

void measure_products(Bench& bench, DType type) {
  struct Shape {
    int64_t rows, inputs, outputs;
  };
  for (const Shape& s : {Shape{kRows, kWidth, kWidth}, Shape{kRows, kWidth, 960}, Shape{kRows, kWidth, 2 * kFeed},
                         Shape{kRows, kFeed, kWidth}, Shape{kRows, kWidth, 16}, Shape{kRows, 16, kFeed},
                         Shape{kRows, kWidth, kVocabulary}, Shape{1, kWidth, 2 * kFeed}}) {
    TestTensor x(type, s.rows, s.inputs), y(type, s.rows, s.outputs), w(DType::kF32, s.outputs, s.inputs);
    TestTensor dw(DType::kF32, s.outputs, s.inputs);
    x.randomize(1);
    y.randomize(2);
    w.randomize(3);
    const std::string shape = fmt::format("{} {} x {} -> {}", name_of(type), s.rows, s.inputs, s.outputs);
    bench.measure("Linear::Forward " + shape, Linear::Forward{.y = y, .x = x, .weight = weight_of(w), .bias = {}});
    bench.measure("Linear::BackwardInput " + shape, Linear::BackwardInput{.dx = x, .dy = y, .weight = weight_of(w)});
    if (s.rows == 1 || s.outputs == kVocabulary) continue;
    bench.measure("Linear::BackwardWeight " + shape,
                  Linear::BackwardWeight{.dweight = dw, .dbias = {}, .dy = y, .x = x, .accumulate = false});
  }
  for (const auto& [inputs, outputs] : {std::pair{kWidth, kWidth}, {kWidth, 2 * kFeed}, {kFeed, kWidth}}) {
    constexpr int64_t kAllRows = 4096;
    TestTensor x(type, kAllRows, inputs), dy(type, kAllRows, outputs), dw(DType::kF32, outputs, inputs);
    x.randomize(1);
    dy.randomize(2);
    bench.measure(fmt::format("Linear::BackwardWeight {} {} x {} -> {}", name_of(type), kAllRows, inputs, outputs),
                  Linear::BackwardWeight{.dweight = dw, .dbias = {}, .dy = dy, .x = x, .accumulate = false});
  }
}

void measure_row_ops(Bench& bench, DType type) {
  const std::string suffix = fmt::format(" {}", name_of(type));
  TestTensor x(DType::kF32, kRows, kWidth), sum(DType::kF32, kRows, kWidth), pending(type, kRows, kWidth);
  TestTensor y(type, kRows, kWidth), inv_rms(DType::kF32, kRows), weight(DType::kF32, kWidth),
      dweight(DType::kF32, kWidth);
  for (TestTensor* tensor : {&x, &pending, &y, &weight}) tensor->randomize(1);
  bench.measure("RmsNorm::Forward" + suffix,
                RmsNorm::Forward{.y = y, .inv_rms = inv_rms, .sum = sum, .x = x, .pending = pending, .weight = weight},
                bytes_of({&x, &sum, &pending, &y}));
  bench.measure("RmsNorm::Backward" + suffix,
                RmsNorm::Backward{.dx = sum, .dweight = {}, .dy = y, .x = x, .inv_rms = inv_rms, .weight = weight},
                bytes_of({&sum, &sum, &y, &x}));
  bench.measure("RmsNorm::Backward with dweight" + suffix,
                RmsNorm::Backward{.dx = sum, .dweight = dweight, .dy = y, .x = x, .inv_rms = inv_rms, .weight = weight},
                bytes_of({&sum, &sum, &y, &x}));

  std::vector<int32_t> rows(kRows);
  std::vector<int64_t> places(kRows);
  for (int64_t i = 0; i < kRows; ++i)
    rows[static_cast<size_t>(i)] = static_cast<int32_t>(i), places[static_cast<size_t>(i)] = i;
  const TestTensor ids = whole_numbers(rows), row_places = whole_numbers(places);
  TestTensor qkv(type, kRows, 960), cosine(DType::kF32, kRows, 32), sine(DType::kF32, kRows, 32);
  qkv.randomize(1);
  cosine.randomize(2);
  bench.measure("Rope::Forward" + suffix,
                Rope::Forward{.x = qkv.view().slice_columns(0, 768),
                              .cosine = cosine,
                              .sine = sine,
                              .positions = ids,
                              .heads = 12,
                              .head_size = 64},
                2 * 0.8 * bytes_of({&qkv}));

  TestTensor gate_up(type, kRows, 2 * kFeed), fed(type, kRows, kFeed), dgate_up(type, kRows, 2 * kFeed);
  gate_up.randomize(1, 4.0);
  fed.randomize(2);
  bench.measure("GatedActivation::Forward" + suffix, GatedActivation::Forward{.y = fed, .gate_up = gate_up},
                bytes_of({&fed, &gate_up}));
  bench.measure("GatedActivation::Backward" + suffix,
                GatedActivation::Backward{.dgate_up = dgate_up, .dy = fed, .gate_up = gate_up},
                bytes_of({&dgate_up, &fed, &gate_up}));
  bench.measure("Dropout::Forward" + suffix,
                Dropout::Forward{.y = y, .x = pending, .places = row_places, .probability = 0.1},
                bytes_of({&y, &pending}));

  TestTensor table(DType::kF32, 1024, kWidth);
  bench.measure("Embedding::Forward" + suffix, Embedding::Forward{.y = y, .table = table, .ids = ids},
                bytes_of({&y, &x}));
  bench.measure("Embedding::Backward" + suffix, Embedding::Backward{.dtable = table, .dy = y, .ids = ids},
                bytes_of({&y, &x, &x}));
  bench.measure("Convert::Forward F32 to" + suffix, Convert::Forward{.out = y, .in = x}, bytes_of({&y, &x}));
}

void measure_optimizer(Bench& bench) {
  constexpr int64_t kCount = 4 << 20;
  TestTensor p(DType::kF32, kCount), g(DType::kF32, kCount), m(DType::kF32, kCount), v(DType::kF32, kCount);
  TestTensor copy(DType::kBF16, kCount), norm(DType::kF64, 1), parts(DType::kF32, 4, kCount / 4),
      sum(DType::kF32, kCount / 4);
  g.randomize(1);
  bench.measure(
      "AdamW::Update",
      AdamW::Update{
          .parameter = p, .gradient = g, .first_moment = m, .second_moment = v, .copy = copy, .learning_rate = 1e-3},
      bytes_of({&p, &p, &g, &m, &m, &v, &v, &copy}));
  bench.measure("SquaredNorm::Forward", SquaredNorm::Forward{.result = norm, .x = g}, bytes_of({&g}));
  bench.measure("SumParts::Forward", SumParts::Forward{.out = sum, .parts = parts}, bytes_of({&parts, &sum, &sum}));
  bench.measure("Fill::Forward", Fill::Forward{.x = p}, bytes_of({&p}));
}

}  // namespace
}  // namespace anneal::tests

int main(int argc, char** argv) {
  using namespace anneal;
  const int threads = argc > 1 ? std::max(1, std::atoi(argv[1])) : 1;
  const CpuFacts facts = cpu_facts();
  fmt::print("{}, {}, {} of {} cores\n", facts.processor, facts.instruction_set, threads, facts.cores);
  tests::Bench bench(threads, argc > 2 ? argv[2] : "");
  for (const DType type : {DType::kF32, DType::kBF16}) {
    tests::measure_row_ops(bench, type);
    tests::measure_products(bench, type);
  }
  tests::measure_optimizer(bench);
}
