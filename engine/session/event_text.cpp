#include "engine/session/event_text.h"

#include <fmt/format.h>

namespace anneal::engine {
namespace {

struct Text {
  std::string operator()(const PlanEvent& event) const {
    std::string text;
    for (const std::string& fact : event.facts) text += fact + "\n";
    text += fmt::format("Device: {}; precision {}; recompute {}.\n", event.device, event.precision, event.recompute);
    text += fmt::format("Memory: {} of {} ({}):\n", bytes_text(event.total_bytes), bytes_text(event.device_free),
                        event.verdict);
    for (const auto& [label, bytes] : event.bytes) text += fmt::format("  {:>12}  {}\n", bytes_text(bytes), label);
    return text + fmt::format("{} step{} of {:.3g} operations; about {}; {} on disk.", event.steps,
                              event.steps == 1 ? "" : "s", event.flops_per_step, duration_text(event.seconds),
                              bytes_text(event.disk_bytes));
  }
  std::string operator()(const StepEvent& event) const {
    return fmt::format("step {}  epoch {:.2f}  loss {:.4f}  rate {:.2e}  norm {:.3f}  {:.0f} tokens/s", event.step,
                       event.epoch, event.loss, event.learning_rate, event.gradient_norm, event.tokens_per_second);
  }
  std::string operator()(const EvalEvent& event) const {
    const std::string when = event.step == 0 ? "before training" : fmt::format("after step {}", event.step);
    return fmt::format("evaluation {}: loss {:.4f}{}", when, event.loss, event.is_best ? " (best so far)" : "");
  }
  std::string operator()(const CheckpointEvent& event) const {
    return fmt::format("checkpoint of step {}: {}", event.step, event.path);
  }
  std::string operator()(const NoticeEvent& event) const { return event.message; }
  std::string operator()(const ProgressEvent&) const { return {}; }
  std::string operator()(const DoneEvent& event) const {
    std::string text = fmt::format("Done ({}): {} step{}", event.reason, event.steps, event.steps == 1 ? "" : "s");
    if (event.best_step && event.best_eval_loss) {
      text += fmt::format(", best evaluation loss {:.4f} after step {}", *event.best_eval_loss, *event.best_step);
    }
    text += ".\n";
    if (event.peak_bytes > 0) {
      text += fmt::format("Memory: {} planned + {} of the program itself; {} measured at the peak.\n",
                          bytes_text(event.planned_bytes), bytes_text(event.fixed_bytes), bytes_text(event.peak_bytes));
    }
    return event.out.empty() ? text + "Nothing was begun." : text + "The run lies in " + event.out;
  }
};

}  // namespace

std::string event_text(const Event& event) { return std::visit(Text(), event); }

std::string bytes_text(int64_t bytes) {
  return bytes < 1'000'000'000 ? fmt::format("{:.1f} MB", double(bytes) / 1e6)
                               : fmt::format("{:.2f} GB", double(bytes) / 1e9);
}

std::string duration_text(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace anneal::engine
