#pragma once
// States as shape, word and colour at once: chips, and lines with a sign in front.

#include <QWidget>

#include "ui/widgets/texts.h"

namespace anneal::ui {

class Chip : public QWidget {
 public:
  Chip() { hide(); }
  void show_state(const QString& text, ToneName tone);  // an empty text hides it
  QSize sizeHint() const override;
  static QSize size_of(const QString& text);
  static void paint(QPainter& painter, const QRect& box, const QString& text, ToneName tone);

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString text_;
  ToneName tone_ = ToneName::kNeutral;
};

// A sign, what it is about, and at the right a note.
class SignLine : public QWidget {
 public:
  SignLine();
  void show_state(ToneName tone, const QString& text, const QString& note = {});

 private:
  QLabel* sign_;
  QLabel* text_;
  QLabel* note_;
};

// A name at the left, its value at the right.
class FactLine : public QWidget {
 public:
  explicit FactLine(const QString& name, const QString& value = {});
  void set_value(const QString& value) { value_->show_text(value); }

 private:
  ElidedLabel* value_;
};

}  // namespace anneal::ui
