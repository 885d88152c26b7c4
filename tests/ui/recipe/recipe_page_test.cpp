#include "ui/recipe/recipe_page.h"

#include <QAbstractItemModelTester>
#include <QApplication>
#include <QClipboard>

#include "tests/ui/window_test.h"

namespace anneal::tests {
namespace {

class RecipePageTest : public WindowTest {
 protected:
  void choose_both() {
    open_window();
    window_->draft().choose_model(shared("models/stories260K/hf"));
    window_->draft().choose_data({shared("datasets/gsm8k_800.jsonl")});
    window_->open_page(ui::PageId::kRecipe);
    page_ = window_->page<ui::RecipePage>();
    bar_ = page_->findChild<ui::MessageBar*>();
  }
  ui::RecipePage* page_ = nullptr;
  ui::MessageBar* bar_ = nullptr;
};

TEST_F(RecipePageTest, StartWaitsForAModelAndData) {
  open_window();
  window_->open_page(ui::PageId::kRecipe);
  EXPECT_FALSE(named("Copy training command")->isEnabled());
  picture("3-recipe-empty-light");
}

TEST_F(RecipePageTest, APlanThatFitsIsReadyToStart) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  choose_both();
  ASSERT_TRUE(wait_until([&] { return page_->is_ready(); }));
  EXPECT_TRUE(named("Copy training command")->isEnabled());
  click("Copy training command");
  EXPECT_TRUE(QApplication::clipboard()->text().startsWith("anneal train"));
  picture("3-recipe-light");
}

TEST_F(RecipePageTest, WhatDoesNotFitIsRefusedWithARemedyThatWorks) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  choose_both();
  window_->draft().set("memory_limit_gb", "0.001");
  ASSERT_TRUE(wait_until([&] { return bar_->isVisible(); }));
  EXPECT_FALSE(named("Copy training command")->isEnabled());
  picture("3-recipe-will-not-fit-light");
  click("Reset memory_limit_gb");
  EXPECT_TRUE(wait_until([&] { return page_->is_ready(); }));
}

TEST_F(RecipePageTest, ADeviceThatIsNotThereIsRefusedAndMended) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  choose_both();
  window_->draft().set("device", "cuda");
  ASSERT_TRUE(wait_until([&] { return bar_->isVisible(); }));
  EXPECT_FALSE(named("Copy training command")->isEnabled());
  click("Reset device");
  EXPECT_TRUE(wait_until([&] { return page_->is_ready(); }));
}

TEST_F(RecipePageTest, ASettingTypedWrongIsSaidBesideIt) {
  open_window();
  window_->open_page(ui::PageId::kRecipe);
  auto* input = named<QLineEdit>("Learning rate");
  ASSERT_NE(input, nullptr);
  QTest::keyClicks(input, "fast");
  QTest::keyClick(input, Qt::Key_Return);
  EXPECT_TRUE(input->property("wrong").toBool());
  EXPECT_FALSE(window_->draft().recipe().optimizer.learning_rate.has_value());
}

TEST(SettingTable, IsASoundModelOfEveryFieldOfARecipe) {
  need_application();
  ui::Draft draft;
  ui::SettingTable table(draft);
  ui::SettingFilter filter(table);
  QAbstractItemModelTester table_tester(&table, QAbstractItemModelTester::FailureReportingMode::Warning);
  QAbstractItemModelTester filter_tester(&filter, QAbstractItemModelTester::FailureReportingMode::Warning);
  EXPECT_EQ(table.rowCount(), static_cast<int>(engine::recipe_fields().fields().size()));
  filter.search("learning rate");
  EXPECT_GT(filter.rowCount(), 0);
  EXPECT_LT(filter.rowCount(), table.rowCount());
  filter.search("");
  filter.show_changed_only(true);
  EXPECT_EQ(filter.rowCount(), 0);
  draft.set("seed", "7");
  EXPECT_EQ(filter.rowCount(), 1);
  QString refused;
  QObject::connect(&table, &ui::SettingTable::refused, [&](const QString& sentence) { refused = sentence; });
  const QModelIndex seed = filter.mapToSource(filter.index(0, ui::SettingTable::kValue));
  EXPECT_FALSE(table.setData(seed, "x", Qt::EditRole));
  EXPECT_TRUE(refused.contains("seed"));
  EXPECT_EQ(draft.recipe().method.seed, 7);
}

}  // namespace
}  // namespace anneal::tests
