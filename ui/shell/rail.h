#pragma once
// The list of pages at the left, with the choices made so far as second lines; below it the run at work and the device.

#include <QListView>
#include <QProgressBar>
#include <QStandardItemModel>
#include <QTimer>

#include "ui/shell/page.h"

namespace anneal::ui {

class Rail : public QWidget {
  Q_OBJECT
 public:
  explicit Rail(int pages);  // the first so many are there
  void choose(PageId page);
  void show_note(PageId page, const QString& note, ToneName tone = ToneName::kNeutral);
  // `share` from 0 to 1; an empty name hides the card.
  void show_run(const QString& name, double share, const QString& note, bool is_bad);

 signals:
  void page_chosen(PageId page);
  void settings_wanted();

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  void show_device();

  QStandardItemModel pages_;
  QListView* list_;
  QWidget* run_card_;
  ElidedLabel* run_name_;
  ElidedLabel* run_note_;
  QProgressBar* run_bar_;
  QAbstractButton* device_;
  ElidedLabel* device_name_;
  ElidedLabel* device_note_;
  QTimer device_timer_;
};

}  // namespace anneal::ui
