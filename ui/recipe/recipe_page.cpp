#include "ui/recipe/recipe_page.h"

#include <QApplication>
#include <QClipboard>
#include <QComboBox>
#include <QFileDialog>
#include <QGridLayout>
#include <QHeaderView>

#include "engine/recipe/recipe_file.h"
#include "engine/session/event_text.h"
#include "ui/recipe/command_text.h"
#include "ui/recipe/fixes.h"
#include "ui/tasks/device_facts.h"

namespace anneal::ui {
namespace {

// Editors made from the field: a list of choices, or a text.
class ValueEditor : public QStyledItemDelegate {
 public:
  ValueEditor(QAbstractItemDelegate* painter, QObject* parent) : QStyledItemDelegate(parent), painter_(painter) {}

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    painter_->paint(painter, option, index);
  }
  QWidget* createEditor(QWidget* parent, const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const QStringList choices = index.data(Qt::UserRole).toStringList();
    const QString name = index.siblingAtColumn(SettingTable::kName).data().toString();
    if (choices.isEmpty()) {
      auto* made = new QLineEdit(parent);
      made->setAccessibleName(name);
      made->setFrame(false);
      return made;
    }
    auto* made = new QComboBox(parent);
    made->setAccessibleName(name);
    made->addItems(choices);
    connect(made, &QComboBox::activated, this, [this, made] {
      auto* self = const_cast<ValueEditor*>(this);
      emit self->commitData(made);
      emit self->closeEditor(made);
    });
    return made;
  }
  void setEditorData(QWidget* editor, const QModelIndex& index) const override {
    const QString value = index.data(Qt::EditRole).toString();
    if (auto* combo = qobject_cast<QComboBox*>(editor)) combo->setCurrentText(value);
    if (auto* line = qobject_cast<QLineEdit*>(editor)) line->setText(value);
  }
  void setModelData(QWidget* editor, QAbstractItemModel* model, const QModelIndex& index) const override {
    if (auto* combo = qobject_cast<QComboBox*>(editor)) model->setData(index, combo->currentText());
    if (auto* line = qobject_cast<QLineEdit*>(editor)) model->setData(index, line->text());
  }

 private:
  QAbstractItemDelegate* painter_;
};

ToneName tone_of(const std::string& verdict) {
  return verdict == "fits" ? ToneName::kOk : verdict == "tight" ? ToneName::kWarn : ToneName::kBad;
}

QString verdict_words(const std::string& verdict) {
  return verdict == "fits"    ? QObject::tr("Fits")
         : verdict == "tight" ? QObject::tr("Tight")
                              : QObject::tr("Will not fit");
}

}  // namespace

