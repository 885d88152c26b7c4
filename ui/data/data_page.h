#pragma once
// The data: what its format is, what the doctor found, and any row as the file says it, as the template writes it, and
// as tokens with what is learned.

#include <QLineEdit>
#include <QPlainTextEdit>
#include <QSlider>
#include <QSpinBox>
#include <QStackedWidget>

#include "ui/data/length_histogram.h"
#include "ui/data/token_view.h"
#include "ui/recipe/draft.h"
#include "ui/shell/page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/figures.h"
#include "ui/widgets/segments.h"

namespace anneal::ui {

class DataPage : public Page {
  Q_OBJECT
 public:
  explicit DataPage(Draft& draft);
  void choose(const QStringList& paths);
  void opened() override { refresh(); }

 private:
  QWidget* make_row_card();
  QWidget* make_side();
  void refresh();  // asks the doctor again if what it depends on has changed
  void show_report(const DataReport& report);
  void show_row(const ShownRow& row);
  void ask_row(qint64 number);
  void show_split();

  Draft& draft_;
  DataCheck check_;
  DataReport report_;
  engine::Recipe checked_;  // what the report is of
  qint64 row_ = 1;

  QStackedWidget* stack_;
  EmptyState* empty_;
  QPushButton* use_;
  Figures* figures_;
  Card* row_card_;
  Segments* form_;
  QPushButton* previous_;
  QPushButton* next_;
  QStackedWidget* forms_;
  QPlainTextEdit* raw_;
  QPlainTextEdit* rendered_;
  TokenView* tokens_;
  QLabel* legend_;
  QLabel* row_notes_;
  QLineEdit* columns_;
  LengthHistogram* histogram_;
  Card* histogram_card_;
  QVBoxLayout* findings_;
  Card* findings_card_;
  QSlider* split_;
  QLabel* split_note_;
};

}  // namespace anneal::ui
