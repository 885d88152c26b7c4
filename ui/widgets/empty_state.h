#pragma once
// A page with nothing on it yet: what it is for, the one way on, and what was looked at.

#include "ui/widgets/texts.h"

namespace anneal::ui {

class EmptyState : public QWidget {
  Q_OBJECT
 public:
  EmptyState(const QString& icon_name, const QString& title, const QString& text, const QString& action);
  QPushButton* action() const { return action_; }
  void set_text(const QString& text) { fill(text_, text); }
  void set_note(const QString& note) { fill(note_, note); }

 protected:
  void paintEvent(QPaintEvent* event) override;
  void showEvent(QShowEvent* event) override;

 private:
  static void fill(QLabel* label, const QString& text);
  QString icon_name_;
  QLabel* text_;
  QLabel* note_;
  QPushButton* action_;
};

}  // namespace anneal::ui
