#include "ui/widgets/segments.h"

#include <QPainter>

#include "ui/theme/style.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {

Segments::Segments(const QString& name, const QStringList& choices) : group_(new QButtonGroup(this)) {
  setAccessibleName(name);
  auto* line = new QHBoxLayout(this);
  line->setContentsMargins(2, 2, 2, 2);
  line->setSpacing(2);
  for (int i = 0; i < choices.size(); ++i) {
    QPushButton* choice = button(choices[i], "segment");
    choice->setFont(font_of(TextRole::kSmallStrong));
    choice->setCheckable(true);
    choice->setAccessibleName(name + ": " + choices[i]);
    choice->setChecked(i == 0);
    group_->addButton(choice, i);
    line->addWidget(choice);
  }
  setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
  connect(group_, &QButtonGroup::idClicked, this, &Segments::chosen_changed);
}

void Segments::choose(int index) {
  if (QAbstractButton* choice = group_->button(index)) choice->setChecked(true);
}

void Segments::set_choice_enabled(int index, bool enabled, const QString& reason) {
  group_->button(index)->setEnabled(enabled);
  group_->button(index)->setToolTip(reason);
}

void Segments::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  const Theme& t = theme();
  paint_panel(painter, rect(), t.is_dark ? t.sunken : t.hover, Qt::transparent, space::kControlRadius + 1);
}

}  // namespace anneal::ui
