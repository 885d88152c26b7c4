#include "ui/recipe/draft.h"

#include <QFileInfo>

#include "kernels/core/home_folder.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {

const QVector<Preset>& presets() {
  static const QVector<Preset> list{
      {QObject::tr("Quick check"),
       QObject::tr("20 steps: shows in minutes whether model and data go together"),
       {{"max_steps", "20"}, {"lora_rank", "8"}, {"eval_fraction", "0"}}},
      {QObject::tr("Balanced"),
       QObject::tr("3 passes, rank 16, 5 % of the rows to measure on: right for most data"),
       {{"max_steps", ""}, {"lora_rank", "16"}, {"eval_fraction", "0.05"}}},
      {QObject::tr("Best"),
       QObject::tr("5 passes, rank 64, ends early when it no longer gets better"),
       {{"max_steps", ""},
        {"num_epochs", "5"},
        {"lora_rank", "64"},
        {"lora_alpha", "128"},
        {"eval_fraction", "0.05"},
        {"early_stopping_patience", "2"}}},
  };
  return list;
}

QString Draft::model_name() const {
  const QString path = qt(recipe_.model.model);
  // A snapshot in the Hugging Face cache is named by its repository.
  const qsizetype cache = path.indexOf("/models--");
  if (cache >= 0) return path.mid(cache + 9).section('/', 0, 0).section("--", -1);
  return QFileInfo(path).fileName();
}

QString Draft::data_name() const {
  if (recipe_.data.data.empty()) return {};
  const QString first = QFileInfo(qt(recipe_.data.data.front())).fileName();
  const auto more = recipe_.data.data.size() - 1;
  return more == 0 ? first : tr("%1 and %2 more").arg(first).arg(more);
}

std::optional<Problem> Draft::set(const QString& name, const QString& text) {
  engine::Recipe next = recipe_;
  if (auto problem = engine::recipe_fields().set_text(next, name.toStdString(), text.trimmed().toStdString()))
    return problem;
  if (next == recipe_) return std::nullopt;
  recipe_ = std::move(next);
  tell();
  return std::nullopt;
}

void Draft::reset(const QString& name) {
  static const engine::Recipe kDefaults;
  const auto& fields = engine::recipe_fields();
  fields.set(recipe_, name.toStdString(), fields.get(kDefaults, name.toStdString()));
  tell();
}

QString Draft::text(const QString& name) const { return qt(engine::recipe_fields().text(recipe_, name.toStdString())); }

bool Draft::is_changed(const QString& name) const {
  const auto names = engine::recipe_fields().changed(recipe_);
  return std::find(names.begin(), names.end(), name.toStdString()) != names.end();
}

int Draft::changed_count() const { return static_cast<int>(engine::recipe_fields().changed(recipe_).size()); }

void Draft::choose_model(const QString& path) {
  recipe_.model.model = path.toStdString();
  recipe_.model.adapter.clear();
  propose_out();
}

void Draft::choose_data(const QStringList& paths) {
  recipe_.data.data.clear();
  for (const QString& path : paths) recipe_.data.data.push_back(path.toStdString());
  recipe_.data.columns.clear();
  tell();
}

void Draft::replace(const engine::Recipe& recipe) {
  recipe_ = recipe;
  tell();
}

void Draft::propose_out() {
  const std::string method = engine::recipe_fields().text(recipe_, "method");
  const QString name = model_name().isEmpty() ? QString("run") : model_name();
  const std::filesystem::path runs = home_folder() / "runs";
  for (int number = 1;; ++number) {
    const std::filesystem::path folder = runs / (name.toStdString() + "-" + method + "-" + std::to_string(number));
    std::error_code ignored;
    if (std::filesystem::exists(folder, ignored)) continue;
    recipe_.checkpoint.out = folder.string();
    break;
  }
  tell();
}

int Draft::preset() const {
  for (int i = static_cast<int>(presets().size()) - 1; i >= 0; --i) {
    engine::Recipe next = recipe_;
    for (const auto& [name, value] : presets()[i].settings)
      engine::recipe_fields().set_text(next, name.toStdString(), value.toStdString());
    if (next == recipe_) return i;
  }
  return -1;
}

void Draft::apply_preset(int index) {
  const auto& fields = engine::recipe_fields();
  static const engine::Recipe kDefaults;
  for (const Preset& preset : presets()) {  // what another preset has set does not stay
    for (const auto& [name, value] : preset.settings)
      fields.set(recipe_, name.toStdString(), fields.get(kDefaults, name.toStdString()));
  }
  for (const auto& [name, value] : presets()[index].settings)
    fields.set_text(recipe_, name.toStdString(), value.toStdString());
  tell();
}

}  // namespace anneal::ui
