#pragma once
// A row of large numbers, each with its name above and a note below.

#include <QVector>

#include "ui/widgets/texts.h"

namespace anneal::ui {

class Figures : public QWidget {
  Q_OBJECT
 public:
  explicit Figures(const QStringList& names);
  void show_figure(int index, const QString& value, const QString& unit = {}, const QString& note = {},
                   const char* ink = "muted");
  QString value(int index) const { return cells_[index].value->text(); }

 private:
  struct Cell {
    QLabel* value;
    QLabel* unit;
    ElidedLabel* note;
  };
  QVector<Cell> cells_;
};

}  // namespace anneal::ui
