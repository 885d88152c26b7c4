#include "ui/data/length_histogram.h"

#include <QPainter>
#include <algorithm>
#include <cmath>

#include "ui/widgets/texts.h"

namespace anneal::ui {

LengthHistogram::LengthHistogram() {
  setMinimumHeight(150);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
}

void LengthHistogram::show_lengths(const QVector<std::pair<qint64, qint64>>& lengths, qint64 limit) {
  lengths_ = lengths;
  limit_ = limit;
  qint64 rows = 0, over = 0;
  for (const auto& [length, count] : lengths_) {
    rows += count;
    if (length > limit_) over += count;
  }
  setAccessibleName(
      QObject::tr("Token lengths of %1 rows, %2 of them over the cut-off of %3").arg(rows).arg(over).arg(limit));
  update();
}

void LengthHistogram::paintEvent(QPaintEvent*) {
  if (lengths_.isEmpty()) return;
  QPainter painter(this);
  const Theme& t = theme();
  // The cut-off is shown where rows come near it.
  const qint64 longest = lengths_.last().first;
  const bool shows_limit = limit_ > 0 && longest * 2 > limit_;
  const double most_tokens = double(std::max(longest, shows_limit ? limit_ + limit_ / 8 : qint64{1}));
  const int bars = std::clamp(width() / 8, 10, 60);
  QVector<qint64> rows(bars, 0);
  for (const auto& [length, count] : lengths_)
    rows[std::min(bars - 1, static_cast<int>(double(length) / most_tokens * bars))] += count;
  const qint64 most = *std::max_element(rows.begin(), rows.end());
  const QRectF area(0, 20, width(), height() - 42);
  const double limit_x = area.left() + area.width() * double(limit_) / most_tokens;
  if (shows_limit) painter.fillRect(QRectF(limit_x, area.top(), area.right() - limit_x, area.height()), t.warn.tint);
  const double wide = area.width() / bars;
  for (int i = 0; i < bars; ++i) {
    if (rows[i] == 0) continue;
    const double tall = std::max(1.5, area.height() * double(rows[i]) / double(most));
    const QRectF bar(area.left() + i * wide, area.bottom() - tall, std::max(1.0, wide - 1), tall);
    const bool is_over = shows_limit && bar.center().x() > limit_x;
    painter.fillRect(bar, is_over ? t.warn.ink : blend(t.series[0], t.card, 0.72));
  }
  painter.fillRect(QRectF(area.left(), area.bottom(), area.width(), 1), t.control);
  painter.setFont(font_of(TextRole::kCaption));
  painter.setPen(t.muted);
  for (int i = 0; i <= 2; ++i) {
    const QRectF box(area.left() + area.width() * i / 2 - (i == 0 ? 0 : i == 1 ? 40 : 80), area.bottom() + 4, 80, 16);
    painter.drawText(box,
                     (i == 0   ? Qt::AlignLeft
                      : i == 1 ? Qt::AlignHCenter
                               : Qt::AlignRight) |
                         Qt::AlignVCenter,
                     grouped(static_cast<qint64>(most_tokens * i / 2)));
  }
  painter.drawText(QRectF(0, 0, width() / 2.0, 16), Qt::AlignVCenter,
                   QObject::tr("highest: %1 rows").arg(grouped(most)));
  if (!shows_limit) return;
  painter.setPen(QPen(t.text, 1, Qt::DashLine));
  painter.drawLine(QPointF(limit_x, area.top() - 4), QPointF(limit_x, area.bottom()));
  painter.setPen(t.text);
  painter.drawText(QRectF(limit_x - 150, 0, 146, 16), Qt::AlignRight | Qt::AlignVCenter,
                   QObject::tr("cut-off %1").arg(grouped(limit_)));
}

}  // namespace anneal::ui
