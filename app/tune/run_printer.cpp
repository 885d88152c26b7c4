#include "app/tune/run_printer.h"

#include "app/tune/output.h"
#include "engine/session/event_json.h"
#include "engine/session/event_text.h"

namespace anneal::tune {

void RunPrinter::operator()(const engine::Event& event) {
  if (json_) {
    print_json(engine::event_json(event));
  } else if (const auto* step = std::get_if<engine::StepEvent>(&event)) {
    show(*step);
  } else if (const auto* progress = std::get_if<engine::ProgressEvent>(&event)) {
    show(*progress);
  } else {
    if (const auto* plan = std::get_if<engine::PlanEvent>(&event)) total_steps_ = plan->steps;
    end_live_line();
    print_line(engine::event_text(event));
  }
}

void RunPrinter::end_live_line() {
  if (has_live_line_) print_line("");
  has_live_line_ = false;
}

void RunPrinter::show(const engine::StepEvent& event) {
  const double seconds = double(event.tokens) / event.tokens_per_second;
  seconds_per_step_ = seconds_per_step_ == 0 ? seconds : 0.9 * seconds_per_step_ + 0.1 * seconds;
  const std::string line = fmt::format("{}  {} steps, {} left", engine::event_text(event), total_steps_ - event.step,
                                       engine::duration_text(seconds_per_step_ * double(total_steps_ - event.step)));
  if (!is_terminal()) {
    print_line(line);
    return;
  }
  print_text("\r\033[K" + line);
  has_live_line_ = true;
}

void RunPrinter::show(const engine::ProgressEvent& event) {
  if (!is_terminal()) return;
  print_text(fmt::format("\r\033[K{} … {}", event.what, event.done));
  has_live_line_ = true;
}

}  // namespace anneal::tune
