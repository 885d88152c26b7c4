#include "engine/session/event_json.h"

namespace anneal::engine {
namespace {

struct KindOf {
  std::string_view operator()(const PlanEvent&) const { return "plan"; }
  std::string_view operator()(const StepEvent&) const { return "step"; }
  std::string_view operator()(const EvalEvent&) const { return "eval"; }
  std::string_view operator()(const CheckpointEvent&) const { return "checkpoint"; }
  std::string_view operator()(const NoticeEvent&) const { return "notice"; }
  std::string_view operator()(const ProgressEvent&) const { return "progress"; }
  std::string_view operator()(const DoneEvent&) const { return "done"; }
};

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json();
}

Json problem_list(const std::vector<Problem>& problems) {
  Json list = Json::array();
  for (const Problem& problem : problems)
    list.push_back({{"path", problem.path}, {"message", problem.message}, {"remedy", problem.remedy}});
  return list;
}

struct Members {
  void operator()(const PlanEvent& e) const {
    Json bytes = Json::object();
    for (const auto& [label, count] : e.bytes) bytes[label] = count;
    bytes["total"] = e.total_bytes;
    json.update({{"verdict", e.verdict},
                 {"bytes", bytes},
                 {"device_free", e.device_free},
                 {"steps", e.steps},
                 {"flops_per_step", e.flops_per_step},
                 {"seconds", e.seconds},
                 {"disk_bytes", e.disk_bytes},
                 {"device", e.device},
                 {"precision", e.precision},
                 {"recompute", e.recompute},
                 {"facts", e.facts},
                 {"problems", problem_list(e.problems)}});
  }
  void operator()(const StepEvent& e) const {
    json.update({{"step", e.step},
                 {"epoch", e.epoch},
                 {"loss", e.loss},
                 {"learning_rate", e.learning_rate},
                 {"gradient_norm", e.gradient_norm},
                 {"label_tokens", e.label_tokens},
                 {"tokens", e.tokens},
                 {"tokens_per_second", e.tokens_per_second},
                 {"peak_share", e.peak_share}});
  }
  void operator()(const EvalEvent& e) const {
    json.update({{"step", e.step}, {"loss", e.loss}, {"is_best", e.is_best}});
  }
  void operator()(const CheckpointEvent& e) const { json.update({{"step", e.step}, {"path", e.path}}); }
  void operator()(const NoticeEvent& e) const { json["message"] = e.message; }
  void operator()(const ProgressEvent& e) const {
    json.update({{"what", e.what}, {"done", e.done}, {"total", e.total}});
  }
  void operator()(const DoneEvent& e) const {
    json.update({{"steps", e.steps},
                 {"best_step", or_null(e.best_step)},
                 {"best_eval_loss", or_null(e.best_eval_loss)},
                 {"planned_bytes", e.planned_bytes},
                 {"fixed_bytes", e.fixed_bytes},
                 {"peak_bytes", e.peak_bytes},
                 {"out", e.out},
                 {"reason", e.reason}});
  }
  Json& json;
};

}  // namespace

std::string_view kind_of(const Event& event) { return std::visit(KindOf{}, event); }

Json event_json(const Event& event) {
  Json json{{"event", kind_of(event)}};
  std::visit(Members{json}, event);
  return json;
}

}  // namespace anneal::engine
