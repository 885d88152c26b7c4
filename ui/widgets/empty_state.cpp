#include "ui/widgets/empty_state.h"

#include <QPainter>
#include <algorithm>

#include "ui/theme/icons.h"

namespace anneal::ui {
namespace {

constexpr int kWidth = 460;

}  // namespace

EmptyState::EmptyState(const QString& icon_name, const QString& title, const QString& text, const QString& action)
    : icon_name_(icon_name),
      text_(wrapped(text, TextRole::kBody, "soft")),
      note_(wrapped("")),
      action_(button(action, "primary")) {
  auto* sign = new QLabel;
  sign->setPixmap(icon(icon_name).pixmap(40, 40));
  sign->setFixedSize(40, 40);
  auto* block = new QWidget;
  block->setFixedWidth(kWidth);
  auto* column = new QVBoxLayout(block);
  column->setContentsMargins(0, 0, 0, 0);
  column->setSpacing(space::kRow);
  column->addWidget(sign, 0, Qt::AlignHCenter);
  column->addWidget(label(title, TextRole::kTitle), 0, Qt::AlignHCenter);
  text_->setAlignment(Qt::AlignHCenter);
  note_->setAlignment(Qt::AlignHCenter);
  column->addWidget(text_);
  action_->setVisible(!action.isEmpty());
  column->addWidget(action_, 0, Qt::AlignHCenter);
  column->addWidget(note_);
  auto* all = new QVBoxLayout(this);
  all->addStretch(2);
  // Between stretches and without an alignment: an aligned item is laid out by its hint, which wraps nothing.
  auto* middle = new QHBoxLayout;
  middle->addStretch(1);
  middle->addWidget(block);
  middle->addStretch(1);
  all->addLayout(middle);
  all->addStretch(3);
}

// A wrapped label that is aligned asks for too few lines; by its width it knows better.
void EmptyState::fill(QLabel* label, const QString& text) {
  label->setText(text);
  label->ensurePolished();
  label->setMinimumHeight(std::max(0, label->heightForWidth(kWidth)));
}

void EmptyState::showEvent(QShowEvent* event) {
  fill(text_, text_->text());  // its font may have come since
  fill(note_, note_->text());
  QWidget::showEvent(event);
}

void EmptyState::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setRenderHint(QPainter::Antialiasing);
  QPen pen(theme().control, 1, Qt::DashLine);
  painter.setPen(pen);
  painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), space::kCardRadius, space::kCardRadius);
}

}  // namespace anneal::ui
