#pragma once
// How long rows are, in tokens, with the line beyond which they are cut or left out.

#include <QVector>
#include <QWidget>

namespace anneal::ui {

class LengthHistogram : public QWidget {
  Q_OBJECT
 public:
  LengthHistogram();
  // (length, rows) by length; `limit` in tokens.
  void show_lengths(const QVector<std::pair<qint64, qint64>>& lengths, qint64 limit);
  QSize sizeHint() const override { return {320, 220}; }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<std::pair<qint64, qint64>> lengths_;
  qint64 limit_ = 0;
};

}  // namespace anneal::ui
