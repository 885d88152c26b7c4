#pragma once
// How it is trained: presets, method, the settings that matter most, all others behind a search; and what it comes to
// in memory, time and disk before anything starts.

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QTimer>

#include "ui/recipe/setting_table.h"
#include "ui/shell/page.h"
#include "ui/tasks/plan_check.h"
#include "ui/widgets/card.h"
#include "ui/widgets/memory_bar.h"
#include "ui/widgets/option_card.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_view.h"

namespace anneal::ui {

class RecipePage : public Page {
  Q_OBJECT
 public:
  explicit RecipePage(Draft& draft);
  void opened() override { show_draft(); }
  // The newest plan, if it is of the recipe as it stands.
  bool is_ready() const { return is_ready_; }

 signals:
  void verdict_changed(const QString& words, ToneName tone);

 private:
  struct SimpleField {
    QString name;
    QLineEdit* input;
    QLabel* note;
  };
  QWidget* make_settings();
  QWidget* make_advanced();
  QWidget* make_side();
  void add_field(QGridLayout* grid, int row, int column, const QString& name, const QString& title);
  void show_draft();
  void ask_plan();
  void show_plan(const PlanResult& result);
  void show_problem(const Problem& problem);
  void show_ready();

  Draft& draft_;
  SettingTable table_;
  SettingFilter filter_;
  PlanCheck planner_;
  QTimer plan_delay_;
  PlanResult result_;
  bool is_planned_ = false;  // result_ is of the recipe as it stands
  bool is_ready_ = false;

  QPushButton* start_;
  Segments* presets_;
  QLabel* preset_note_;
  OptionCard* lora_;
  OptionCard* full_;
  QVector<SimpleField> simple_;
  Card* advanced_;
  TableView* view_;
  QPushButton* reset_;
  Card* memory_card_;
  Chip* memory_chip_;
  MemoryBar* memory_;
  Card* ready_card_;
  SignLine* ready_model_;
  SignLine* ready_data_;
  SignLine* ready_fits_;
  SignLine* ready_disk_;
  FactLine* steps_;
  FactLine* time_;
  FactLine* precision_;
  QPlainTextEdit* command_;
};

}  // namespace anneal::ui
