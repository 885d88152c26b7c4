#include "ui/widgets/table_view.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>

#include "ui/theme/icons.h"
#include "ui/widgets/signs.h"

namespace anneal::ui {
namespace {

class CellDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    const bool is_on = option.state & QStyle::State_Selected;
    painter->save();
    painter->fillRect(option.rect, is_on ? t.chosen_row : QColor(Qt::transparent));
    painter->fillRect(QRect(option.rect.left(), option.rect.bottom(), option.rect.width(), 1), t.grid);
    if (is_on && index.column() == 0)
      painter->fillRect(QRect(option.rect.left(), option.rect.top(), 2, option.rect.height()), t.info.ink);
    QRect box = option.rect.adjusted(index.column() == 0 ? space::kGap : 12, 0, -12, 0);
    const QVariant check = index.data(Qt::CheckStateRole);
    if (check.isValid()) {
      QStyleOptionButton mark;
      mark.rect = QRect(box.left(), box.center().y() - 7, 16, 16);
      mark.state = QStyle::State_Enabled | (check.toInt() == Qt::Checked ? QStyle::State_On : QStyle::State_Off);
      option.widget->style()->drawPrimitive(QStyle::PE_IndicatorCheckBox, &mark, painter, option.widget);
      box.setLeft(box.left() + 28);
    }
    const QVariant swatch = index.data(kSwatchRole);
    if (swatch.isValid()) {
      if (swatch.toInt() >= 0) paint_swatch(*painter, QRectF(box.left(), box.center().y() - 7, 20, 16), swatch.toInt());
      box.setLeft(box.left() + 30);
    }
    paint_words(painter, box, index, is_on);
    if (is_on && index.column() == 0 && option.state & QStyle::State_HasFocus) {
      painter->setPen(QPen(t.info.ink, 1));
      painter->drawRect(option.rect.adjusted(0, 0, -1, -1));
    }
    painter->restore();
  }

  bool editorEvent(QEvent* event, QAbstractItemModel* model, const QStyleOptionViewItem& option,
                   const QModelIndex& index) override {
    // The box is drawn here, so the place of a click is asked here too: anywhere in the box's column part.
    if (event->type() == QEvent::MouseButtonRelease && index.data(Qt::CheckStateRole).isValid()) {
      const auto* click = static_cast<QMouseEvent*>(event);
      if (click->position().x() < option.rect.left() + 40) {
        const bool was_on = index.data(Qt::CheckStateRole).toInt() == Qt::Checked;
        return model->setData(index, was_on ? Qt::Unchecked : Qt::Checked, Qt::CheckStateRole);
      }
    }
    return QStyledItemDelegate::editorEvent(event, model, option, index);
  }

 private:
  static void paint_words(QPainter* painter, QRect box, const QModelIndex& index, bool is_on) {
    const Theme& t = theme();
    const QString text = index.data(Qt::DisplayRole).toString();
    const auto tone = static_cast<ToneName>(index.data(kToneRole).toInt());
    const int side = index.data(Qt::TextAlignmentRole).toInt() & Qt::AlignRight ? Qt::AlignRight : Qt::AlignLeft;
    if (tone == ToneName::kInfo || tone == ToneName::kWarn || tone == ToneName::kBad) {
      QString words = text;
      const int room = box.width() - 32;
      words = QFontMetrics(font_of(TextRole::kTag)).elidedText(words, Qt::ElideRight, room);
      const QSize size = Chip::size_of(words);
      Chip::paint(*painter, QRect(QPoint(box.left() - 6, box.center().y() - 9), size), words, tone);
      return;
    }
    if (tone == ToneName::kOk) {
      paint_icon(*painter, QRectF(box.left() - 1, box.center().y() - 6, 15, 15), "check", t.ok.ink);
      box.setLeft(box.left() + 20);
    }
    const auto draw = [&](const QRect& where, const QString& words, TextRole role, const QColor& ink) {
      painter->setFont(font_of(role));
      painter->setPen(ink);
      painter->drawText(where, side | Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(words, Qt::ElideRight, where.width()));
    };
    const bool is_strong = index.data(kStrongRole).toBool();
    const TextRole role = index.data(kMonoRole).toBool() ? (is_strong ? TextRole::kMonoStrong : TextRole::kMono)
                                                         : (is_strong ? TextRole::kStrong : TextRole::kBody);
    const QColor ink = index.data(kFaintRole).toBool() ? (is_on ? t.soft : t.muted) : t.text;
    const QString sub = index.data(kSubRole).toString();
    if (sub.isEmpty()) return draw(box, text, role, ink);
    const int middle = box.center().y();
    draw(QRect(box.left(), middle - 17, box.width(), 18), text, role, ink);
    draw(QRect(box.left(), middle + 1, box.width(), 16), sub, TextRole::kCaption, is_on ? t.soft : t.muted);
  }
};

}  // namespace

QVector<qreal> dashes_of(int series) {
  switch (series % 4) {
    case 1:
      return {4, 2};
    case 2:
      return {1, 1.5};
    case 3:
      return {5, 1.5, 1, 1.5};
    default:
      return {};
  }
}

void paint_swatch(QPainter& painter, const QRectF& box, int series) {
  const QList<QColor>& colors = theme().series;
  QPen pen(colors[series % colors.size()], 2, Qt::SolidLine, Qt::FlatCap);
  if (const auto dashes = dashes_of(series); !dashes.isEmpty()) pen.setDashPattern(dashes);
  painter.setPen(pen);
  painter.drawLine(QPointF(box.left(), box.center().y()), QPointF(box.right(), box.center().y()));
}

TableView::TableView(const QString& name, QVector<ColumnShape> columns, int row_height) : columns_(std::move(columns)) {
  setItemDelegate(new CellDelegate(this));
  setAccessibleName(name);
  setShowGrid(false);
  setSelectionBehavior(SelectRows);
  setSelectionMode(SingleSelection);
  setTabKeyNavigation(false);
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  setVerticalScrollMode(ScrollPerPixel);
  verticalHeader()->hide();
  verticalHeader()->setMinimumSectionSize(20);
  verticalHeader()->setDefaultSectionSize(row_height);
  horizontalHeader()->setFixedHeight(space::kTableRow);
  horizontalHeader()->setHighlightSections(false);
  horizontalHeader()->setMinimumSectionSize(24);
  setMinimumHeight(space::kTableRow + 3 * row_height);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Ignored);
}

void TableView::setModel(QAbstractItemModel* model) {
  QTableView::setModel(model);
  for (int i = 0; i < columns_.size(); ++i) {
    const int width = columns_[i].width;
    horizontalHeader()->setSectionResizeMode(i, width > 0 ? QHeaderView::Fixed : QHeaderView::Stretch);
    if (width > 0) setColumnWidth(i, width);
  }
}

void TableView::resizeEvent(QResizeEvent* event) {
  if (model() != nullptr) {
    int room = viewport()->width();
    for (const ColumnShape& column : columns_) room -= column.width;
    for (int i = static_cast<int>(columns_.size()) - 1; i >= 0; --i) {
      const bool hides = columns_[i].is_optional && room < 180;
      setColumnHidden(i, hides);
      room += hides ? columns_[i].width : 0;
    }
  }
  QTableView::resizeEvent(event);
}

}  // namespace anneal::ui
