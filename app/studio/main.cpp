// anneal-studio: the window.

#include <unistd.h>

#include <QApplication>
#include <cstdlib>

#include "ui/shell/main_window.h"

int main(int argc, char** argv) {
  // Threads that compute must not spin while they wait, or the window waits too. OpenMP reads this once, when the
  // program is loaded, so it begins again with it.
  if (std::getenv("OMP_WAIT_POLICY") == nullptr) {
    setenv("OMP_WAIT_POLICY", "passive", 0);
    execv("/proc/self/exe", argv);  // returns only where it failed; then the window works all the same
  }
  QApplication application(argc, argv);
  QApplication::setApplicationName("Anneal");
  QApplication::setApplicationVersion(ANNEAL_VERSION);
  anneal::ui::MainWindow window;
  const QStringList arguments = QApplication::arguments();
  for (qsizetype i = 1; i < arguments.size(); ++i) window.take_path(arguments[i]);
  window.show();
  return QApplication::exec();
}
