#include "ui/data/data_page.h"

#include "tests/ui/window_test.h"

namespace anneal::tests {
namespace {

TEST_F(WindowTest, DataIsRecognisedAndARowShownAsTokensWithWhatIsLearned) {
  ANNEAL_NEEDS_SHARED_DATA("models/stories260K/hf");
  open_window();
  window_->draft().choose_model(shared("models/stories260K/hf"));
  window_->take_path(shared("datasets/gsm8k_800.jsonl"));
  auto* tokens = window_->findChild<ui::TokenView*>();
  ASSERT_TRUE(wait_until([&] { return tokens->count(ui::TokenKind::kLearned) > 0; }));
  EXPECT_GT(tokens->count(ui::TokenKind::kRead), 0) << "the question is not learned";
  auto* figures = window_->findChild<ui::Figures*>();
  EXPECT_TRUE(wait_until([&] { return figures->value(0) == "800"; }));
  EXPECT_TRUE(wait_until([&] { return named("Use this data")->isEnabled(); }));
  picture("2-data-light");
  click("Next row");
  EXPECT_TRUE(wait_until([&] { return named("Row before")->isEnabled(); }));
}

TEST_F(WindowTest, ABrokenFileIsNamedAndCannotBeUsed) {
  const QString path = QString::fromStdString(folder_.write("broken.jsonl", "{\"prompt\": \"a\", \"comp\n"));
  open_window();
  window_->take_path(path);
  auto* bar = window_->page<ui::DataPage>()->findChild<ui::MessageBar*>();
  ASSERT_TRUE(wait_until([&] { return bar->isVisible(); }));
  EXPECT_FALSE(named("Use this data")->isEnabled());
  picture("2-data-broken-light");
}

TEST_F(WindowTest, WithoutDataThePageSaysWhatItTakes) {
  open_window();
  window_->open_page(ui::PageId::kData);
  EXPECT_EQ(named("Use this data"), nullptr);
  picture("2-data-empty-light");
}

}  // namespace
}  // namespace anneal::tests
