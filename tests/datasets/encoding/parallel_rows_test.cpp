#include "datasets/encoding/parallel_rows.h"

#include <gtest/gtest.h>

#include <atomic>
#include <stdexcept>

#include "tests/support/temporary_folder.h"

namespace anneal::datasets::tests {
namespace {

TEST(ParallelRows, ResultsComeInTheOrderOfRows) {
  const anneal::tests::TemporaryFolder folder;
  std::string text;
  for (int i = 0; i < 2000; ++i) text += "{\"text\":\"" + std::to_string(i) + "\"}\n";
  const std::string path = folder.write("a.jsonl", text);
  for (const int threads : {1, 3}) {
    int next = 0;
    const ReadReport report = for_each_row_in_parallel<int>(
        {path}, {}, threads, [](const Row& row) { return std::stoi(std::get<Document>(row.content).text); },
        [&](const Row&, int&& number) { EXPECT_EQ(number, next++); });
    EXPECT_EQ(report.rows, 2000);
    EXPECT_EQ(next, 2000);
  }
}

TEST(ParallelRows, TheFirstFailureInTheOrderOfRowsIsThrown) {
  std::atomic<int> done{0};
  try {
    run_in_parallel(100, 3, [&](std::size_t i) {
      if (i == 20 || i == 70) throw std::runtime_error(std::to_string(i));
      ++done;
    });
    FAIL() << "nothing was thrown";
  } catch (const std::runtime_error& error) {
    EXPECT_STREQ(error.what(), "20");
  }
  EXPECT_EQ(done, 98);
}

}  // namespace
}  // namespace anneal::datasets::tests
