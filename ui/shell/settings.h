#pragma once
// Settings and devices: the theme, and what this machine computes with. What a person chose is kept in
// ANNEAL_HOME/studio.ini.

#include <QDialog>
#include <QSettings>

#include "ui/theme/style.h"

namespace anneal::ui {

// The window's own choices, kept over restarts.
QString settings_file();

class SettingsDialog : public QDialog {
  Q_OBJECT
 public:
  SettingsDialog(QWidget* parent, ThemeChoice choice);

 signals:
  void theme_chosen(ThemeChoice choice);
};

}  // namespace anneal::ui
