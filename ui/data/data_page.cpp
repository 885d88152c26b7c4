#include "ui/data/data_page.h"

#include <QFileDialog>

#include "ui/theme/icons.h"
#include "ui/theme/style.h"

namespace anneal::ui {
namespace {

// What the report depends on; anything else may change without a new look.
engine::Recipe relevant(const engine::Recipe& recipe) {
  engine::Recipe part;
  part.model.model = recipe.model.model;
  part.data = recipe.data;
  return part;
}

class Legend : public QLabel {
 public:
  Legend() { setFixedHeight(22); }
  int learned = 0, read = 0, of_template = 0;

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const Theme& t = theme();
    painter.setFont(font_of(TextRole::kSmall));
    int x = 0;
    const auto entry = [&](const QString& name, int count, const std::function<void(const QRect&)>& draw) {
      draw(QRect(x, 3, 20, 16));
      const QString words = name + "  " + grouped(count);
      painter.setPen(t.soft);
      painter.drawText(QRect(x + 26, 0, width() - x, 22), Qt::AlignVCenter, words);
      x += 26 + painter.fontMetrics().horizontalAdvance(words) + 20;
    };
    entry(QObject::tr("Learned"), learned, [&](const QRect& box) {
      paint_panel(painter, box, t.info.tint, Qt::transparent, 3);
      painter.fillRect(QRect(box.left(), box.bottom() - 1, box.width(), 2), t.info.ink);
    });
    entry(QObject::tr("Only read"), read,
          [&](const QRect& box) { paint_panel(painter, box, t.neutral.tint, Qt::transparent, 3); });
    entry(QObject::tr("Control tokens"), of_template, [&](const QRect& box) {
      painter.setPen(QPen(t.outline, 1, Qt::DashLine));
      painter.drawRoundedRect(QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5), 3, 3);
    });
  }
};

QPlainTextEdit* reading_text(const QString& name) {
  auto* made = new QPlainTextEdit;
  made->setReadOnly(true);
  made->setProperty("look", "bare");
  made->setFont(font_of(TextRole::kMono));
  made->setAccessibleName(name);
  made->setTabChangesFocus(true);
  return made;
}

}  // namespace

DataPage::DataPage(Draft& draft) : Page(tr("Data")), draft_(draft) {
  set_detail(tr("The examples to learn from; they never leave this computer"));
  QPushButton* file = add_action(button(tr("Choose file…"), "", "file"));
  QPushButton* folder = add_action(button(tr("Choose folder…"), "", "folder"));
  use_ = add_action(button(tr("Use this data"), "primary"));
  const auto ask_file = [this] {
    const QStringList paths =
        QFileDialog::getOpenFileNames(this, tr("Data to learn from"), {},
                                      tr("Data (*.jsonl *.json *.csv *.tsv *.txt *.md *.gz *.zst);;All files (*)"));
    if (!paths.isEmpty()) choose(paths);
  };
  connect(file, &QPushButton::clicked, this, ask_file);
  connect(folder, &QPushButton::clicked, this, [this] {
    const QString path = QFileDialog::getExistingDirectory(this, tr("A folder with data"));
    if (!path.isEmpty()) choose({path});
  });
  connect(use_, &QPushButton::clicked, this, [this] { emit open_page(PageId::kRecipe); });
  empty_ = new EmptyState("data", tr("No data yet"),
                          tr("JSON Lines, JSON, CSV, TSV or text, also packed with gzip or zstd: chats, questions with "
                             "answers, instructions, documents. The format is recognised; you see every row as the "
                             "model will before anything is trained."),
                          tr("Choose file…"));
  connect(empty_->action(), &QPushButton::clicked, this, ask_file);

  figures_ = new Figures({tr("Rows"), tr("Tokens"), tr("Learned"), tr("Longest row"), tr("Over the cut-off")});
  auto* top = new Card;
  top->add(figures_);
  auto* full = new QWidget;
  auto* column = new QVBoxLayout(full);
  column->setSpacing(space::kGap);
  column->addWidget(top);
  auto* line = new QHBoxLayout;
  line->setSpacing(space::kGap);
  line->addWidget(make_row_card(), 1);
  line->addWidget(make_side());
  column->addLayout(line, 1);
  stack_ = new QStackedWidget;
  stack_->addWidget(empty_);
  stack_->addWidget(full);
  stack_->setMinimumHeight(560);
  body()->addWidget(stack_, 1);

  connect(&check_, &DataCheck::checked, this, &DataPage::show_report);
  connect(&check_, &DataCheck::check_failed, this, [this](const QString& sentence) {
    chip().show_state(tr("Cannot be read"), ToneName::kBad);
    message().show_message(ToneName::kBad, tr("The data cannot be used as it is"), sentence);
    use_->setEnabled(false);
  });
  connect(&check_, &DataCheck::row_ready, this, &DataPage::show_row);
  connect(&check_, &DataCheck::row_failed, this, [this](const QString& sentence) {
    row_notes_->setText(sentence);
    row_notes_->show();
  });
  connect(&draft_, &Draft::changed, this, [this] {
    if (isVisible()) refresh();
  });
  use_->hide();
}