RecipePage::RecipePage(Draft& draft) : Page(tr("Recipe")), draft_(draft), table_(draft), filter_(table_) {
  QPushButton* save = add_action(button(tr("Save as file…"), "quiet", "save"));
  // The window does not train yet: the run is started where the command line is.
  start_ = add_action(button(tr("Copy training command"), "primary", "copy"));
  connect(start_, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
  connect(save, &QPushButton::clicked, this, [this] {
    const QString path =
        QFileDialog::getSaveFileName(this, tr("Save the recipe"), "recipe.json", tr("Recipe (*.json)"));
    if (path.isEmpty()) return;
    try {
      engine::save_recipe(draft_.recipe(), path.toStdString());
    } catch (const Error& error) {
      message().show_message(ToneName::kBad, tr("The recipe was not saved"), qt(error.what()));
    }
  });
  QStringList names;
  for (const Preset& preset : presets()) names.push_back(preset.name);
  presets_ = new Segments(tr("Start from"), names);
  preset_note_ = label("", TextRole::kSmall, "muted");
  connect(presets_, &Segments::chosen_changed, this, [this](int index) { draft_.apply_preset(index); });
  lora_ = new OptionCard(tr("LoRA"), tr("Small matrices beside the frozen weights"));
  full_ = new OptionCard(tr("Full"), tr("Every weight learns; about four times the memory"));
  connect(lora_, &OptionCard::clicked, this, [this] { draft_.set("method", "lora"); });
  connect(full_, &OptionCard::clicked, this, [this] { draft_.set("method", "full"); });

  auto* left = new QVBoxLayout;
  left->setSpacing(space::kGap);
  auto* start_from =
      row_of({label(tr("Start from"), TextRole::kSmall, "soft"), presets_, preset_note_, nullptr}, space::kRow);
  left->addLayout(start_from);
  left->addLayout(row_of({lora_, full_}, space::kRow));
  left->addWidget(make_settings());
  left->addWidget(make_advanced(), 1);
  auto* line = new QHBoxLayout;
  line->setSpacing(space::kGap);
  line->addLayout(left, 1);
  line->addWidget(make_side());
  body()->addLayout(line, 1);

  plan_delay_.setSingleShot(true);
  plan_delay_.setInterval(350);
  connect(&plan_delay_, &QTimer::timeout, this, [this] { planner_.check(draft_.recipe()); });
  connect(&planner_, &PlanCheck::checked, this, &RecipePage::show_plan);
  connect(&draft_, &Draft::changed, this, [this] {
    show_draft();
    ask_plan();
  });
  connect(&table_, &SettingTable::refused, this, [this](const QString& sentence) {
    message().show_message(ToneName::kWarn, tr("That is not a value of this setting"), sentence);
  });
  show_draft();
  ask_plan();
}

void RecipePage::add_field(QGridLayout* grid, int row, int column, const QString& name, const QString& title) {
  const Field* field = engine::recipe_fields().find(name.toStdString());
  auto* input = new QLineEdit;
  input->setAccessibleName(title);
  input->setToolTip(tr("<p>%1</p><p>Takes %2. In files and commands: %3.</p>")
                        .arg(qt(field->help).toHtmlEscaped(), qt(describe_values(*field)).toHtmlEscaped(), name));
  input->setPlaceholderText(qt(field->unset.empty() ? field_text(*field, field->default_value) : field->unset));
  auto* note = wrapped(" ", TextRole::kCaption);
  note->hide();
  auto* title_label = label(title, TextRole::kSmall, "soft");
  title_label->setBuddy(input);
  grid->addLayout(column_of({title_label, input, note}, 4), row, column);
  connect(input, &QLineEdit::editingFinished, this, [this, name, input, note] {
    const auto problem = draft_.set(name, input->text());
    input->setProperty("wrong", problem.has_value());
    input->style()->unpolish(input);
    input->style()->polish(input);
    set_ink(note, problem ? "bad" : "muted");
    note->setText(problem ? qt(problem->message) : QString());
    note->setVisible(problem.has_value());
  });
  simple_.push_back({name, input, note});
}

QWidget* RecipePage::make_settings() {
  auto* card = new Card(tr("Settings"), tr("those that matter most"));
  card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(space::kGap);
  grid->setVerticalSpacing(space::kTight);
  add_field(grid, 0, 0, "num_epochs", tr("Passes over the data"));
  add_field(grid, 0, 1, "learning_rate", tr("Learning rate"));
  add_field(grid, 0, 2, "max_sequence_length", tr("Longest sample, tokens"));
  add_field(grid, 1, 0, "gradient_accumulation_steps", tr("Batches a step"));
  add_field(grid, 1, 1, "lora_rank", tr("Adapter rank"));
  add_field(grid, 1, 2, "eval_every_steps", tr("Evaluate every, steps"));
  for (int i = 0; i < 3; ++i) grid->setColumnStretch(i, 1);
  card->add(grid);
  auto* place = new QGridLayout;
  add_field(place, 0, 0, "out", tr("Folder of the run"));
  card->add(place);
  return card;
}

QWidget* RecipePage::make_advanced() {
  advanced_ = new Card(tr("All settings"), " ");
  auto* which = new Segments(tr("Which settings"), {tr("All"), tr("Changed")});
  auto* search = new QLineEdit;
  search->setAccessibleName(tr("Search settings"));
  search->setPlaceholderText(tr("Search settings"));
  search->setFixedWidth(170);
  reset_ = button(tr("Reset"), "quiet", "undo");
  reset_->setToolTip(tr("Gives the chosen setting its default"));
  for (QWidget* tool : {static_cast<QWidget*>(reset_), static_cast<QWidget*>(which), static_cast<QWidget*>(search)})
    advanced_->add_tool(tool);
  connect(which, &Segments::chosen_changed, this, [this](int index) { filter_.show_changed_only(index == 1); });
  connect(search, &QLineEdit::textChanged, &filter_, &SettingFilter::search);
  view_ = new TableView(tr("All settings"), {{200}, {150}, {150, true}, {0}}, space::kTableRow);
  view_->setModel(&filter_);
  view_->setItemDelegate(new ValueEditor(view_->itemDelegate(), view_));
  view_->setEditTriggers(QAbstractItemView::DoubleClicked | QAbstractItemView::EditKeyPressed |
                         QAbstractItemView::SelectedClicked | QAbstractItemView::AnyKeyPressed);
  view_->setMinimumHeight(space::kTableRow * 6);
  const auto enable_reset = [this] {
    const QModelIndex index = view_->currentIndex();
    reset_->setEnabled(index.isValid() && table_.is_changed(filter_.mapToSource(index).row()));
  };
  connect(view_->selectionModel(), &QItemSelectionModel::currentChanged, this, enable_reset);
  connect(&draft_, &Draft::changed, this, enable_reset);
  connect(reset_, &QPushButton::clicked, this, [this] {
    const QModelIndex index = view_->currentIndex();
    if (index.isValid()) draft_.reset(table_.name_at(filter_.mapToSource(index).row()));
  });
  reset_->setEnabled(false);
  advanced_->add(view_, 1, true);
  return advanced_;
}

QWidget* RecipePage::make_side() {
  memory_card_ = new Card(tr("Memory"), " ");
  memory_chip_ = new Chip;
  memory_card_->add_tool(memory_chip_);
  memory_ = new MemoryBar;
  memory_card_->add(memory_);

  ready_card_ = new Card(tr("Not ready yet"));
  ready_model_ = new SignLine;
  ready_data_ = new SignLine;
  ready_fits_ = new SignLine;
  ready_disk_ = new SignLine;
  for (SignLine* state : {ready_model_, ready_data_, ready_fits_, ready_disk_}) ready_card_->add(state);
  ready_card_->add(hairline());
  steps_ = new FactLine(tr("Steps"));
  time_ = new FactLine(tr("Time, about"));
  precision_ = new FactLine(tr("Precision"));
  for (FactLine* fact : {steps_, time_, precision_}) ready_card_->add(fact);

  auto* command_card = new Card(tr("Same as command"));
  auto* copy = icon_button("copy", tr("Copy the command"));
  command_card->add_tool(copy);
  command_ = new QPlainTextEdit;
  command_->setReadOnly(true);
  command_->setProperty("look", "code");
  command_->setFont(font_of(TextRole::kMono));
  command_->setAccessibleName(tr("The command that trains the same"));
  command_->setTabChangesFocus(true);
  command_->setLineWrapMode(QPlainTextEdit::NoWrap);
  command_->setMinimumHeight(110);
  connect(copy, &QPushButton::clicked, this, [this] { QApplication::clipboard()->setText(command_->toPlainText()); });
  command_card->add(command_, 1);

  auto* side = new QWidget;
  side->setFixedWidth(328);
  auto* column = new QVBoxLayout(side);
  column->setSpacing(space::kGap);
  column->addWidget(memory_card_);
  column->addWidget(ready_card_);
  column->addWidget(command_card, 1);
  for (Card* card : {memory_card_, ready_card_}) card->setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Maximum);
  return side;
}

