#include "ui/widgets/texts.h"

#include <QPainter>
#include <QStyle>

#include "ui/theme/icons.h"

namespace anneal::ui {

QLabel* label(const QString& text, TextRole role, const char* ink) {
  auto* made = new QLabel(text);
  made->setTextFormat(Qt::PlainText);
  made->setFont(font_of(role));
  made->setProperty("ink", ink);
  return made;
}

QLabel* wrapped(const QString& text, TextRole role, const char* ink) {
  QLabel* made = label(text, role, ink);
  made->setWordWrap(true);
  return made;
}

void set_ink(QWidget* widget, const char* ink) {
  if (widget->property("ink").toString() == ink) return;
  widget->setProperty("ink", ink);
  widget->style()->unpolish(widget);
  widget->style()->polish(widget);
}

ElidedLabel::ElidedLabel(TextRole role, const char* ink, Qt::TextElideMode mode) : mode_(mode) {
  setTextFormat(Qt::PlainText);
  setFont(font_of(role));
  setProperty("ink", ink);
  setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
}

void ElidedLabel::show_text(const QString& text) {
  if (text == whole_) return;
  whole_ = text;
  setText(text);  // for people who listen
  setToolTip(text);
  updateGeometry();
}

QSize ElidedLabel::sizeHint() const { return {fontMetrics().horizontalAdvance(whole_) + 2, fontMetrics().height()}; }

void ElidedLabel::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.setPen(palette().color(foregroundRole()));
  painter.drawText(rect(), static_cast<int>(alignment()) | Qt::AlignVCenter,
                   fontMetrics().elidedText(whole_, mode_, width()));
}

QPushButton* button(const QString& text, const char* kind, const QString& icon_name) {
  auto* made = new QPushButton(text);
  made->setProperty("kind", kind);
  made->setFont(font_of(TextRole::kStrong));
  made->setAutoDefault(false);
  made->setAccessibleName(text);
  if (!icon_name.isEmpty()) {
    const QString name = kind;
    made->setIcon(icon(icon_name, name == "primary" ? accent_ink : name == "link" ? info_ink : soft_ink));
    made->setIconSize({20, 16});  // the drawing stands in the left 16: a gap before the words
  }
  return made;
}

QPushButton* icon_button(const QString& icon_name, const QString& name) {
  auto* made = new QPushButton;
  made->setProperty("kind", "quiet");
  made->setIcon(icon(icon_name));
  made->setIconSize({16, 16});
  made->setFixedWidth(space::kControlHeight);
  made->setAutoDefault(false);
  made->setAccessibleName(name);
  made->setToolTip(name);
  return made;
}

QFrame* hairline() {
  auto* made = new QFrame;
  made->setProperty("line", "true");
  made->setFixedHeight(1);
  return made;
}

QHBoxLayout* row_of(std::initializer_list<QWidget*> items, int spacing) {
  auto* made = new QHBoxLayout;
  made->setSpacing(spacing);
  for (QWidget* item : items) {
    if (item == nullptr) {
      made->addStretch(1);
    } else {
      made->addWidget(item);
    }
  }
  return made;
}

QVBoxLayout* column_of(std::initializer_list<QWidget*> items, int spacing) {
  auto* made = new QVBoxLayout;
  made->setSpacing(spacing);
  for (QWidget* item : items) made->addWidget(item);
  return made;
}

}  // namespace anneal::ui
