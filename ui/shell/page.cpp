#include "ui/shell/page.h"

namespace anneal::ui {

Page::Page(const QString& title)
    : title_(new ElidedLabel(TextRole::kTitle)),
      detail_(new ElidedLabel(TextRole::kSmall, "muted")),
      reason_(new ElidedLabel(TextRole::kSmall, "bad")),
      chip_(new Chip),
      message_(new MessageBar) {
  title_->show_text(title);
  auto* bar = new QWidget;
  bar->setFixedHeight(space::kHeader);
  header_ = new QHBoxLayout(bar);
  header_->setContentsMargins(space::kPage, 0, space::kPage, 0);
  auto* words = new QVBoxLayout;
  words->setSpacing(1);
  words->addStretch(1);
  auto* first = row_of({title_, chip_}, space::kRow);
  first->addStretch(1);
  words->addLayout(first);
  words->addWidget(detail_);
  words->addStretch(1);
  header_->addLayout(words, 1);
  reason_->setAlignment(Qt::AlignRight);
  header_->addWidget(reason_);

  auto* inside = new QWidget;
  inside->setProperty("page", true);
  body_ = new QVBoxLayout(inside);
  body_->setContentsMargins(space::kPage, space::kPage, space::kPage, space::kPage);
  body_->setSpacing(space::kGap);
  body_->addWidget(message_);
  auto* scroll = new QScrollArea;
  scroll->setWidget(inside);
  scroll->setWidgetResizable(true);
  scroll->setFrameShape(QFrame::NoFrame);
  scroll->setFocusPolicy(Qt::NoFocus);
  scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  auto* all = new QVBoxLayout(this);
  all->setSpacing(0);
  all->addWidget(bar);
  all->addWidget(hairline());
  all->addWidget(scroll, 1);
}

QPushButton* Page::add_action(QPushButton* action) {
  action->setProperty("tall", true);
  header_->addWidget(action);
  return action;
}

}  // namespace anneal::ui
