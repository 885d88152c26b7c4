#include "ui/models/models_page.h"

#include <QAbstractItemModelTester>
#include <QFileInfo>

#include "tests/ui/window_test.h"

namespace anneal::tests {
namespace {

TEST_F(WindowTest, WithoutModelsThePageSaysWhereItLooked) {
  open_window();
  window_->open_page(ui::PageId::kModels);
  EXPECT_TRUE(wait_until([&] { return named("Add folder…") != nullptr; }));
  EXPECT_EQ(named("Train this model"), nullptr) << "nothing to train";
  picture("1-models-empty-light");
}

TEST_F(WindowTest, ADroppedModelIsListedLookedIntoAndChosen) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  open_window();
  window_->take_path(shared("models/stories260K/hf"));
  ASSERT_TRUE(wait_until([&] { return named("Train this model") != nullptr; }));
  picture("1-models-light");
  click("Train this model");
  EXPECT_EQ(window_->draft().recipe().model.model,
            QFileInfo(shared("models/stories260K/hf")).canonicalFilePath().toStdString());
}

TEST_F(WindowTest, AFolderWithoutAModelIsSaidToHoldNone) {
  folder_.write("nothing/readme.txt", "no model");
  open_window();
  window_->open_page(ui::PageId::kModels);
  window_->take_path(QString::fromStdString((folder_.path() / "nothing").string()));
  auto* page = window_->page<ui::ModelsPage>();
  auto* bar = page->findChild<ui::MessageBar*>();
  EXPECT_TRUE(wait_until([&] { return bar->isVisible(); }));
  EXPECT_EQ(bar->what(), "nothing holds no model");
  EXPECT_FALSE(bar->how().isEmpty());
}

TEST_F(WindowTest, ABrokenModelIsListedWithItsReasonAndNotTaken) {
  folder_.write("models/broken/config.json", R"({"architectures":["LlamaForCausalLM"],"model_type":"llama"})");
  open_window();
  window_->take_path(QString::fromStdString((folder_.path() / "models" / "broken").string()));
  ASSERT_TRUE(wait_until([&] { return named("Train this model") != nullptr; }));
  EXPECT_FALSE(named("Train this model")->isEnabled());
  picture("1-models-broken-light");
}

TEST(ModelTable, IsASoundModelAndKeepsOneRowAPath) {
  need_application();
  ui::ModelTable table;
  ui::ModelFilter filter(table);
  QAbstractItemModelTester table_tester(&table, QAbstractItemModelTester::FailureReportingMode::Warning);
  QAbstractItemModelTester filter_tester(&filter, QAbstractItemModelTester::FailureReportingMode::Warning);
  table.add({{.name = "b", .path = "x/b", .is_trainable = true}, {.name = "a", .path = "x/a"}});
  table.add({{.name = "b2", .path = "x/b", .is_trainable = true}});
  EXPECT_EQ(table.rowCount(), 2);
  EXPECT_EQ(filter.index(0, 0).data().toString(), "b2") << "what can be trained comes first";
  filter.show_trainable_only(true);
  EXPECT_EQ(filter.rowCount(), 1);
  filter.show_trainable_only(false);
  filter.search("x/a");
  EXPECT_EQ(filter.rowCount(), 1);
  table.clear();
  EXPECT_EQ(filter.rowCount(), 0);
}

TEST(ParametersText, CountsInMillionsAndBillions) {
  EXPECT_EQ(ui::parameters_text(260032), "0.26 M");
  EXPECT_EQ(ui::parameters_text(134515008), "134.5 M");
  EXPECT_EQ(ui::parameters_text(7615616512), "7.6 B");
  EXPECT_EQ(ui::parameters_text(0), "–");
}

}  // namespace
}  // namespace anneal::tests
