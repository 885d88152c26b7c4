#pragma once
// The window: the rail, the pages, and what they share. Owns everything; one per process.

#include <QMainWindow>
#include <QStackedWidget>

#include "ui/data/data_page.h"
#include "ui/models/models_page.h"
#include "ui/recipe/draft.h"
#include "ui/recipe/recipe_page.h"
#include "ui/shell/rail.h"
#include "ui/shell/settings.h"

namespace anneal::ui {

class MainWindow : public QMainWindow {
  Q_OBJECT
 public:
  MainWindow();
  ~MainWindow() override;
  // A dropped or named path: a model if it looks like one, else data.
  void take_path(const QString& path);
  void open_page(PageId page);
  Draft& draft() { return draft_; }
  template <class Kind>
  Kind* page() const {
    return findChild<Kind*>();
  }

 protected:
  void closeEvent(QCloseEvent* event) override;
  void dragEnterEvent(QDragEnterEvent* event) override;
  void dropEvent(QDropEvent* event) override;

 private:
  void add_page(Page* page);
  void restore();
  void keep();
  void show_choices();
  void show_settings();

  QSettings settings_;
  ThemeChoice theme_choice_ = ThemeChoice::kSystem;
  Draft draft_;
  Rail* rail_;
  QStackedWidget* stack_;
  ModelsPage* models_;
  DataPage* data_;
  RecipePage* recipe_;
};

}  // namespace anneal::ui
