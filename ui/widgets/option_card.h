#pragma once
// One of several large choices: a name, what it is, and a line of what it needs. A locked one shows why.

#include <QAbstractButton>

#include "ui/theme/theme.h"

namespace anneal::ui {

class OptionCard : public QAbstractButton {
  Q_OBJECT
 public:
  OptionCard(const QString& title, const QString& summary);
  void show_need(const QString& text, ToneName tone);
  QSize sizeHint() const override { return {180, 88}; }
  QSize minimumSizeHint() const override { return {120, 88}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString summary_;
  QString need_;
  ToneName tone_ = ToneName::kNeutral;
};

}  // namespace anneal::ui
