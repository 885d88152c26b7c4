// anneal bench: how fast this machine computes, op by op and as a training step.

#include <chrono>
#include <functional>

#include "app/tune/command.h"
#include "app/tune/opened_model.h"
#include "app/tune/output.h"
#include "engine/session/product_rate.h"
#include "kernels/cpu/cpu.h"
#include "kernels/timed/timed.h"

namespace anneal::tune {
namespace {

// Seconds of the fastest of some runs within a tenth of a second.
double best_seconds(const std::function<void()>& work) {
  using Clock = std::chrono::steady_clock;
  work();
  double best = 1e9;
  const auto end = Clock::now() + std::chrono::milliseconds(100);
  do {
    const auto begin = Clock::now();
    work();
    best = std::min(best, std::chrono::duration<double>(Clock::now() - begin).count());
  } while (Clock::now() < end);
  return best;
}

double copy_rate(Backend& backend) {
  constexpr int64_t kElements = int64_t{16} << 20;  // 64 MB: past every cache
  Arena arena(2 * kElements * 4);
  const Tensor from = arena.take("from", DType::kF32, {4096, kElements / 4096});
  const Tensor to = arena.take("to", DType::kF32, {4096, kElements / 4096});
  const double seconds = best_seconds([&] { backend.run(Convert::Forward{.out = to, .in = from}); });
  return 2.0 * double(kElements) * 4 / seconds;
}

struct Sizes {
  int64_t rows = 2048, hidden = 576, width = 1536, heads = 9, kv_heads = 3, head_size = 64, vocabulary = 49152;
};

struct OpTime {
  std::string name;
  double seconds = 0;
  double operations = 0;  // of products
  double bytes = 0;       // moved, of memory-bound ops
};

// The ops of one decoder layer of SmolLM2-135M's shape over 2048 tokens.
std::vector<OpTime> time_ops(Backend& backend, const std::string& only) {
  const Sizes s;
  const int64_t qkv_columns = (s.heads + 2 * s.kv_heads) * s.head_size;
  const AttentionShape shape{.heads = s.heads, .kv_heads = s.kv_heads, .head_size = s.head_size, .scale = 0.125};
  const std::vector<int32_t> bounds{0, 512, 1024, 1536, 2048};
  Tensor x, y, gate_up, activated, dgate_up, qkv, dqkv, attention, lse, weight, norm_weight, inv_rms;
  const auto cut = [&](Arena& arena) {
    const auto take = [&](int64_t rows, int64_t columns) { return arena.take("bench", DType::kF32, {rows, columns}); };
    x = take(s.rows, s.hidden);
    y = take(s.rows, s.hidden);
    gate_up = take(s.rows, 2 * s.width);
    dgate_up = take(s.rows, 2 * s.width);
    activated = take(s.rows, s.width);
    qkv = take(s.rows, qkv_columns);
    dqkv = take(s.rows, qkv_columns);
    attention = take(s.rows, s.heads * s.head_size);
    lse = take(s.rows, s.heads);
    weight = take(2 * s.width, s.hidden);
    norm_weight = arena.take("bench", DType::kF32, {s.hidden});
    inv_rms = arena.take("bench", DType::kF32, {s.rows});
  };
  Arena dry;
  cut(dry);
  Arena arena(dry.used());
  cut(arena);
  for (const Tensor& tensor : {x, qkv, gate_up, weight, attention})
    std::fill_n(tensor.as<float>(), tensor.elements(), 0.01f);
  std::fill_n(norm_weight.as<float>(), s.hidden, 1.0f);

  const Linear::Forward linear{
      .y = gate_up, .x = x, .weight = {.plain = weight, .outputs = 2 * s.width, .inputs = s.hidden}};
  const Linear::BackwardInput linear_back{.dx = x, .dy = gate_up, .weight = linear.weight};
  const Linear::BackwardWeight linear_weight{.dweight = weight, .dy = dgate_up, .x = x, .accumulate = false};
  const Attention::Forward attend{
      .out = attention, .lse = lse, .qkv = qkv, .bounds = bounds, .max_length = 512, .shape = shape};
  const Attention::Backward attend_back{.dqkv = dqkv,
                                        .dout = attention,
                                        .out = attention,
                                        .lse = lse,
                                        .qkv = qkv,
                                        .bounds = bounds,
                                        .max_length = 512,
                                        .shape = shape};
  const auto scratch_of = [&](const auto& args) {
    return backend.scratch_bytes(kOpIndex<std::remove_cvref_t<decltype(args)>>, &args);
  };
  const int64_t scratch = std::max({scratch_of(linear), scratch_of(linear_back), scratch_of(linear_weight),
                                    scratch_of(attend), scratch_of(attend_back), int64_t{64}});
  Arena workspace(scratch * backend.threads());
  backend.use_scratch(workspace.take("workspace", DType::kU8, {backend.threads(), scratch}));

  const int64_t part_rows = backend.part_rows();
  const auto by_rows = [&](auto make) {
    return [&backend, part_rows, make, rows = s.rows] {
      backend.for_each_part((rows + part_rows - 1) / part_rows, [&](int64_t part, Stream stream) {
        backend.run(make(part * part_rows, std::min(rows, (part + 1) * part_rows)), stream);
      });
    };
  };
  struct Case {
    const char* name;
    std::function<void()> work;
    double operations;
    double bytes;
  };
  const double moved = double(s.rows) * 4;
  const std::vector<Case> cases{
      {"Linear::Forward", by_rows([=](int64_t b, int64_t e) {
         auto a = linear;
         a.y = gate_up.slice_rows(b, e);
         a.x = x.slice_rows(b, e);
         return a;
       }),
       linear.operations(), 0},
      {"Linear::BackwardInput", by_rows([=](int64_t b, int64_t e) {
         auto a = linear_back;
         a.dx = x.slice_rows(b, e);
         a.dy = gate_up.slice_rows(b, e);
         return a;
       }),
       linear_back.operations(), 0},
      {"Linear::BackwardWeight", [&] { backend.run(linear_weight); }, linear_weight.operations(), 0},
      {"Attention::Forward", [&] { backend.run(attend); }, attend.operations(), 0},
      {"Attention::Backward", [&] { backend.run(attend_back); }, attend_back.operations(), 0},
      {"RmsNorm::Forward", by_rows([=](int64_t b, int64_t e) {
         return RmsNorm::Forward{.y = y.slice_rows(b, e),
                                 .inv_rms = inv_rms.slice_rows(b, e),
                                 .x = x.slice_rows(b, e),
                                 .weight = norm_weight};
       }),
       0, moved * double(2 * s.hidden)},
      {"GatedActivation::Forward", by_rows([=](int64_t b, int64_t e) {
         return GatedActivation::Forward{.y = activated.slice_rows(b, e), .gate_up = gate_up.slice_rows(b, e)};
       }),
       0, moved * double(3 * s.width)},
      {"GatedActivation::Backward", by_rows([=](int64_t b, int64_t e) {
         return GatedActivation::Backward{.dgate_up = dgate_up.slice_rows(b, e),
                                          .dy = activated.slice_rows(b, e),
                                          .gate_up = gate_up.slice_rows(b, e)};
       }),
       0, moved * double(5 * s.width)},
  };
  std::vector<OpTime> times;
  for (const Case& one : cases) {
    if (only.empty() || std::string_view(one.name).find(only) != std::string_view::npos)
      times.push_back({one.name, best_seconds(one.work), one.operations, one.bytes});
  }
  if (times.empty())
    throw UsageError(
        fmt::format("--op \"{}\" names no op that is measured. Leave it out to see all.", printable(only)));
  return times;
}

// One step of LoRA, rank 16 on all linear modules, on rows of 512: forward, backward, and where the time goes.
struct StepTime {
  double seconds = 0;
  int64_t tokens = 0;
  double operations = 0;
  int threads = 1;
  std::vector<TimedBackend::OpTime> ops;
};

StepTime time_step(const CommandLine& line) {
  engine::ModelSource source = open_source(line);
  const engine::Architecture architecture = source.description.architecture;
  const int64_t length = std::min<int64_t>(512, architecture.max_positions);
  const int64_t rows = 8;
  const engine::TrainingPlan plan{
      .is_training = true, .lora = {.rank = 16, .alpha = 32, .targets = engine::linear_module_names(architecture)}};
  source.adapter_folder.reset();
  auto timed = std::make_unique<TimedBackend>(backend_of(line));
  TimedBackend& timer = *timed;
  OpenedModel opened(
      std::move(source),
      {.types = types_of(line, "auto"), .training = plan, .max_tokens = rows * length, .max_length = length},
      std::move(timed));
  engine::Model& model = opened.model();
  model.initialize_adapters();
  std::vector<int32_t> ids;
  for (int64_t i = 0; i < length; ++i) ids.push_back(static_cast<int32_t>(i % architecture.vocab_size));
  for (int64_t row = 0; row < rows; ++row)
    model.batch_memory().add({ids, ids}, 1.0 / double(rows * length), row * length);
  const engine::BatchView batch = model.batch_memory().view(length);
  StepTime best{.seconds = 1e9, .tokens = rows * length, .threads = timer.threads()};
  constexpr int kTries = 3;
  for (int i = 0; i <= kTries; ++i) {
    timer.clear();
    const auto begin = std::chrono::steady_clock::now();
    model.forward_backward(batch, {});
    const double seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
    if (i == 0 || seconds >= best.seconds) continue;  // the first one warms up
    best.seconds = seconds;
    best.ops = timer.times();
  }
  for (const TimedBackend::OpTime& op : best.ops) best.operations += op.operations;
  return best;
}

void show_step(const StepTime& step, double products, bool json) {
  const double all_threads = step.seconds * step.threads;
  const double tokens_per_second = double(step.tokens) / step.seconds;
  const double share = step.operations / step.seconds / products;
  if (json) {
    print_json({{"op", "training step"},
                {"seconds", step.seconds},
                {"tokens_per_second", tokens_per_second},
                {"tokens", step.tokens},
                {"share", share}});
  } else {
    print_line(fmt::format("LoRA step of {} tokens: {:.0f} ms, {:.0f} tokens/s, {:.0f} % of the product rate",
                           step.tokens, step.seconds * 1e3, tokens_per_second, share * 100));
  }
  double rest = 1;
  for (const TimedBackend::OpTime& op : step.ops) {
    const double part = op.thread_seconds / all_threads;
    const double rate = op.operations / op.thread_seconds * step.threads;
    rest -= part;
    if (json) {
      print_json({{"phase", op.name}, {"step_share", part}, {"calls", op.calls}, {"flops", rate}});
    } else {
      print_line(fmt::format("  {:>5.1f} %  {:<36}{}", part * 100, op.name,
                             op.operations > 0 ? fmt::format("{:>7.1f} GFLOP/s", rate / 1e9) : ""));
    }
  }
  if (json) {
    print_json({{"phase", "waiting"}, {"step_share", rest}});
  } else {
    print_line(fmt::format("  {:>5.1f} %  waiting, and what is between the ops", rest * 100));
  }
}

int run_bench(const std::vector<std::string>& words) {
  FlagSet flags{.switches = {"--json"}, .values = kModelFlags, .lists = {}};
  flags.values.insert("--op");
  const CommandLine line(words, flags);
  line.expect_words(0, "flags alone");
  const auto backend = backend_of(line);
  const double products = engine::measure_product_rate(*backend);
  const double memory = copy_rate(*backend);
  const std::vector<OpTime> times = time_ops(*backend, line.value("--op").value_or(""));
  const bool json = line.has("--json");
  if (json) {
    print_json({{"op", "machine"},
                {"device", backend->description()},
                {"product_flops", products},
                {"memory_bytes_per_second", memory}});
  } else {
    print_line(fmt::format("{}\nproducts {:.1f} GFLOP/s, memory {:.1f} GB/s", backend->description(), products / 1e9,
                           memory / 1e9));
  }
  for (const OpTime& time : times) {
    const double rate = time.operations > 0 ? time.operations / time.seconds : time.bytes / time.seconds;
    const double share = rate / (time.operations > 0 ? products : memory);
    if (json) {
      print_json({{"op", time.name},
                  {"seconds", time.seconds},
                  {time.operations > 0 ? "flops" : "bytes_per_second", rate},
                  {"share", share}});
    } else {
      print_line(fmt::format("{:<28} {:>8.2f} ms  {:>7.1f} {}  {:>3.0f} % of this machine's", time.name,
                             time.seconds * 1e3, rate / 1e9, time.operations > 0 ? "GFLOP/s" : "GB/s   ", share * 100));
    }
  }
  if (line.value("--model")) show_step(time_step(line), products, json);
  return 0;
}

}  // namespace

extern const Command kBench;
const Command kBench{.name = "bench",
                     .summary = "speed of ops and of a training step on this machine",
                     .usage =
                         R"(anneal bench [--op NAME] [--model M] [--threads N] [--json]

Measures this machine's product rate and memory bandwidth, then ops of a decoder layer of SmolLM2-135M's shape over 2048
tokens against them; with a model also one LoRA step of 8 rows of 512, and the share of it that each op takes. Measure on
a quiet machine.
)",
                     .run = run_bench};

}  // namespace anneal::tune
