#pragma once
// Memory by label against what the device has: one hue from strong to pale in the order of the rows below, a mark where
// the device ends, hatching beyond it.

#include <QVector>
#include <QWidget>

namespace anneal::ui {

struct MemoryPart {
  QString label;
  qint64 bytes = 0;
};

class MemoryBar : public QWidget {
  Q_OBJECT
 public:
  MemoryBar();
  void show_parts(QVector<MemoryPart> parts, qint64 available);  // largest first
  QSize sizeHint() const override;
  QSize minimumSizeHint() const override { return sizeHint(); }

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QVector<MemoryPart> parts_;
  qint64 total_ = 0;
  qint64 available_ = 0;
};

}  // namespace anneal::ui
