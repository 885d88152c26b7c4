#include "ui/shell/main_window.h"

#include <QListView>

#include "tests/ui/window_test.h"

namespace anneal::tests {
namespace {

using ui::PageId;

TEST_F(WindowTest, ControlAndANumberOpenThePages) {
  open_window();
  auto* list = window_->findChild<QListView*>();
  ASSERT_NE(list, nullptr);
  auto* stack = window_->centralWidget()->findChild<QStackedWidget*>(QString(), Qt::FindDirectChildrenOnly);
  ASSERT_NE(stack, nullptr);
  for (int i = stack->count() - 1; i >= 0; --i) {
    press(static_cast<Qt::Key>(Qt::Key_1 + i), Qt::ControlModifier);
    EXPECT_EQ(list->currentIndex().row(), i);
    EXPECT_EQ(stack->currentIndex(), i);
  }
}

TEST_F(WindowTest, WhatTakesFocusHasAName) {
  open_window();
  for (int page = 0; page < 7; ++page) {
    window_->open_page(static_cast<PageId>(page));
    for (QWidget* widget : window_->findChildren<QWidget*>()) {
      if (!widget->isVisible() || widget->focusPolicy() == Qt::NoFocus || qobject_cast<QScrollArea*>(widget) != nullptr)
        continue;
      if (widget->parentWidget() != nullptr && widget->focusProxy() != nullptr) continue;
      const auto* button = qobject_cast<QAbstractButton*>(widget);
      const bool is_named = !widget->accessibleName().isEmpty() || (button != nullptr && !button->text().isEmpty()) ||
                            widget->objectName().startsWith("qt_");
      EXPECT_TRUE(is_named) << widget->metaObject()->className() << " in "
                            << (widget->parentWidget() ? widget->parentWidget()->metaObject()->className() : "");
    }
  }
}

TEST_F(WindowTest, ChoicesAreThereAgainAfterARestart) {
  open_window();
  window_->draft().choose_data({"some/rows.jsonl"});
  window_->draft().set("lora_rank", "12");
  window_->open_page(PageId::kRecipe);
  window_.reset();
  open_window();
  EXPECT_EQ(window_->draft().data_name(), "rows.jsonl");
  EXPECT_EQ(window_->draft().recipe().lora.lora_rank, 12);
  EXPECT_EQ(window_->findChild<QListView*>()->currentIndex().row(), static_cast<int>(PageId::kRecipe));
}

TEST_F(WindowTest, FitsASmallScreen) {
  open_window();
  window_->resize(1280, 720);
  for (int page = 0; page < 7; ++page) {
    window_->open_page(static_cast<PageId>(page));
    QCoreApplication::processEvents();
    EXPECT_EQ(window_->size(), QSize(1280, 720)) << "page " << page << " makes the window grow";
  }
}

}  // namespace
}  // namespace anneal::tests
