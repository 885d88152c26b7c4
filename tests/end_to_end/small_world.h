#pragma once
// A tiny model and a few rows in a folder of their own, and the program.

#include <gtest/gtest.h>

#include "tests/end_to_end/anneal_process.h"

namespace anneal::tests {

class SmallWorld : public ::testing::Test {
 protected:
  void SetUp() override {
    const Finished made = anneal.run({"model", "new", "--out", path("model"), "--seed", "3", "--hidden-size", "16",
                                      "--intermediate-size", "32", "--max-position-embeddings", "128", "--json"});
    ASSERT_EQ(made.status, 0) << made.err;
    std::string rows;
    for (int i = 0; i < 12; ++i)
      rows += fmt::format("{{\"prompt\":\"say {}: \",\"completion\":\"{}{}\"}}\n", i,
                          std::string(static_cast<std::size_t>(i % 5 + 1), 'x'), i);
    folder.write("rows.jsonl", rows);
  }
  std::string path(const std::string& name) const { return (folder.path() / name).string(); }
  // Three epochs of twelve steps.
  std::vector<std::string> train(const std::string& out, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"train",
                                   "--model",
                                   path("model"),
                                   "--data",
                                   path("rows.jsonl"),
                                   "--out",
                                   path(out),
                                   "--json",
                                   "--packing",
                                   "false",
                                   "--gradient-accumulation-steps",
                                   "1",
                                   "--num-epochs",
                                   "3",
                                   "--learning-rate",
                                   "1e-2",
                                   "--lora-rank",
                                   "2",
                                   "--threads",
                                   "2"};
    words.insert(words.end(), more.begin(), more.end());
    return words;
  }

  TemporaryFolder folder;
  AnnealProcess anneal{folder};
};

}  // namespace anneal::tests
