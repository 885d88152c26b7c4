#include "ui/shell/main_window.h"

#include <QApplication>
#include <QCloseEvent>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QMimeData>
#include <QShortcut>

#include "engine/recipe/recipe_file.h"

namespace anneal::ui {

MainWindow::MainWindow() : settings_(settings_file(), QSettings::IniFormat) {
  setWindowTitle("Anneal");
  setAcceptDrops(true);
  theme_choice_ = static_cast<ThemeChoice>(settings_.value("theme", 0).toInt());
  apply_theme(theme_choice_);
  stack_ = new QStackedWidget;
  models_ = new ModelsPage(draft_);
  data_ = new DataPage(draft_);
  recipe_ = new RecipePage(draft_);
  for (Page* page : {static_cast<Page*>(models_), static_cast<Page*>(data_), static_cast<Page*>(recipe_)})
    add_page(page);
  rail_ = new Rail(stack_->count());
  auto* whole = new QWidget;
  auto* line = new QHBoxLayout(whole);
  line->setSpacing(0);
  line->addWidget(rail_);
  line->addWidget(stack_, 1);
  setCentralWidget(whole);
  connect(rail_, &Rail::page_chosen, this, &MainWindow::open_page);
  connect(rail_, &Rail::settings_wanted, this, &MainWindow::show_settings);
  for (int i = 0; i < stack_->count(); ++i) {
    auto* jump = new QShortcut(QKeySequence(Qt::CTRL | static_cast<Qt::Key>(Qt::Key_1 + i)), this);
    connect(jump, &QShortcut::activated, this, [this, i] { open_page(static_cast<PageId>(i)); });
  }
  connect(&draft_, &Draft::changed, this, &MainWindow::show_choices);
  connect(recipe_, &RecipePage::verdict_changed, this,
          [this](const QString& words, ToneName tone) { rail_->show_note(PageId::kRecipe, words, tone); });
  restore();
  models_->scan();
}

MainWindow::~MainWindow() { keep(); }

void MainWindow::add_page(Page* page) {
  stack_->addWidget(page);
  connect(page, &Page::open_page, this, &MainWindow::open_page);
}

void MainWindow::open_page(PageId page) {
  const int index = static_cast<int>(page);
  if (index >= stack_->count()) return;
  stack_->setCurrentIndex(index);
  rail_->choose(page);
  static_cast<Page*>(stack_->currentWidget())->opened();
}

void MainWindow::restore() {
  if (!restoreGeometry(settings_.value("geometry").toByteArray())) resize(1440, 900);
  models_->set_folders(settings_.value("folders").toStringList());
  if (const std::string text = settings_.value("recipe").toString().toStdString(); !text.empty()) {
    try {
      draft_.replace(engine::recipe_from_json(parse_json(text, "studio.ini"), "studio.ini"));
    } catch (const Error&) {
      // Of another version: the draft begins anew.
    }
  }
  if (!draft_.has_model() && !draft_.has_data()) draft_.apply_preset(1);
  draft_.propose_out();
  show_choices();
  open_page(static_cast<PageId>(std::clamp(settings_.value("page", 0).toInt(), 0, stack_->count() - 1)));
}

void MainWindow::keep() {
  settings_.setValue("geometry", saveGeometry());
  settings_.setValue("page", stack_->currentIndex());
  settings_.setValue("theme", static_cast<int>(theme_choice_));
  settings_.setValue("folders", models_->folders());
  settings_.setValue("recipe", qt(to_text(engine::recipe_to_json(draft_.recipe()))));
}

void MainWindow::show_choices() {
  const auto tone = [](bool is_chosen) { return is_chosen ? ToneName::kOk : ToneName::kNeutral; };
  rail_->show_note(PageId::kModels, draft_.has_model() ? draft_.model_name() : tr("None chosen yet"),
                   tone(draft_.has_model()));
  rail_->show_note(PageId::kData, draft_.has_data() ? draft_.data_name() : tr("None chosen yet"),
                   tone(draft_.has_data()));
}

void MainWindow::show_settings() {
  SettingsDialog dialog(this, theme_choice_);
  connect(&dialog, &SettingsDialog::theme_chosen, this, [this](ThemeChoice choice) {
    theme_choice_ = choice;
    apply_theme(choice);
    update();
  });
  dialog.exec();
}

void MainWindow::take_path(const QString& path) {
  const QFileInfo info(path);
  const bool is_model = info.isDir() ? QFileInfo::exists(path + "/config.json") || stack_->currentWidget() == models_
                                     : info.suffix() == "gguf" || info.suffix() == "safetensors";
  if (is_model) {
    open_page(PageId::kModels);
    models_->add_path(path);
  } else {
    open_page(PageId::kData);
    data_->choose({path});
  }
}

void MainWindow::dragEnterEvent(QDragEnterEvent* event) {
  if (event->mimeData()->hasUrls()) event->acceptProposedAction();
}

void MainWindow::dropEvent(QDropEvent* event) {
  for (const QUrl& url : event->mimeData()->urls()) {
    if (url.isLocalFile()) take_path(url.toLocalFile());
  }
}

void MainWindow::closeEvent(QCloseEvent* event) {
  keep();
  event->accept();
}

}  // namespace anneal::ui
