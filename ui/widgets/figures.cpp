#include "ui/widgets/figures.h"

namespace anneal::ui {

Figures::Figures(const QStringList& names) {
  auto* line = new QHBoxLayout(this);
  line->setSpacing(space::kGap);
  for (const QString& name : names) {
    if (!cells_.isEmpty()) {
      QFrame* divider = hairline();
      divider->setFixedSize(1, 44);
      line->addWidget(divider);
    }
    Cell cell{label("–", TextRole::kFigure), label("", TextRole::kSmall, "muted"),
              new ElidedLabel(TextRole::kCaption, "muted")};
    auto* title = new ElidedLabel(TextRole::kCaption, "muted");
    title->show_text(name);
    cell.note->show_text(" ");
    auto* column = new QVBoxLayout;
    column->setSpacing(1);
    column->addWidget(title);
    auto* middle = row_of({cell.value, cell.unit, nullptr}, 5);
    column->addLayout(middle);
    column->addWidget(cell.note);
    line->addLayout(column, 1);
    cells_.push_back(cell);
  }
}

void Figures::show_figure(int index, const QString& value, const QString& unit, const QString& note, const char* ink) {
  const Cell& cell = cells_[index];
  cell.value->setText(value);
  cell.unit->setText(unit);
  cell.note->show_text(note.isEmpty() ? " " : note);
  set_ink(cell.note, ink);
}

}  // namespace anneal::ui
