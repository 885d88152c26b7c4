#pragma once
// What happened and how to go on, on top of a page, with up to two ways on as buttons. Never a box in the way.

#include <QFrame>
#include <functional>

#include "ui/widgets/texts.h"

namespace anneal::ui {

class MessageBar : public QFrame {
  Q_OBJECT
 public:
  MessageBar();
  // `what` says what happened, `how` how to go on.
  void show_message(ToneName tone, const QString& what, const QString& how);
  void clear() { hide(); }
  // One button; an empty text removes it.
  void offer(const QString& text, std::function<void()> act);
  QString what() const { return what_->text(); }
  QString how() const { return how_->text(); }
  QPushButton* action() const { return action_; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  ToneName tone_ = ToneName::kNeutral;
  QLabel* what_;
  QLabel* how_;
  QPushButton* copy_;
  QPushButton* action_;
  std::function<void()> act_;
};

}  // namespace anneal::ui