void RecipePage::show_draft() {
  const engine::Recipe& recipe = draft_.recipe();
  set_detail(draft_.has_model() && draft_.has_data() ? tr("%1 on %2").arg(draft_.model_name(), draft_.data_name())
                                                     : tr("How the model is trained"));
  const int preset = draft_.preset();
  presets_->choose(std::max(0, preset));
  preset_note_->setText(preset >= 0 ? presets()[preset].summary : tr("changed by hand"));
  const bool is_lora = recipe.method.method == engine::Method::kLora;
  (is_lora ? lora_ : full_)->setChecked(true);
  for (const SimpleField& field : simple_) {
    if (!field.input->hasFocus() || !field.input->isModified()) field.input->setText(draft_.text(field.name));
    field.input->setEnabled(field.name != "lora_rank" || is_lora);
  }
  advanced_->set_note(tr("%1 of %2 changed").arg(draft_.changed_count()).arg(table_.rowCount()));
  command_->setPlainText(command_text(recipe));
}

void RecipePage::ask_plan() {
  is_planned_ = false;
  if (!draft_.has_model() || !draft_.has_data()) {
    planner_.stop();
    result_ = {};
    show_ready();
    return;
  }
  memory_card_->set_note(tr("planning…"));
  show_ready();
  plan_delay_.start();
}

void RecipePage::show_plan(const PlanResult& result) {
  result_ = result;
  is_planned_ = true;
  message().clear();
  const bool has_plan = result.plan.has_value();
  memory_card_->set_note(has_plan ? tr("of the processor") : tr("known when the rest is in order"));
  memory_->setVisible(has_plan);
  (draft_.recipe().method.method == engine::Method::kLora ? full_ : lora_)->show_need({}, ToneName::kNeutral);
  if (has_plan) {
    const engine::PlanEvent& plan = *result.plan;
    QVector<MemoryPart> parts;
    for (const auto& [name, bytes] : plan.bytes) parts.push_back({qt(name), bytes});
    std::sort(parts.begin(), parts.end(), [](const MemoryPart& a, const MemoryPart& b) { return a.bytes > b.bytes; });
    constexpr int kShown = 6;  // the rest is small
    while (parts.size() > kShown + 1) {
      parts[kShown] = {tr("the rest"), parts[kShown].bytes + parts.last().bytes};
      parts.removeLast();
    }
    memory_->show_parts(parts, plan.device_free);
    memory_chip_->show_state(verdict_words(plan.verdict), tone_of(plan.verdict));
    OptionCard* chosen = draft_.recipe().method.method == engine::Method::kLora ? lora_ : full_;
    chosen->show_need(
        tr("%1 · %2").arg(qt(engine::bytes_text(plan.total_bytes)), verdict_words(plan.verdict).toLower()),
        tone_of(plan.verdict));
    steps_->set_value(grouped(plan.steps));
    time_->set_value(qt(engine::duration_text(plan.seconds)));
    precision_->set_value(qt(plan.precision) +
                          (plan.recompute == "none" ? "" : tr(", recomputes %1").arg(qt(plan.recompute))));
    QString facts;
    for (const std::string& fact : plan.facts) facts += qt(fact) + "\n";
    ready_card_->setToolTip(facts.trimmed());
  } else {
    memory_chip_->show_state({}, ToneName::kNeutral);
    for (FactLine* fact : {steps_, time_, precision_}) fact->set_value("–");
  }
  if (!result.problems.empty()) show_problem(result.problems.front());
  show_ready();
}

