#include "engine/recipe/checks.h"

#include <algorithm>
#include <charconv>
#include <filesystem>
#include <set>

namespace anneal::engine {
namespace {

std::filesystem::path plain(const std::string& path) {
  const std::filesystem::path normal = std::filesystem::path(path).lexically_normal();
  return normal.has_filename() ? normal : normal.parent_path();  // "a/b/" is "a/b"
}

bool is_changed(const std::vector<std::string>& changed, std::string_view name) {
  return std::find(changed.begin(), changed.end(), name) != changed.end();
}

void check_what_is_given(const Recipe& recipe, CheckFor purpose, std::vector<Problem>& problems) {
  if (recipe.model.model.empty()) {
    problems.push_back({"model", "no model is given", "Name a model folder or a GGUF file."});
  }
  if (recipe.data.data.empty()) {
    problems.push_back({"data", "no data is given", "Name a file or folder to learn from."});
  }
  if (recipe.checkpoint.out.empty()) {
    if (purpose == CheckFor::kTraining) {
      problems.push_back({"out", "no folder for the run is given", "Name a folder that does not hold a run yet."});
    }
    return;
  }
  const auto out = plain(recipe.checkpoint.out);
  std::error_code unknown;
  if (std::filesystem::exists(out, unknown) && !std::filesystem::is_directory(out, unknown)) {
    problems.push_back(
        {"out", fmt::format("{} is a file", printable(out.string(), 300)), "Name a folder for the run."});
  }
  for (const auto& [name, path] : {std::pair{"model", &recipe.model.model}, {"adapter", &recipe.model.adapter}}) {
    if (!path->empty() && plain(*path) == out) {
      problems.push_back({"out", fmt::format("is the folder of {}", name), "Name another folder."});
    }
  }
}

void check_contradictions(const Recipe& recipe, std::vector<Problem>& problems) {
  if (recipe.evaluation.early_stopping_patience > 0 && !has_evaluation(recipe)) {
    problems.push_back({"early_stopping_patience", "there is nothing to measure on",
                        "Give eval_data or an eval_fraction such as 0.05, or set it to 0."});
  }
  if (!recipe.model.adapter.empty() && recipe.method.method == Method::kFull) {
    problems.push_back({"adapter", "an adapter goes on with lora, and method is full",
                        "Set method to lora or leave the adapter out."});
  }
  const std::vector<std::string>& targets = recipe.lora.target_modules;
  if (recipe.method.method == Method::kLora && targets.empty()) {
    problems.push_back({"target_modules", "is empty, so nothing would be learned", "Name modules, or use all-linear."});
  }
  if (targets.size() > 1 && std::find(targets.begin(), targets.end(), "all-linear") != targets.end()) {
    problems.push_back({"target_modules", "holds all-linear and other names", "Give all-linear alone, or only names."});
  }
  if (!parse_device(recipe.device.device)) problems.push_back(not_a_device(recipe.device.device));
}

void note_schedule(const Recipe& recipe, std::vector<Notice>& notices) {
  const ScheduleOptions& schedule = recipe.schedule;
  if (schedule.max_steps && schedule.num_epochs) {
    notices.push_back({"num_epochs", "is left aside, as max_steps is given", "Give only one of them."});
  }
  if (schedule.warmup_steps && schedule.warmup_ratio) {
    notices.push_back({"warmup_ratio", "is left aside, as warmup_steps is given", "Give only one of them."});
  }
  if (schedule.max_steps && schedule.warmup_steps && *schedule.warmup_steps >= *schedule.max_steps) {
    notices.push_back({"warmup_steps",
                       fmt::format("{} steps of warm-up in a run of {}: learning_rate is never reached",
                                   *schedule.warmup_steps, *schedule.max_steps),
                       "A few percent of the steps are usual."});
  }
  const double rate = learning_rate_of(recipe);
  if (rate == 0) notices.push_back({"learning_rate", "is 0, so nothing is learned", "2e-4 is usual for lora."});
  if (rate > 0.01) {
    notices.push_back({"learning_rate", fmt::format("{} is unusually large", shortest_number(rate)),
                       "2e-4 is usual for lora, 2e-5 for full."});
  }
}

void note_data(const Recipe& recipe, std::vector<Notice>& notices) {
  std::set<std::filesystem::path> seen;
  for (const std::string& path : recipe.data.data) {
    if (!seen.insert(plain(path)).second) {
      notices.push_back({"data", fmt::format("{} is given twice, so its rows count double", printable(path, 300)), ""});
    }
  }
  for (const std::string& path : recipe.data.eval_data) {
    if (seen.contains(plain(path))) {
      notices.push_back({"eval_data", fmt::format("{} is learned too, so its loss says little", printable(path, 300)),
                         "Measure on rows that are not in data."});
    }
  }
  if (!recipe.data.eval_data.empty() && recipe.evaluation.eval_fraction > 0) {
    notices.push_back({"eval_fraction", "is left aside, as eval_data is given", "Give only one of them."});
  }
  if (recipe.evaluation.eval_every_steps && !has_evaluation(recipe)) {
    notices.push_back({"eval_every_steps", "has no effect, as there is nothing to measure on",
                       "Give eval_data or an eval_fraction such as 0.05."});
  }
}

void note_unused(const Recipe& recipe, std::vector<Notice>& notices) {
  if (recipe.method.method != Method::kFull) return;
  const std::vector<std::string> changed = recipe_fields().changed(recipe);
  for (const Field& field : recipe_fields().fields()) {
    if (field.group == kLoraGroup && is_changed(changed, field.name)) {
      notices.push_back({field.name, "has no effect with method full", "It belongs to method lora."});
    }
  }
}

}  // namespace

std::string to_sentence(const Notice& notice) {
  return anneal::to_sentence(Problem{notice.path, notice.message, notice.remedy});
}

std::vector<Problem> check(const Recipe& recipe, CheckFor purpose) {
  std::vector<Problem> problems;
  check_what_is_given(recipe, purpose, problems);
  for (Problem& problem : recipe_fields().check(recipe)) problems.push_back(std::move(problem));
  check_contradictions(recipe, problems);
  return problems;
}

std::vector<Notice> notices(const Recipe& recipe) {
  std::vector<Notice> notices;
  note_schedule(recipe, notices);
  note_data(recipe, notices);
  note_unused(recipe, notices);
  return notices;
}

Problem not_a_device(const std::string& text) {
  return {"device", fmt::format("\"{}\" is not a device", printable(text)),
          "Use auto, cpu, cuda or cards by number such as cuda:0,1."};
}

std::optional<DeviceChoice> parse_device(const std::string& text) {
  if (text == "auto" || text == "cpu" || text == "cuda") return DeviceChoice{text, {}};
  if (!text.starts_with("cuda:")) return std::nullopt;
  DeviceChoice choice{"cuda", {}};
  const char* at = text.data() + 5;
  const char* end = text.data() + text.size();
  while (true) {
    int card = -1;
    const auto [after, error] = std::from_chars(at, end, card);
    if (error != std::errc() || card < 0 || card > 255) return std::nullopt;
    if (std::find(choice.cards.begin(), choice.cards.end(), card) != choice.cards.end()) return std::nullopt;
    choice.cards.push_back(card);
    if (after == end) return choice;
    if (*after != ',') return std::nullopt;
    at = after + 1;
  }
}

}  // namespace anneal::engine
