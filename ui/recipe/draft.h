#pragma once
// The recipe that is being prepared: what the pages before Start choose together. The window's thread only.

#include <QObject>
#include <QStringList>
#include <optional>

#include "engine/recipe/recipe.h"

namespace anneal::ui {

class Draft : public QObject {
  Q_OBJECT
 public:
  const engine::Recipe& recipe() const { return recipe_; }
  QString model_name() const;  // the last part of its path; empty: none chosen
  QString data_name() const;
  bool has_model() const { return !recipe_.model.model.empty(); }
  bool has_data() const { return !recipe_.data.data.empty(); }

  // A setting by its name, from the text of an input. Where it is wrong nothing changes and the problem is returned.
  std::optional<Problem> set(const QString& name, const QString& text);
  void reset(const QString& name);
  QString text(const QString& name) const;
  bool is_changed(const QString& name) const;
  int changed_count() const;

  void choose_model(const QString& path);
  void choose_data(const QStringList& paths);
  void replace(const engine::Recipe& recipe);
  // A folder for the run that does not exist yet, named after model and method.
  void propose_out();

  // Presets: Quick check, Balanced, Best; -1: none of them.
  int preset() const;
  void apply_preset(int index);

 signals:
  void changed();

 private:
  void tell() { emit changed(); }
  engine::Recipe recipe_;
};

struct Preset {
  QString name;
  QString summary;
  QVector<std::pair<QString, QString>> settings;
};
const QVector<Preset>& presets();

}  // namespace anneal::ui
