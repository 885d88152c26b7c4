#pragma once
// A row as tokens: what is learned stands on blue with a line below it, what is only read on grey, and what the
// template writes has a dashed edge. Wraps like text and scrolls.

#include <QAbstractScrollArea>

#include "ui/tasks/data_check.h"

namespace anneal::ui {

enum class TokenKind { kLearned, kRead, kTemplate };

class TokenView : public QAbstractScrollArea {
  Q_OBJECT
 public:
  TokenView();
  void show_tokens(const QVector<ShownToken>& tokens);
  int count(TokenKind kind) const;

 protected:
  void paintEvent(QPaintEvent* event) override;
  void resizeEvent(QResizeEvent* event) override;

 private:
  void arrange();

  struct Placed {
    QString text;
    TokenKind kind;
    QRect box;
    bool breaks = false;  // ends a line
  };
  QVector<Placed> tokens_;
};

}  // namespace anneal::ui