void RecipePage::show_problem(const Problem& problem) {
  const auto more = result_.problems.size() - 1;
  QString how = qt(problem.remedy);
  for (std::size_t i = 1; i <= more; ++i) how += "\n" + qt(to_sentence(result_.problems[i]));
  const QString where = problem.path.empty() ? QString() : qt(problem.path) + ": ";
  message().show_message(ToneName::kBad, where + qt(problem.message), how);
  if (const auto fix = fix_for(problem, draft_.recipe())) {
    message().offer(fix->label, [this, fix = *fix] {
      if (fix.place == FixPlace::kModels) return emit open_page(PageId::kModels);
      if (fix.place == FixPlace::kData) return emit open_page(PageId::kData);
      draft_.replace(fix.recipe);
      if (draft_.recipe().checkpoint.out.empty()) draft_.propose_out();
    });
  }
}

void RecipePage::show_ready() {
  const bool has_model = draft_.has_model();
  const bool has_data = draft_.has_data();
  const bool has_plan = is_planned_ && result_.plan.has_value();
  const bool fits = has_plan && result_.plan->verdict != "no";
  const auto state = [](bool holds) { return holds ? ToneName::kOk : ToneName::kBad; };
  ready_model_->show_state(state(has_model),
                           has_model ? tr("Model: %1").arg(draft_.model_name()) : tr("A model is missing"));
  ready_data_->show_state(state(has_data), has_data ? tr("Data: %1").arg(draft_.data_name()) : tr("Data are missing"));
  bool disk_fits = true;
  if (!is_planned_) {
    ready_fits_->show_state(ToneName::kNeutral,
                            has_model && has_data ? tr("Memory is being planned") : tr("Memory: not known yet"));
    ready_disk_->show_state(ToneName::kNeutral, tr("Disk: not known yet"));
  } else if (!has_plan) {
    ready_fits_->show_state(ToneName::kBad, tr("Something in the recipe, model or data is to be mended"));
    ready_disk_->show_state(ToneName::kNeutral, tr("Disk: not known yet"));
  } else {
    const engine::PlanEvent& plan = *result_.plan;
    ready_fits_->show_state(
        tone_of(plan.verdict),
        tr("%1 of %2 memory").arg(qt(engine::bytes_text(plan.total_bytes)), qt(engine::bytes_text(plan.device_free))));
    const qint64 free = free_disk_at(draft_.text("out"));
    disk_fits = free < 0 || free >= plan.disk_bytes;
    ready_disk_->show_state(state(disk_fits), tr("Checkpoints take %1").arg(qt(engine::bytes_text(plan.disk_bytes))),
                            free < 0 ? QString() : tr("%1 free").arg(qt(engine::bytes_text(free))));
  }
  is_ready_ = fits && result_.problems.empty() && disk_fits && !draft_.recipe().checkpoint.out.empty();
  ready_card_->set_title(is_ready_ ? tr("Ready to start") : tr("Not ready yet"));
  start_->setEnabled(is_ready_);
  set_reason(is_ready_      ? QString()
             : !has_model   ? tr("Waits for a model")
             : !has_data    ? tr("Waits for data")
             : !is_planned_ ? tr("Planning…")
             : !disk_fits   ? tr("Waits for room on the disk")
                            : tr("Waits for a recipe that works"));
  emit verdict_changed(!has_model && !has_data ? tr("Needs a model and data")
                       : !has_model            ? tr("Needs a model")
                       : !has_data             ? tr("Needs data")
                       : is_ready_             ? draft_.text("method")
                       : !is_planned_          ? tr("Planning…")
                                               : tr("To be mended"),
                       is_ready_                              ? ToneName::kOk
                       : is_planned_ && has_model && has_data ? ToneName::kWarn
                                                              : ToneName::kNeutral);
}

}  // namespace anneal::ui
