#include "ui/widgets/signs.h"

#include <QPainter>

#include "ui/theme/icons.h"
#include "ui/theme/style.h"

namespace anneal::ui {
namespace {

class Sign : public QLabel {
 public:
  Sign() { setFixedSize(16, 16); }
  void show_tone(ToneName tone) {
    tone_ = tone;
    update();
  }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paint_icon(painter, QRectF(0, 0, 16, 16), sign_of(tone_),
               tone_ == ToneName::kNeutral ? theme().muted : theme().tone(tone_).ink);
  }

 private:
  ToneName tone_ = ToneName::kNeutral;
};

}  // namespace

void Chip::show_state(const QString& text, ToneName tone) {
  text_ = text;
  tone_ = tone;
  setAccessibleName(text);
  setFixedSize(sizeHint());
  setVisible(!text.isEmpty());
  update();
}

QSize Chip::size_of(const QString& text) {
  return {QFontMetrics(font_of(TextRole::kTag)).horizontalAdvance(text) + 32, 20};
}

QSize Chip::sizeHint() const { return size_of(text_); }

void Chip::paint(QPainter& painter, const QRect& box, const QString& text, ToneName tone) {
  const Tone& colors = theme().tone(tone);
  paint_panel(painter, box, colors.tint, colors.edge, space::kChipRadius);
  paint_icon(painter, QRectF(box.left() + 6, box.center().y() - 6, 14, 14),
             tone == ToneName::kOk ? "check" : sign_of(tone), colors.ink);
  painter.setFont(font_of(TextRole::kTag));
  painter.setPen(colors.ink);
  painter.drawText(box.adjusted(23, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter, text);
}

void Chip::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  paint(painter, rect(), text_, tone_);
}

SignLine::SignLine()
    : sign_(new Sign), text_(wrapped("", TextRole::kSmall, "")), note_(label("", TextRole::kSmall, "muted")) {
  auto* line = new QHBoxLayout(this);
  line->setSpacing(space::kTight);
  line->addWidget(sign_, 0, Qt::AlignTop);
  line->addWidget(text_, 1);
  line->addWidget(note_, 0, Qt::AlignTop);
}

void SignLine::show_state(ToneName tone, const QString& text, const QString& note) {
  static_cast<Sign*>(sign_)->show_tone(tone);
  text_->setText(text);
  note_->setText(note);
  note_->setVisible(!note.isEmpty());
}

FactLine::FactLine(const QString& name, const QString& value) : value_(new ElidedLabel(TextRole::kSmall)) {
  auto* line = new QHBoxLayout(this);
  line->addWidget(label(name, TextRole::kSmall, "soft"));
  value_->setAlignment(Qt::AlignRight);
  line->addWidget(value_, 1);
  value_->show_text(value);
}

}  // namespace anneal::ui
