#include "ui/data/token_view.h"

#include <QPainter>
#include <QScrollBar>
#include <algorithm>

#include "ui/theme/style.h"

namespace anneal::ui {
namespace {

constexpr int kTall = 20, kLine = 27, kBetween = 3;

// Blanks and line ends become visible.
QString visible(const QString& text) {
  QString shown = text;
  shown.replace(' ', QChar(0x00B7)).replace('\n', QChar(0x23CE)).replace('\t', QChar(0x2192));
  return shown.isEmpty() ? QString(QChar(0x2026)) : shown;  // a part of a character
}

}  // namespace

TokenView::TokenView() {
  setFrameShape(NoFrame);
  setAccessibleName(tr("Tokens of the row"));
  setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  viewport()->setAutoFillBackground(false);
  setMinimumHeight(140);
}

void TokenView::show_tokens(const QVector<ShownToken>& tokens) {
  tokens_.clear();
  for (const ShownToken& token : tokens) {
    const TokenKind kind = token.is_learned    ? TokenKind::kLearned
                           : token.is_template ? TokenKind::kTemplate
                                               : TokenKind::kRead;
    tokens_.push_back({visible(token.text), kind, {}, token.text.endsWith('\n')});
  }
  setAccessibleDescription(tr("%1 tokens learned, %2 only read, %3 of the template")
                               .arg(count(TokenKind::kLearned))
                               .arg(count(TokenKind::kRead))
                               .arg(count(TokenKind::kTemplate)));
  verticalScrollBar()->setValue(0);
  arrange();
}

int TokenView::count(TokenKind kind) const {
  return static_cast<int>(
      std::count_if(tokens_.begin(), tokens_.end(), [kind](const Placed& t) { return t.kind == kind; }));
}

void TokenView::arrange() {
  const QFontMetrics metrics(font_of(TextRole::kMono));
  const int room = std::max(60, viewport()->width() - 4);
  int x = 0;
  int y = 2;
  for (Placed& token : tokens_) {
    const int wide = std::min(metrics.horizontalAdvance(token.text) + 8, room);
    if (x > 0 && x + wide > room) {
      x = 0;
      y += kLine;
    }
    token.box = QRect(x, y, wide, kTall);
    x += wide + kBetween;
    if (token.breaks) {
      x = 0;
      y += kLine;
    }
  }
  verticalScrollBar()->setPageStep(viewport()->height());
  verticalScrollBar()->setSingleStep(kLine);
  verticalScrollBar()->setRange(0, std::max(0, y + kLine - viewport()->height()));
  viewport()->update();
}

void TokenView::resizeEvent(QResizeEvent* event) {
  QAbstractScrollArea::resizeEvent(event);
  arrange();
}

void TokenView::paintEvent(QPaintEvent*) {
  QPainter painter(viewport());
  const Theme& t = theme();
  const int top = verticalScrollBar()->value();
  painter.setFont(font_of(TextRole::kMono));
  for (const Placed& token : tokens_) {
    const QRect box = token.box.translated(0, -top);
    if (box.bottom() < 0) continue;
    if (box.top() > viewport()->height()) break;
    if (token.kind == TokenKind::kTemplate) {
      painter.setPen(QPen(t.outline, 1, Qt::DashLine));
      painter.setBrush(Qt::NoBrush);
      painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    } else {
      const bool learns = token.kind == TokenKind::kLearned;
      paint_panel(painter, box, learns ? t.info.tint : t.neutral.tint, Qt::transparent, 3);
      if (learns) painter.fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 2), t.info.ink);
    }
    painter.setPen(token.kind == TokenKind::kLearned ? t.text : t.soft);
    painter.drawText(box, Qt::AlignCenter,
                     painter.fontMetrics().elidedText(token.text, Qt::ElideMiddle, box.width() - 4));
  }
}

}  // namespace anneal::ui
