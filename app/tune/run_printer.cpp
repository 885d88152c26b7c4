#include "app/tune/run_printer.h"

#include "app/tune/output.h"
#include "engine/session/event_json.h"

namespace anneal::tune {
namespace {

std::string megabytes(int64_t bytes) { return fmt::format("{:.1f} MB", double(bytes) / 1e6); }

std::string duration(double seconds) {
  const auto whole = static_cast<int64_t>(seconds + 0.5);
  if (whole >= 3600) return fmt::format("{} h {:02} min", whole / 3600, whole % 3600 / 60);
  if (whole >= 60) return fmt::format("{} min {:02} s", whole / 60, whole % 60);
  return fmt::format("{} s", whole);
}

}  // namespace

void RunPrinter::operator()(const engine::Event& event) {
  if (json_) {
    print_json(engine::event_json(event));
    return;
  }
  std::visit([this](const auto& one) { show(one); }, event);
}

void RunPrinter::end_live_line() {
  if (has_live_line_) print_line("");
  has_live_line_ = false;
}

void RunPrinter::show(const engine::PlanEvent& event) {
  total_steps_ = event.steps;
  for (const std::string& fact : event.facts) print_line(fact);
  print_line(fmt::format("Device: {}; precision {}; recompute {}.", event.device, event.precision, event.recompute));
  print_line(
      fmt::format("Memory: {} of {} ({}):", megabytes(event.total_bytes), megabytes(event.device_free), event.verdict));
  for (const auto& [label, bytes] : event.bytes) print_line(fmt::format("  {:>12}  {}", megabytes(bytes), label));
  print_line(fmt::format("{} steps of {:.3g} operations; about {}; {} on disk.", event.steps, event.flops_per_step,
                         duration(event.seconds), megabytes(event.disk_bytes)));
}

void RunPrinter::show(const engine::StepEvent& event) {
  const double seconds = double(event.tokens) / event.tokens_per_second;
  seconds_per_step_ = seconds_per_step_ == 0 ? seconds : 0.9 * seconds_per_step_ + 0.1 * seconds;
  const std::string line =
      fmt::format("step {}/{}  epoch {:.2f}  loss {:.4f}  rate {:.2e}  norm {:.3f}  {:.0f} tokens/s  {} left",
                  event.step, total_steps_, event.epoch, event.loss, event.learning_rate, event.gradient_norm,
                  event.tokens_per_second, duration(seconds_per_step_ * double(total_steps_ - event.step)));
  if (!is_terminal()) {
    print_line(line);
    return;
  }
  print_text("\r\033[K" + line);
  has_live_line_ = true;
}

void RunPrinter::show(const engine::EvalEvent& event) {
  end_live_line();
  print_line(fmt::format("evaluation {}: loss {:.4f}{}",
                         event.step == 0 ? "before training" : fmt::format("after step {}", event.step), event.loss,
                         event.is_best ? " (best so far)" : ""));
}
void RunPrinter::show(const engine::CheckpointEvent& event) {
  end_live_line();
  print_line(fmt::format("checkpoint of step {}: {}", event.step, event.path));
}
void RunPrinter::show(const engine::NoticeEvent& event) {
  end_live_line();
  print_line(event.message);
}
void RunPrinter::show(const engine::ProgressEvent& event) {
  if (!is_terminal()) return;
  print_text(fmt::format("\r\033[K{} … {}", event.what, event.done));
  has_live_line_ = true;
}
void RunPrinter::show(const engine::DoneEvent& event) {
  end_live_line();
  std::string text = fmt::format("Done ({}): {} steps", event.reason, event.steps);
  if (event.best_step && event.best_eval_loss)
    text += fmt::format(", best evaluation loss {:.4f} after step {}", *event.best_eval_loss, *event.best_step);
  print_line(text + ".");
  if (event.peak_bytes > 0) {
    print_line(fmt::format("Memory: {} planned + {} of the program itself; {} measured at the peak.",
                           megabytes(event.planned_bytes), megabytes(event.fixed_bytes), megabytes(event.peak_bytes)));
  }
  print_line("The run lies in " + event.out);
}

}  // namespace anneal::tune
