#include "ui/widgets/card.h"

#include <QPainter>

#include "ui/theme/style.h"

namespace anneal::ui {

Card::Card(const QString& title, const QString& note)
    : title_(label(title, TextRole::kSection)),
      note_(new ElidedLabel(TextRole::kSmall, "muted")),
      head_(new QHBoxLayout) {
  note_->show_text(note);
  body_ = new QVBoxLayout(this);
  body_->setContentsMargins(1, space::kRow, 1, space::kGap);
  body_->setSpacing(space::kRow);
  if (title.isEmpty()) {
    title_->setParent(this);
    title_->hide();
    note_->setParent(this);
    note_->hide();
    delete head_;
    head_ = nullptr;
    body_->setContentsMargins(1, space::kGap, 1, space::kGap);
    return;
  }
  head_->setContentsMargins(space::kGap - 1, 0, space::kGap - 1, 0);
  head_->setSpacing(space::kTight);
  head_->addWidget(title_);
  head_->addWidget(note_, 1);
  body_->addLayout(head_);
}

void Card::add(QWidget* content, int stretch, bool edge_to_edge) {
  if (edge_to_edge) {
    body_->addWidget(content, stretch);
    QMargins margins = body_->contentsMargins();
    margins.setBottom(1);
    body_->setContentsMargins(margins);
    return;
  }
  auto* inset = new QHBoxLayout;
  inset->addWidget(content);
  add(inset, stretch);
}

void Card::add(QLayout* content, int stretch) {
  content->setContentsMargins(space::kGap - 1, 0, space::kGap - 1, 0);
  body_->addLayout(content, stretch);
}

void Card::add_tool(QWidget* tool) { head_->addWidget(tool); }

void Card::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint_panel(painter, rect(), theme().card, theme().border, space::kCardRadius);
}

}  // namespace anneal::ui