QWidget* DataPage::make_row_card() {
  row_card_ = new Card(tr("Row 1"), " ");
  form_ = new Segments(tr("Show the row as"), {tr("File"), tr("Template"), tr("Tokens")});
  previous_ = icon_button("left", tr("Row before"));
  next_ = icon_button("right", tr("Next row"));
  for (QWidget* tool : {static_cast<QWidget*>(form_), static_cast<QWidget*>(previous_), static_cast<QWidget*>(next_)})
    row_card_->add_tool(tool);
  connect(previous_, &QPushButton::clicked, this, [this] { ask_row(row_ - 1); });
  connect(next_, &QPushButton::clicked, this, [this] { ask_row(row_ + 1); });
  legend_ = new Legend;
  raw_ = reading_text(tr("The row as the file says it"));
  rendered_ = reading_text(tr("The row as the template writes it"));
  tokens_ = new TokenView;
  forms_ = new QStackedWidget;
  for (QWidget* form : {static_cast<QWidget*>(raw_), static_cast<QWidget*>(rendered_), static_cast<QWidget*>(tokens_)})
    forms_->addWidget(form);
  connect(form_, &Segments::chosen_changed, this, [this](int index) {
    forms_->setCurrentIndex(index);
    legend_->setVisible(index == 2);
  });
  row_notes_ = wrapped("", TextRole::kSmall, "warn");
  columns_ = new QLineEdit;
  columns_->setAccessibleName(tr("Columns"));
  columns_->setPlaceholderText(tr("as the file says; else for example prompt=question,completion=answer"));
  columns_->setToolTip(qt(engine::recipe_fields().find("columns")->help));
  connect(columns_, &QLineEdit::editingFinished, this, [this] {
    const auto problem = draft_.set("columns", columns_->text());
    columns_->setProperty("wrong", problem.has_value());
    columns_->style()->unpolish(columns_);
    columns_->style()->polish(columns_);
    if (problem) message().show_message(ToneName::kBad, tr("The columns cannot be read"), qt(to_sentence(*problem)));
  });
  row_card_->add(legend_);
  row_card_->add(forms_, 1);
  row_card_->add(row_notes_);
  row_card_->add(hairline());
  row_card_->add(row_of({label(tr("Columns"), TextRole::kSmall, "soft"), columns_}, space::kRow));
  legend_->hide();
  return row_card_;
}

QWidget* DataPage::make_side() {
  histogram_ = new LengthHistogram;
  histogram_card_ = new Card(tr("Token length"), tr("rows by tokens"));
  histogram_card_->add(histogram_, 1);
  findings_ = new QVBoxLayout;
  findings_->setSpacing(space::kTight);
  findings_card_ = new Card(tr("Data doctor"), " ");
  findings_card_->add(findings_);
  split_ = new QSlider(Qt::Horizontal);
  split_->setRange(0, 30);
  split_->setAccessibleName(tr("Share of rows to measure on, percent"));
  split_->setToolTip(qt(engine::recipe_fields().find("eval_fraction")->help));
  split_note_ = label("", TextRole::kSmall, "muted");
  auto* split_card = new Card(tr("Evaluation split"), tr("rows to measure on, never learned"));
  split_card->add(row_of({split_, split_note_}, space::kRow));
  connect(split_, &QSlider::valueChanged, this,
          [this](int percent) { draft_.set("eval_fraction", QString::number(percent / 100.0)); });
  connect(&draft_, &Draft::changed, this, &DataPage::show_split);
  auto* side = new QWidget;
  side->setFixedWidth(360);
  auto* column = new QVBoxLayout(side);
  column->setSpacing(space::kGap);
  column->addWidget(histogram_card_, 1);
  histogram_card_->setMaximumHeight(360);
  column->addWidget(findings_card_);
  column->addWidget(split_card);
  column->addStretch(0);
  for (Card* card : {findings_card_, split_card}) card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  return side;
}

void DataPage::choose(const QStringList& paths) {
  draft_.choose_data(paths);
  row_ = 1;
  refresh();
}

void DataPage::refresh() {
  const bool has_data = draft_.has_data();
  stack_->setCurrentIndex(has_data ? 1 : 0);
  use_->setVisible(has_data);
  show_split();
  if (!has_data) return;
  const engine::Recipe now = relevant(draft_.recipe());
  if (now == checked_) return;
  checked_ = now;
  columns_->setText(draft_.text("columns"));
  message().clear();
  set_detail(tr("%1 · reading…").arg(draft_.data_name()));
  chip().show_state(tr("Checking"), ToneName::kInfo);
  check_.check(draft_.recipe());
  ask_row(row_);
}

void DataPage::ask_row(qint64 number) {
  row_ = std::max<qint64>(1, number);
  check_.show_row(draft_.recipe(), row_);
}

