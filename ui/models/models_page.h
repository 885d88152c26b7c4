#pragma once
// The models on this computer: found in the background, looked into, chosen.

#include <QLineEdit>
#include <QStackedWidget>

#include "ui/models/model_table.h"
#include "ui/recipe/draft.h"
#include "ui/shell/page.h"
#include "ui/widgets/card.h"
#include "ui/widgets/empty_state.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/table_view.h"

namespace anneal::ui {

class ModelsPage : public Page {
  Q_OBJECT
 public:
  explicit ModelsPage(Draft& draft);
  void scan();
  void add_path(const QString& path);  // a dropped or chosen folder or file
  const QStringList& folders() const { return folders_; }
  void set_folders(const QStringList& folders) { folders_ = folders; }

 signals:
  void folders_changed();

 private:
  QWidget* make_list();
  QWidget* make_details();
  void show_found(const QVector<ModelEntry>& entries);
  void show_state();
  void show_details();
  void use_current();
  const ModelEntry* current() const;

  Draft& draft_;
  ModelScan scan_;
  ModelTable table_;
  ModelFilter filter_;
  QStringList folders_;
  QString wanted_;  // to be selected as soon as it is found

  QStackedWidget* stack_;
  EmptyState* empty_;
  TableView* view_;
  QLineEdit* search_;
  ElidedLabel* scan_note_;
  QPushButton* rescan_;
  QPushButton* use_;
  QWidget* details_;
  ElidedLabel* name_;
  ElidedLabel* place_;
  SignLine* verdict_;
  QVBoxLayout* facts_;
  QLabel* notices_;
};

}  // namespace anneal::ui
