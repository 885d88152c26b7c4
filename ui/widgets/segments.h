#pragma once
// A few choices side by side of which one is on. Arrow keys move within it, as in a group of radio buttons.

#include <QButtonGroup>
#include <QStringList>
#include <QWidget>

namespace anneal::ui {

class Segments : public QWidget {
  Q_OBJECT
 public:
  Segments(const QString& name, const QStringList& choices);
  int chosen() const { return group_->checkedId(); }
  void choose(int index);  // without a signal
  void set_choice_enabled(int index, bool enabled, const QString& reason = {});

 signals:
  void chosen_changed(int index);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QButtonGroup* group_;
};

}  // namespace anneal::ui
