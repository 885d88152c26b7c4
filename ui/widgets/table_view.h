#pragma once
// A table without lines between columns: names firm, notes soft, and a chip only where attention is due. Models give
// each cell its text and, by the roles below, how it is shown.

#include <QTableView>
#include <QVector>

#include "ui/theme/theme.h"

namespace anneal::ui {

enum CellRole {
  kSubRole = Qt::UserRole + 1,  // a second line
  kToneRole,                    // int(ToneName): ok is a green check before plain words, info, warn and bad are chips
  kFaintRole,                   // bool
  kMonoRole,                    // bool
  kStrongRole,                  // bool
  kSwatchRole,                  // number of a series, from 0; -1: room is left for one
};

struct ColumnShape {
  int width = 0;  // 0: takes the rest
  bool is_optional = false;
};

class TableView : public QTableView {
  Q_OBJECT
 public:
  TableView(const QString& name, QVector<ColumnShape> columns, int row_height);
  void setModel(QAbstractItemModel* model) override;

 protected:
  void resizeEvent(QResizeEvent* event) override;

 private:
  QVector<ColumnShape> columns_;
};

// Pen dashes of the curves, in the order of the theme's series.
QVector<qreal> dashes_of(int series);
void paint_swatch(QPainter& painter, const QRectF& box, int series);

}  // namespace anneal::ui
