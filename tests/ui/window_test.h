#pragma once
// A window of its own for one test: without a screen, with an empty home folder; any warning of Qt fails the test.

#include <gtest/gtest.h>

#include <QAbstractButton>
#include <QApplication>
#include <QScrollArea>
#include <QTest>
#include <cstdlib>
#include <functional>
#include <memory>

#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"
#include "ui/shell/main_window.h"

namespace anneal::tests {

inline void fail_on_warning(QtMsgType type, const QMessageLogContext&, const QString& text) {
  // The platform without a screen has no window manager to tell sizes to; it says so for each window.
  if (text.contains("propagateSizeHints")) return;
  if (type != QtDebugMsg && type != QtInfoMsg) ADD_FAILURE() << "Qt says: " << text.toStdString();
}

// Made once in a process, and never taken down: Qt wants it to outlive every widget.
inline void need_application() {
  static int count = 1;
  static char name[] = "window_test";
  static char* arguments[] = {name, nullptr};
  qputenv("QT_QPA_PLATFORM", "offscreen");
  static auto* application = new QApplication(count, arguments);
  Q_UNUSED(application);
  qInstallMessageHandler(fail_on_warning);
}

class WindowTest : public testing::Test {
 protected:
  WindowTest() {
    setenv("ANNEAL_HOME", (folder_.path() / "home").c_str(), 1);
    setenv("HF_HUB_CACHE", (folder_.path() / "hub").c_str(), 1);
    need_application();
    ui::apply_theme(ui::ThemeChoice::kLight);
  }

  void open_window() {
    window_ = std::make_unique<ui::MainWindow>();
    window_->resize(1440, 900);
    window_->show();
    QCoreApplication::processEvents();
  }

  // Lets the window work until it holds; false after `seconds`.
  static bool wait_until(const std::function<bool()>& holds, int seconds = 30) {
    return QTest::qWaitFor(holds, seconds * 1000);
  }

  // The visible button with this name.
  template <class Kind = QAbstractButton>
  Kind* named(const QString& name) const {
    for (Kind* one : window_->findChildren<Kind*>()) {
      const QAbstractButton* button = qobject_cast<QAbstractButton*>(one);
      if (one->isVisible() && (one->accessibleName() == name || (button != nullptr && button->text() == name)))
        return one;
    }
    return nullptr;
  }

  void click(const QString& name) {
    QAbstractButton* button = named(name);
    ASSERT_NE(button, nullptr) << "no button: " << name.toStdString();
    ASSERT_TRUE(button->isEnabled()) << "not enabled: " << name.toStdString();
    QTest::mouseClick(button, Qt::LeftButton);
  }

  void press(Qt::Key key, Qt::KeyboardModifiers modifiers) {
    QTest::keyClick(window_.get(), key, modifiers);
    QCoreApplication::processEvents();
  }

  // Into the folder that ANNEAL_SCREENSHOTS names, if it does.
  void picture(const QString& name) const {
    const char* folder = std::getenv("ANNEAL_SCREENSHOTS");
    if (folder == nullptr) return;
    // A layout may ask for another one, which comes with the next round of events.
    for (int round = 0; round < 3; ++round) QCoreApplication::processEvents();
    window_->grab().save(QString(folder) + "/" + name + ".png");
  }

  static QString shared(const char* relative) { return QString::fromStdString((shared_data() / relative).string()); }

  TemporaryFolder folder_;
  std::unique_ptr<ui::MainWindow> window_;
};

}  // namespace anneal::tests