void DataPage::show_report(const DataReport& report) {
  report_ = report;
  const bool is_usable = report.usable > 0 && report.problems.isEmpty();
  chip().show_state(is_usable ? tr("Format: %1").arg(report.format) : tr("Nothing to learn from"),
                    is_usable ? ToneName::kOk : ToneName::kBad);
  set_detail(report.reasons.join(" "));
  use_->setEnabled(is_usable);
  if (!report.problems.isEmpty()) {
    message().show_message(ToneName::kBad, tr("Some of the data cannot be read"), report.problems.join("\n"));
  } else if (report.usable == 0) {
    message().show_message(ToneName::kBad, tr("No row has anything to learn from"),
                           tr("Correct the data, or say below which column is what."));
  }
  const auto share = [](qint64 part, qint64 whole) { return whole > 0 ? 100.0 * double(part) / double(whole) : 0.0; };
  figures_->show_figure(0, grouped(report.rows), {}, tr("%1 usable").arg(grouped(report.usable)));
  const QString wants_model = tr("counted with a model");
  if (report.has_tokens) {
    figures_->show_figure(1, grouped(report.tokens), {}, tr("%1 in the middle row").arg(grouped(report.median)));
    figures_->show_figure(2, QString::number(share(report.label_tokens, report.tokens), 'f', 1), "%",
                          tr("%1 tokens count in the loss").arg(grouped(report.label_tokens)));
    figures_->show_figure(3, grouped(report.longest), tr("tokens"));
    figures_->show_figure(4, QString::number(share(report.over_limit, report.rows), 'f', 1), "%",
                          tr("%1 rows over %2").arg(grouped(report.over_limit), grouped(report.limit)),
                          report.over_limit > 0 ? "warn" : "muted");
  } else {
    for (int i = 1; i < 5; ++i) figures_->show_figure(i, "–", {}, wants_model);
  }
  histogram_card_->setVisible(report.has_tokens);
  histogram_->show_lengths(report.lengths, report.limit);
  while (QLayoutItem* item = findings_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  findings_card_->set_note(report.findings.isEmpty() ? QString() : tr("what was noticed, by kind"));
  if (report.findings.isEmpty()) {
    auto* line = new SignLine;
    line->show_state(ToneName::kOk, tr("Nothing odd was found"));
    findings_->addWidget(line);
  }
  for (const FindingGroup& group : report.findings) {
    auto* entry = new QWidget;
    auto* count = label(grouped(group.count), TextRole::kStrong);
    count->setFixedWidth(48);
    auto* name = new ElidedLabel(TextRole::kBody);
    name->show_text(group.name);
    auto* first = new ElidedLabel(TextRole::kCaption, "muted");
    first->show_text(group.first);
    first->setToolTip(group.meaning + "\n" + group.first);
    auto* show = button(tr("Show"), "link");
    show->setAccessibleName(tr("Show the first row: %1").arg(group.name));
    const qint64 row = group.first_row;
    connect(show, &QPushButton::clicked, this, [this, row] { ask_row(row); });
    auto* line = new QHBoxLayout(entry);
    line->addWidget(count);
    line->addLayout(column_of({name, first}, 1), 1);
    line->addWidget(show);
    findings_->addWidget(entry);
  }
  show_split();
}

void DataPage::show_row(const ShownRow& row) {
  row_ = row.number;
  row_card_->set_title(tr("Row %1").arg(grouped(row.number)));
  row_card_->set_note(row.source);
  raw_->setPlainText(row.raw);
  const bool has_tokens = !row.tokens.isEmpty();
  form_->set_choice_enabled(1, has_tokens, has_tokens ? QString() : tr("Needs a model"));
  form_->set_choice_enabled(2, has_tokens, has_tokens ? QString() : tr("Needs a model"));
  if (!has_tokens) form_->choose(0);
  if (has_tokens && rendered_->toPlainText().isEmpty()) form_->choose(2);  // the first time: what nobody else shows
  rendered_->setPlainText(row.rendered);
  tokens_->show_tokens(row.tokens);
  auto* legend = static_cast<Legend*>(legend_);
  legend->learned = tokens_->count(TokenKind::kLearned);
  legend->read = tokens_->count(TokenKind::kRead);
  legend->of_template = tokens_->count(TokenKind::kTemplate);
  legend->update();
  forms_->setCurrentIndex(form_->chosen());
  legend_->setVisible(form_->chosen() == 2);
  row_notes_->setText(row.findings.join("\n"));
  row_notes_->setVisible(!row.findings.isEmpty());
  previous_->setEnabled(row_ > 1);
}

void DataPage::show_split() {
  const double fraction = draft_.recipe().evaluation.eval_fraction;
  const QSignalBlocker quiet(split_);
  split_->setValue(static_cast<int>(fraction * 100 + 0.5));
  const qint64 rows = static_cast<qint64>(double(report_.usable) * fraction + 0.5);
  split_note_->setText(fraction > 0 ? tr("%1 %, %2 rows").arg(split_->value()).arg(grouped(rows)) : tr("none"));
}

}  // namespace anneal::ui
