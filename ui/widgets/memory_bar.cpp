#include "ui/widgets/memory_bar.h"

#include <QPainter>
#include <QPainterPath>
#include <algorithm>

#include "engine/session/event_text.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {
namespace {
constexpr int kTop = 20, kBar = 16, kRow = 22;
}

MemoryBar::MemoryBar() { setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed); }

void MemoryBar::show_parts(QVector<MemoryPart> parts, qint64 available) {
  parts_ = std::move(parts);
  available_ = available;
  total_ = 0;
  for (const MemoryPart& part : parts_) total_ += part.bytes;
  setAccessibleName(
      QObject::tr("Memory: %1 of %2").arg(qt(engine::bytes_text(total_)), qt(engine::bytes_text(available))));
  setToolTip(accessibleName());
  updateGeometry();
  update();
}

QSize MemoryBar::sizeHint() const {
  return {200, kTop + kBar + space::kTight + kRow * (static_cast<int>(parts_.size()) + 1)};
}

void MemoryBar::paintEvent(QPaintEvent*) {
  if (total_ <= 0) return;
  QPainter painter(this);
  const Theme& t = theme();
  const double scale = width() / double(std::max(total_, available_));
  const auto ink_of = [&](int i) { return blend(t.info.ink, t.track, std::max(0.16, 1.0 - 0.17 * i)); };
  painter.fillRect(QRectF(0, kTop, width(), kBar), t.track);
  double left = 0;
  for (int i = 0; i < parts_.size(); ++i) {
    const double wide = double(parts_[i].bytes) * scale;
    painter.fillRect(QRectF(left, kTop, std::max(0.0, wide - (wide > 3 ? 1 : 0)), kBar), ink_of(i));
    left += wide;
  }
  const double end = double(available_) * scale;
  if (total_ > available_) {
    painter.fillRect(QRectF(end, kTop, left - end, kBar), t.bad.tint);
    painter.fillRect(QRectF(end, kTop, left - end, kBar), QBrush(t.bad.ink, Qt::BDiagPattern));
  }
  painter.fillRect(QRectF(std::min(end, width() - 2.0) - 1, kTop - 3, 2, kBar + 6), t.text);
  painter.setFont(font_of(TextRole::kCaption));
  painter.setPen(t.soft);
  const QString words = QObject::tr("%1 available").arg(qt(engine::bytes_text(available_)));
  const int wide = painter.fontMetrics().horizontalAdvance(words);
  painter.drawText(QRectF(std::clamp(end - wide, 0.0, double(width() - wide)), 0, wide + 1, 16), Qt::AlignVCenter,
                   words);
  int y = kTop + kBar + space::kTight;
  painter.setFont(font_of(TextRole::kSmall));
  for (int i = 0; i < parts_.size(); ++i, y += kRow) {
    painter.fillRect(QRectF(0, y + 6, 10, 10), ink_of(i));
    painter.setPen(t.soft);
    painter.drawText(QRect(18, y, width() - 100, kRow), Qt::AlignVCenter,
                     painter.fontMetrics().elidedText(parts_[i].label, Qt::ElideRight, width() - 104));
    painter.setPen(t.text);
    painter.drawText(QRect(0, y, width(), kRow), Qt::AlignVCenter | Qt::AlignRight,
                     qt(engine::bytes_text(parts_[i].bytes)));
  }
  painter.fillRect(QRect(0, y, width(), 1), t.border);
  painter.setFont(font_of(TextRole::kSmallStrong));
  painter.setPen(t.text);
  painter.drawText(QRect(0, y, width(), kRow), Qt::AlignVCenter, QObject::tr("Peak"));
  painter.drawText(QRect(0, y, width(), kRow), Qt::AlignVCenter | Qt::AlignRight, qt(engine::bytes_text(total_)));
}

}  // namespace anneal::ui
