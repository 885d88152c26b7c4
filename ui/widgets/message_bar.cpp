#include "ui/widgets/message_bar.h"

#include <QApplication>
#include <QClipboard>
#include <QPainter>

#include "ui/theme/icons.h"
#include "ui/theme/style.h"

namespace anneal::ui {

MessageBar::MessageBar()
    : what_(wrapped("", TextRole::kStrong, "")),
      how_(wrapped("", TextRole::kSmall, "soft")),
      copy_(button(tr("Copy details"), "quiet", "copy")),
      action_(button("", "", "fix")) {
  for (QLabel* words : {what_, how_}) {
    words->setTextInteractionFlags(Qt::TextSelectableByMouse);
    words->setFocusPolicy(Qt::NoFocus);
  }
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(44, 10, 12, 10);
  line->setSpacing(space::kTight);
  auto* words = column_of({what_, how_}, 2);
  line->addLayout(words, 1);
  line->addWidget(copy_);
  line->addWidget(action_);
  action_->hide();
  hide();
  connect(copy_, &QPushButton::clicked, this,
          [this] { QApplication::clipboard()->setText(what_->text() + "\n" + how_->text()); });
  connect(action_, &QPushButton::clicked, this, [this] {
    if (act_) act_();
  });
}

void MessageBar::show_message(ToneName tone, const QString& what, const QString& how) {
  tone_ = tone;
  what_->setText(what);
  how_->setText(how);
  how_->setVisible(!how.isEmpty());
  setAccessibleName(what);
  copy_->setVisible(tone == ToneName::kBad);
  action_->hide();
  act_ = {};
  show();
  update();
}

void MessageBar::offer(const QString& text, std::function<void()> act) {
  act_ = std::move(act);
  action_->setText(text);
  action_->setAccessibleName(text);
  action_->setVisible(!text.isEmpty());
}

void MessageBar::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Tone& colors = theme().tone(tone_);
  paint_panel(painter, rect(), colors.tint, colors.edge, space::kCardRadius);
  paint_icon(painter, QRectF(15, 11, 18, 18), sign_of(tone_), colors.ink);
}

}  // namespace anneal::ui
