// anneal-studio: the window.

#include <unistd.h>

#include <QApplication>
#include <QCommandLineParser>
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
  QCommandLineParser line;
  line.setApplicationDescription("Fine-tunes open language models on this computer.");
  line.addHelpOption();
  line.addVersionOption();
  line.addPositionalArgument("path", "A model or data to open with.", "[path…]");
  line.process(application);  // ends the program after --help, --version and what it does not know
  anneal::ui::MainWindow window;
  for (const QString& path : line.positionalArguments()) window.take_path(path);
  window.show();
  return QApplication::exec();
}
