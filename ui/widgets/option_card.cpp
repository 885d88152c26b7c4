#include "ui/widgets/option_card.h"

#include <QPainter>

#include "ui/theme/icons.h"
#include "ui/theme/style.h"

namespace anneal::ui {

OptionCard::OptionCard(const QString& title, const QString& summary) : summary_(summary) {
  setText(title);
  setCheckable(true);
  setAutoExclusive(true);
  setFocusPolicy(Qt::StrongFocus);
  setAccessibleName(title);
  setAccessibleDescription(summary);
  setToolTip(summary);
  setAttribute(Qt::WA_Hover);
  setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void OptionCard::show_need(const QString& text, ToneName tone) {
  need_ = text;
  tone_ = tone;
  update();
}

void OptionCard::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = theme();
  const bool is_on = isChecked();
  const QColor ground = is_on ? t.info.tint : underMouse() && isEnabled() ? t.hover : t.card;
  paint_panel(painter, rect(), ground, is_on ? t.info.ink : t.border, space::kCardRadius);
  if (hasFocus()) paint_panel(painter, QRectF(rect()).adjusted(3, 3, -3, -3), Qt::transparent, t.info.ink, 6);
  const QRect box = rect().adjusted(14, 10, -14, -10);
  const auto draw = [&](int top, TextRole role, const QColor& ink, const QString& words, int width) {
    painter.setFont(font_of(role));
    painter.setPen(ink);
    painter.drawText(QRect(box.left(), box.top() + top, width, 20), Qt::AlignVCenter | Qt::AlignLeft,
                     painter.fontMetrics().elidedText(words, Qt::ElideRight, width));
  };
  draw(0, TextRole::kSection, isEnabled() ? t.text : t.muted, text(), box.width() - 24);
  draw(22, TextRole::kSmall, isEnabled() ? t.soft : t.muted, summary_, box.width());
  const QRectF mark(box.right() - 16, box.top() + 2, 16, 16);
  if (!isEnabled()) {
    paint_icon(painter, mark, "lock", t.muted);
  } else {
    paint_panel(painter, mark, is_on ? t.accent : t.card, is_on ? t.accent : t.outline, 8);
    if (is_on) paint_panel(painter, mark.adjusted(5, 5, -5, -5), t.on_accent, Qt::transparent, 3);
  }
  if (need_.isEmpty()) return;
  const QColor ink = tone_ == ToneName::kNeutral ? t.muted : t.tone(tone_).ink;
  int left = 0;
  if (tone_ != ToneName::kNeutral) {
    paint_icon(painter, QRectF(box.left(), box.top() + 50, 14, 14), tone_ == ToneName::kOk ? "check" : sign_of(tone_),
               ink);
    left = 20;
  }
  painter.setFont(font_of(TextRole::kSmallStrong));
  painter.setPen(ink);
  painter.drawText(QRect(box.left() + left, box.top() + 47, box.width() - left, 20), Qt::AlignVCenter | Qt::AlignLeft,
                   painter.fontMetrics().elidedText(need_, Qt::ElideRight, box.width() - left));
}

}  // namespace anneal::ui
