#pragma once
// A panel with a title, a note beside it and tools at the right.

#include <QFrame>
#include <QVBoxLayout>

#include "ui/widgets/texts.h"

namespace anneal::ui {

class Card : public QFrame {
  Q_OBJECT
 public:
  explicit Card(const QString& title = {}, const QString& note = {});
  // What stands below the head. `edge_to_edge` content (tables, charts) reaches the card's edges.
  void add(QWidget* content, int stretch = 0, bool edge_to_edge = false);
  void add(QLayout* content, int stretch = 0);
  void add_tool(QWidget* tool);
  void add_stretch() { body_->addStretch(1); }
  void set_title(const QString& title) { title_->setText(title); }
  void set_note(const QString& note) { note_->show_text(note); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QLabel* title_;
  ElidedLabel* note_;
  QHBoxLayout* head_;
  QVBoxLayout* body_;
};

}  // namespace anneal::ui
