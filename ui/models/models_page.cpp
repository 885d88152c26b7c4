#include "ui/models/models_page.h"

#include <QApplication>
#include <QClipboard>
#include <QDesktopServices>
#include <QFileDialog>
#include <QFileInfo>
#include <QUrl>

#include "engine/session/event_text.h"

namespace anneal::ui {

ModelsPage::ModelsPage(Draft& draft) : Page(tr("Models")), draft_(draft), filter_(table_) {
  set_detail(tr("Open language models found on this computer"));
  QPushButton* add = add_action(button(tr("Add folder…"), "", "plus"));
  use_ = add_action(button(tr("Train this model"), "primary"));
  connect(use_, &QPushButton::clicked, this, &ModelsPage::use_current);
  empty_ = new EmptyState("models", tr("No models yet"),
                          tr("Anneal looks in the Hugging Face cache and in the folders that you add. Models are read "
                             "where they lie; nothing is moved or copied."),
                          tr("Add folder…"));
  const auto ask = [this] {
    const QString folder = QFileDialog::getExistingDirectory(this, tr("A folder with models"));
    if (!folder.isEmpty()) add_path(folder);
  };
  connect(add, &QPushButton::clicked, this, ask);
  connect(empty_->action(), &QPushButton::clicked, this, ask);

  auto* both = new QWidget;
  auto* line = new QHBoxLayout(both);
  line->setSpacing(space::kGap);
  line->addWidget(make_list(), 1);
  line->addWidget(make_details());
  stack_ = new QStackedWidget;
  stack_->addWidget(empty_);
  stack_->addWidget(both);
  stack_->setMinimumHeight(420);
  body()->addWidget(stack_, 1);

  connect(&scan_, &ModelScan::found, this, &ModelsPage::show_found);
  connect(&scan_, &ModelScan::finished, this, &ModelsPage::show_state);
  connect(&scan_, &ModelScan::not_a_model, this, [this](const QString& path, const QString& sentence) {
    message().show_message(ToneName::kWarn, tr("%1 holds no model").arg(QFileInfo(path).fileName()), sentence);
  });
  show_state();
  show_details();
}

QWidget* ModelsPage::make_list() {
  search_ = new QLineEdit;
  search_->setAccessibleName(tr("Search models"));
  search_->setPlaceholderText(tr("Search models"));
  search_->setMaximumWidth(260);
  search_->setClearButtonEnabled(false);
  connect(search_, &QLineEdit::textChanged, &filter_, &ModelFilter::search);
  auto* kinds = new Segments(tr("Which models"), {tr("All"), tr("Trainable")});
  connect(kinds, &Segments::chosen_changed, this, [this](int index) { filter_.show_trainable_only(index == 1); });
  scan_note_ = new ElidedLabel(TextRole::kSmall, "muted");
  scan_note_->setAlignment(Qt::AlignRight);
  rescan_ = icon_button("refresh", tr("Look again"));
  connect(rescan_, &QPushButton::clicked, this, [this] { scan_.is_going_on() ? scan_.stop() : scan(); });
  view_ = new TableView(tr("Models"), {{0}, {104}, {104, true}, {92, true}, {96}, {116}}, space::kTallTableRow);
  view_->setModel(&filter_);
  connect(view_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, &ModelsPage::show_details);
  connect(view_, &QTableView::doubleClicked, this, &ModelsPage::use_current);
  auto* card = new Card;
  auto* tools = row_of({search_, kinds, scan_note_, rescan_}, space::kTight);
  tools->setStretch(0, 2);
  tools->setStretch(2, 3);
  card->add(tools);
  card->add(view_, 1, true);
  auto* hint = new ElidedLabel(TextRole::kSmall, "soft");
  hint->show_text(tr("Drop a folder or file anywhere in the window to add it. Nothing is moved or copied."));
  auto* foot = new QVBoxLayout;
  foot->addWidget(hint);
  card->add(foot);
  foot->setContentsMargins(space::kGap, 0, space::kGap, space::kRow);
  return card;
}

QWidget* ModelsPage::make_details() {
  auto* card = new Card;
  card->setFixedWidth(320);
  details_ = card;
  name_ = new ElidedLabel(TextRole::kSection);
  place_ = new ElidedLabel(TextRole::kSmall, "muted", Qt::ElideMiddle);
  verdict_ = new SignLine;
  facts_ = new QVBoxLayout;
  facts_->setSpacing(space::kTight);
  notices_ = wrapped("");
  auto* open = button(tr("Open folder"), "", "folder");
  auto* copy = button(tr("Copy path"), "", "copy");
  connect(open, &QPushButton::clicked, this, [this] {
    if (const ModelEntry* entry = current()) {
      const QFileInfo info(entry->path);
      QDesktopServices::openUrl(QUrl::fromLocalFile(info.isDir() ? entry->path : info.path()));
    }
  });
  connect(copy, &QPushButton::clicked, this, [this] {
    if (const ModelEntry* entry = current()) QApplication::clipboard()->setText(entry->path);
  });
  card->add(column_of({name_, place_}, 2));
  card->add(hairline());
  card->add(verdict_);
  card->add(hairline());
  card->add(facts_);
  card->add(notices_);
  card->add_stretch();
  card->add(row_of({open, copy, nullptr}));
  return card;
}

void ModelsPage::scan() {
  table_.clear();
  scan_.start(folders_);
  show_state();
}

void ModelsPage::add_path(const QString& path) {
  message().clear();
  wanted_ = path;
  if (QFileInfo(path).isDir() && !folders_.contains(path)) {
    folders_.push_back(path);
    emit folders_changed();
  }
  scan_.look_at(path);
}

void ModelsPage::show_found(const QVector<ModelEntry>& entries) {
  table_.add(entries);
  const QString wanted = wanted_.isEmpty() ? qt(draft_.recipe().model.model) : wanted_;
  for (int row = 0; row < filter_.rowCount(); ++row) {
    const QString path = table_.at(filter_.mapToSource(filter_.index(row, 0)).row()).path;
    const bool is_wanted = path == wanted || (!wanted_.isEmpty() && path.startsWith(wanted_ + "/"));
    if (!is_wanted) continue;
    view_->selectRow(row);
    wanted_.clear();
    break;
  }
  if (!view_->currentIndex().isValid() && filter_.rowCount() > 0) view_->selectRow(0);
  show_state();
}

void ModelsPage::show_state() {
  const int count = table_.rowCount();
  stack_->setCurrentIndex(count == 0 ? 0 : 1);
  use_->setVisible(count > 0);
  rescan_->setAccessibleName(scan_.is_going_on() ? tr("Stop looking") : tr("Look again"));
  rescan_->setToolTip(rescan_->accessibleName());
  scan_note_->show_text(scan_.is_going_on() ? tr("Looking, %1 so far").arg(count)
                                            : tr("%1 found in %2 places").arg(count).arg(scan_.places().size()));
  empty_->set_note(scan_.is_going_on() ? tr("Looking…") : tr("Looked in:\n%1").arg(scan_.places().join("\n")));
}

const ModelEntry* ModelsPage::current() const {
  const QModelIndex index = view_->currentIndex();
  return index.isValid() ? &table_.at(filter_.mapToSource(index).row()) : nullptr;
}

void ModelsPage::show_details() {
  const ModelEntry* entry = current();
  details_->setVisible(entry != nullptr);
  use_->setEnabled(entry != nullptr && entry->is_trainable);
  set_reason(entry != nullptr && !entry->is_trainable ? tr("This model cannot be trained yet") : QString());
  if (entry == nullptr) return;
  name_->show_text(entry->name);
  place_->show_text(entry->path);
  verdict_->show_state(entry->is_trainable ? ToneName::kOk : ToneName::kWarn,
                       entry->is_trainable ? tr("Whole and trainable") : entry->reason);
  while (QLayoutItem* item = facts_->takeAt(0)) {
    delete item->widget();
    delete item;
  }
  facts_->addWidget(new FactLine(tr("Parameters"), parameters_text(entry->parameters)));
  facts_->addWidget(
      new FactLine(tr("Format, type"), entry->format + ", " + (entry->dtype.isEmpty() ? "–" : entry->dtype)));
  facts_->addWidget(new FactLine(tr("Size"), entry->bytes > 0 ? qt(engine::bytes_text(entry->bytes)) : "–"));
  for (const auto& [name, value] : entry->facts) facts_->addWidget(new FactLine(name, value));
  notices_->setText(entry->notices.join("\n"));
  notices_->setVisible(!entry->notices.isEmpty());
}

void ModelsPage::use_current() {
  const ModelEntry* entry = current();
  if (entry == nullptr || !entry->is_trainable) return;
  draft_.choose_model(entry->path);
  emit open_page(PageId::kData);
}

}  // namespace anneal::ui
