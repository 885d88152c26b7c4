#include "ui/tasks/background.h"

#include <chrono>

#include "tests/ui/window_test.h"

namespace anneal::tests {
namespace {

TEST(Background, DeliversOnlyTheNewestResult) {
  need_application();
  QObject receiver;
  ui::Background background;
  std::atomic<bool> has_begun{false};
  std::vector<int> delivered;
  const auto failed = [](const QString& sentence) { ADD_FAILURE() << sentence.toStdString(); };
  background.run(
      &receiver,
      [&](const ui::StopFlag& flag) {
        has_begun = true;
        while (!flag.is_set()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return 1;  // too late: nobody wants it
      },
      [&](int value) { delivered.push_back(value); }, failed);
  while (!has_begun) std::this_thread::yield();
  background.run(
      &receiver, [](const ui::StopFlag&) { return 2; }, [&](int value) { delivered.push_back(value); }, failed);
  EXPECT_TRUE(QTest::qWaitFor([&] { return !delivered.empty(); }, 5000));
  QTest::qWait(20);
  EXPECT_EQ(delivered, std::vector<int>{2});
}

TEST(Background, TellsAFailureAsItsSentence) {
  need_application();
  QObject receiver;
  ui::Background background;
  QString sentence;
  background.run(
      &receiver, [](const ui::StopFlag&) -> int { throw std::runtime_error("no such file"); }, [](int) {},
      [&](const QString& text) { sentence = text; });
  EXPECT_TRUE(QTest::qWaitFor([&] { return !sentence.isEmpty(); }, 5000));
  EXPECT_EQ(sentence, "no such file");
}

TEST(Background, EndsWithWorkInHand) {
  need_application();
  QObject receiver;
  const auto begin = std::chrono::steady_clock::now();
  {
    ui::Background background;
    background.run(
        &receiver,
        [](const ui::StopFlag& flag) {
          while (!flag.is_set()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
          return 0;
        },
        [](int) { ADD_FAILURE() << "delivered after its end"; }, [](const QString&) {});
  }
  EXPECT_LT(std::chrono::steady_clock::now() - begin, std::chrono::seconds(5));
}

}  // namespace
}  // namespace anneal::tests
