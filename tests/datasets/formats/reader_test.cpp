#include "datasets/formats/reader.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;

// Good rows, a broken line, columns of no form, another encoding, and a file that is not there.
class SeveralFiles : public ::testing::Test {
 protected:
  void SetUp() override {
    using namespace std::string_literals;
    paths_ = {folder_.write("good.jsonl", "{\"text\":\"a\"}\n{\"text\":\"b\"}\n"),
              folder_.write("broken.jsonl", "{\"text\":\"c\"}\n{\"text\":\"d\",}\n{\"text\":\"e\",}\n"),
              folder_.write("unknown.csv", "what,ever\n1,2\n"),
              folder_.write("wide.jsonl", "\xFF\xFE{\0\"\0"s),
              (folder_.path() / "missing.jsonl").string(),
              (folder_.path() / "empty").string()};
    std::filesystem::create_directory(folder_.path() / "empty");
  }
  anneal::tests::TemporaryFolder folder_;
  std::vector<std::string> paths_;
};

TEST_F(SeveralFiles, CaseA05EachSaysWhatIsWrongWithIt) {
  int64_t rows = 0;
  try {
    for_each_row(paths_, {}, [&](Row&&) { ++rows; });
    FAIL() << "bad files were accepted";
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput);
    const std::string all = error.what();
    for (const char* part : {"broken.jsonl:2:", "unknown.csv: its columns", "wide.jsonl: is text in UTF-16",
                             "missing.jsonl: cannot be opened", "empty: the folder holds no"}) {
      EXPECT_THAT(all, HasSubstr(part));
    }
    EXPECT_EQ(std::count(all.begin(), all.end(), '\n'), 4) << all;  // a sentence a file
  }
  EXPECT_EQ(rows, 0) << "the folder's fault is known before the first row";
}

TEST_F(SeveralFiles, AreListedForTheDoctorAndTheRestIsRead) {
  ReadOptions options = skipping();
  options.lists_bad_files = true;
  const Reading reading = read_paths(paths_, options);
  EXPECT_EQ(reading.rows.size(), 3u);
  EXPECT_EQ(reading.report.findings.total(), 2);
  EXPECT_THAT(reading.report.problems, ElementsAre(HasSubstr("empty: "), HasSubstr("unknown.csv: "),
                                                   HasSubstr("wide.jsonl: "), HasSubstr("missing.jsonl: ")));
}

TEST_F(SeveralFiles, NoRowIsHandedOnBehindTheFirstFault) {
  std::vector<std::string> texts;
  EXPECT_THROW(for_each_row({paths_[1], paths_[0]}, {},
                            [&](Row&& row) { texts.push_back(std::get<Document>(row.content).text); }),
               Error);
  EXPECT_THAT(texts, ElementsAre("c"));
}

TEST_F(SeveralFiles, AnErrorOfTheCallersOwnPassesThrough) {
  try {
    for_each_row(paths_, {.lists_bad_files = true}, [](Row&&) { throw input_error("mine."); });
    FAIL() << "the error was swallowed";
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "mine.");
  }
}

TEST(CollectedErrors, TellASentenceOnceAndPassOthersThrough) {
  CollectedErrors errors;
  EXPECT_NO_THROW(errors.throw_if_any());
  for (int i = 0; i < 2; ++i) errors.collect([] { throw input_error("a: b. Do c.\nd: e. Do f."); });
  EXPECT_THAT(errors.sentences(), ElementsAre("a: b. Do c.", "d: e. Do f."));
  EXPECT_THROW(errors.collect([] { throw device_error("the disk is gone."); }), Error);
}

}  // namespace
}  // namespace anneal::datasets::tests
