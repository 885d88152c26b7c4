#include "ui/shell/settings.h"

#include "engine/session/event_text.h"
#include "kernels/core/home_folder.h"
#include "ui/tasks/background.h"
#include "ui/tasks/device_facts.h"
#include "ui/widgets/card.h"
#include "ui/widgets/segments.h"
#include "ui/widgets/signs.h"

namespace anneal::ui {

QString settings_file() { return qt((home_folder() / "studio.ini").string()); }

SettingsDialog::SettingsDialog(QWidget* parent, ThemeChoice choice) : QDialog(parent) {
  setWindowTitle(tr("Settings and devices"));
  setMinimumWidth(460);
  auto* look = new Card(tr("Look"));
  auto* themes = new Segments(tr("Theme"), {tr("As the system"), tr("Light"), tr("Dark")});
  themes->choose(static_cast<int>(choice));
  look->add(row_of({label(tr("Theme"), TextRole::kSmall, "soft"), themes, nullptr}, space::kRow));
  connect(themes, &Segments::chosen_changed, this,
          [this](int index) { emit theme_chosen(static_cast<ThemeChoice>(index)); });

  const DeviceFacts facts = device_facts();
  auto* devices = new Card(tr("Devices"), tr("This version computes on the processor"));
  devices->add(new FactLine(tr("Processor"), facts.name));
  devices->add(
      new FactLine(tr("Cores"), tr("%1, of which %2 train beside the window").arg(facts.cores).arg(worker_threads())));
  devices->add(new FactLine(tr("Vector instructions"), facts.instruction_set));
  devices->add(new FactLine(
      tr("Memory"),
      tr("%1 free of %2").arg(qt(engine::bytes_text(facts.free_bytes)), qt(engine::bytes_text(facts.total_bytes)))));
  devices->add(new FactLine(tr("Runs, caches, settings"), qt(home_folder().string())));

  auto* close = button(tr("Close"));
  connect(close, &QPushButton::clicked, this, &QDialog::accept);
  auto* all = new QVBoxLayout(this);
  all->setContentsMargins(space::kPage, space::kPage, space::kPage, space::kPage);
  all->setSpacing(space::kGap);
  all->addWidget(look);
  all->addWidget(devices);
  all->addLayout(row_of({nullptr, close}));
}

}  // namespace anneal::ui
