#pragma once
// Words, buttons and the plain arrangement of widgets.

#include <QBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QString>

#include "ui/tasks/words.h"
#include "ui/theme/theme.h"

namespace anneal::ui {

// `ink`: "", "soft", "muted", "info", "ok", "warn", "bad".
QLabel* label(const QString& text, TextRole role = TextRole::kBody, const char* ink = "");
QLabel* wrapped(const QString& text, TextRole role = TextRole::kSmall, const char* ink = "muted");
void set_ink(QWidget* widget, const char* ink);

// Shows as much of its text as there is room for; the whole stands in its tooltip.
class ElidedLabel : public QLabel {
 public:
  explicit ElidedLabel(TextRole role, const char* ink = "", Qt::TextElideMode mode = Qt::ElideRight);
  void show_text(const QString& text);
  QSize minimumSizeHint() const override { return {0, QLabel::minimumSizeHint().height()}; }
  QSize sizeHint() const override;

 protected:
  void paintEvent(QPaintEvent* event) override;

 private:
  QString whole_;
  Qt::TextElideMode mode_;
};

// `kind`: "", "primary", "quiet", "link".
QPushButton* button(const QString& text, const char* kind = "", const QString& icon_name = {});
QPushButton* icon_button(const QString& icon_name, const QString& name);

QFrame* hairline();

QHBoxLayout* row_of(std::initializer_list<QWidget*> items, int spacing = space::kTight);
QVBoxLayout* column_of(std::initializer_list<QWidget*> items, int spacing = space::kTight);

}  // namespace anneal::ui
