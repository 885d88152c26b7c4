// What `anneal data` shows, and what training says about data before it starts.

#include <gmock/gmock.h>

#include "tests/end_to_end/small_world.h"

namespace anneal::tests {
namespace {

using ::testing::HasSubstr;

class DataProgram : public SmallWorld {
 protected:
  Finished check(const std::vector<std::string>& files, std::vector<std::string> more = {"--json"}) const {
    std::vector<std::string> words{"data", "check", "--data"};
    words.insert(words.end(), files.begin(), files.end());
    words.insert(words.end(), more.begin(), more.end());
    return anneal.run(words);
  }
  Json preview(const std::string& file, int row, std::vector<std::string> more = {}) const {
    std::vector<std::string> words{"data",  "preview",           "--data", file, "--model", path("model"),
                                   "--row", std::to_string(row), "--json"};
    words.insert(words.end(), more.begin(), more.end());
    const Finished shown = anneal.run(words);
    EXPECT_EQ(shown.status, 0) << shown.err;
    return shown.status == 0 ? shown.events().at(0) : Json();
  }
  static std::string learned(const Json& preview) {
    std::string text;
    for (const Json& token : preview["tokens"]) {
      if (token["learn"] == true) text += token["text"].get<std::string>();
    }
    return text;
  }
  void remove_tokenizer() const {
    for (const auto& entry : std::filesystem::directory_iterator(path("model"))) {
      const std::string name = entry.path().filename().string();
      if (name != "config.json" && name != "model.safetensors") std::filesystem::remove_all(entry.path());
    }
  }
  std::string ids_file() const {
    return folder.write("ids.jsonl", "{\"input_ids\":[1,2,3,4,5]}\n{\"input_ids\":[5,6,7],\"labels\":[-100,-100,7]}\n");
  }
  const std::string kRow = "{\"prompt\":\"a\",\"completion\":\"b\"}\n";
};

TEST_F(DataProgram, CaseA01TheMarkOfAnEditorChangesNoToken) {
  const std::string plain = folder.write("plain.jsonl", kRow + kRow + kRow);
  const std::string marked = folder.write("marked.jsonl", "\xEF\xBB\xBF" + kRow + kRow + kRow);
  for (int row = 1; row <= 3; ++row) EXPECT_EQ(preview(marked, row), preview(plain, row));
  EXPECT_EQ(check({marked}).events().at(0)["rows"], 3);
}

TEST_F(DataProgram, CaseA05CheckListsTheBadLineAndTrainingStopsThereUnlessTold) {
  const std::string file =
      folder.write("bad.jsonl", kRow + kRow + "{\"prompt\":\"a\",}\n   \n" + kRow + kRow.substr(0, kRow.size() - 1));
  const Finished checked = check({file});
  EXPECT_EQ(checked.status, 0);
  const Json answer = checked.events().at(0);
  EXPECT_EQ(answer["rows"], 4);
  EXPECT_EQ(answer["usable"], 4);
  ASSERT_EQ(answer["findings"].size(), 1u);
  EXPECT_EQ(answer["findings"][0]["line"], 3);
  EXPECT_EQ(answer["findings"][0]["row"], 3);
  EXPECT_EQ(answer["findings"][0]["kind"], "bad_line");
  const std::vector<std::string> train = {"train", "--model",   path("model"), "--data", file,
                                          "--out", path("run"), "--max-steps", "1",      "--json"};
  const Finished stopped = anneal.run(train);
  EXPECT_EQ(stopped.status, 1);
  EXPECT_THAT(stopped.err, HasSubstr("bad.jsonl:3:15: "));
  std::vector<std::string> skipping = train;
  skipping.insert(skipping.end(), {"--bad-rows", "skip"});
  const Finished trained = anneal.run(skipping);
  EXPECT_EQ(trained.status, 0) << trained.err;
  EXPECT_THAT(trained.out, HasSubstr("1 × bad line; the first: "));
}

TEST_F(DataProgram, CaseA05EveryBadFileIsNamedAtOnce) {
  const std::string broken = folder.write("broken.jsonl", kRow + "{\"prompt\":\"a\",}\n");
  const std::string unknown = folder.write("unknown.csv", "what,ever\n1,2\n");
  const Finished trained =
      anneal.run({"train", "--model", path("model"), "--data", broken, path("rows.jsonl"), unknown,
                  path("missing.jsonl"), "--eval", path("nothing.jsonl"), "--out", path("run"), "--json"});
  EXPECT_EQ(trained.status, 1);
  for (const char* part : {"broken.jsonl:2:", "unknown.csv: its columns", "missing.jsonl: cannot be opened",
                           "nothing.jsonl: cannot be opened"}) {
    EXPECT_THAT(trained.err, HasSubstr(part));
  }
  EXPECT_EQ(std::count(trained.err.begin(), trained.err.end(), '\n'), 4) << trained.err;
  EXPECT_FALSE(std::filesystem::exists(path("run")));

  const Finished checked = check({broken, unknown, path("missing.jsonl")});
  EXPECT_EQ(checked.status, 1);
  EXPECT_EQ(std::count(checked.err.begin(), checked.err.end(), '\n'), 2) << checked.err;
  EXPECT_EQ(checked.events().at(0)["rows"], 1);
}

TEST_F(DataProgram, NothingToLearnFromIsOneSentence) {
  const Finished empty = check({folder.write("empty.jsonl", "")});
  EXPECT_EQ(empty.status, 1);
  EXPECT_THAT(empty.err, HasSubstr("empty.jsonl: holds no rows. "));
  const Finished missing = check({path("missing.jsonl")});
  EXPECT_EQ(missing.status, 1);
  EXPECT_EQ(missing.out, "");
  EXPECT_EQ(std::count(missing.err.begin(), missing.err.end(), '\n'), 1) << missing.err;
  const Finished questions =
      check({folder.write("questions.jsonl", "{\"messages\":[{\"role\":\"user\",\"content\":\"x\"}]}\n")});
  EXPECT_EQ(questions.status, 1);
  EXPECT_THAT(questions.err, HasSubstr("no row has anything to learn from. The first: "));
}

TEST_F(DataProgram, ForPeopleFindingsAreGroupedAndExplained) {
  const std::string file = folder.write("odd.jsonl", kRow + "{\"prompt\":\"a\",\"completion\":\"\"}\nnonsense\n");
  const Finished checked = check({file}, {"--model", path("model")});
  EXPECT_EQ(checked.status, 0) << checked.err;
  EXPECT_THAT(checked.out, HasSubstr("2 rows (prompt_completion), 2 of them usable."));
  EXPECT_THAT(checked.out, HasSubstr("1 × bad line: cannot be read; training stops there unless bad_rows=skip."));
  EXPECT_THAT(checked.out, HasSubstr("1 × empty answer: "));
  EXPECT_THAT(checked.out, HasSubstr("Rows by length in tokens:"));
  EXPECT_EQ(checked.out.find(file), checked.out.find(file + ": JSON Lines")) << "the path stands once";
  const Finished refused = anneal.run({"data", "preview", "--data", file, "--model", path("model"), "--row", "3"});
  EXPECT_EQ(refused.status, 1);
  EXPECT_THAT(refused.err, HasSubstr("odd.jsonl:3:"));
}

TEST_F(DataProgram, CaseB01ATemplatesRefusalNamesTheRow) {
  const std::string strict =
      folder.write("strict.jinja",
                   "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ "
                   "raise_exception('roles must alternate') }}{% endif %}"
                   "{{ m.role }}: {{ m.content }}\n{% endfor %}{% if add_generation_prompt %}assistant:{% endif %}");
  const auto turn = [](const char* role) { return fmt::format("{{\"role\":\"{}\",\"content\":\"x\"}}", role); };
  const std::string file = folder.write(
      "chats.jsonl",
      fmt::format("{{\"messages\":[{},{}]}}\n{{\"messages\":[{},{},{},{}]}}\n{{\"messages\":[{},{},{}]}}\n",
                  turn("user"), turn("assistant"), turn("user"), turn("assistant"), turn("user"), turn("user"),
                  turn("user"), turn("assistant"), turn("assistant")));
  const std::vector<std::string> flags = {"--model", path("model"), "--chat-template", strict, "--json"};
  const Json answer = check({file}, flags).events().at(0);
  EXPECT_EQ(answer["rows"], 3);
  EXPECT_EQ(answer["usable"], 1);
  std::vector<std::pair<int, std::string>> found;
  for (const Json& finding : answer["findings"])
    found.emplace_back(finding["row"].get<int>(), finding["kind"].get<std::string>());
  EXPECT_EQ(found,
            (std::vector<std::pair<int, std::string>>{
                {2, "consecutive_turns"}, {2, "template_refused"}, {3, "consecutive_turns"}, {3, "template_refused"}}));
  std::vector<std::string> merging = flags;
  merging.insert(merging.end(), {"--consecutive-turns", "merge"});
  EXPECT_EQ(check({file}, merging).events().at(0)["usable"], 3);
  const Finished stopped = anneal.run({"train", "--model", path("model"), "--chat-template", strict, "--data", file,
                                       "--out", path("run"), "--consecutive-turns", "stop", "--json"});
  EXPECT_EQ(stopped.status, 1);
  EXPECT_THAT(stopped.err, HasSubstr("chats.jsonl:2 (row 2): messages 3 and 4 are both by user. "));
}

TEST_F(DataProgram, CaseC02ThePreviewShowsTheEndToken) {
  const std::string file = folder.write("rows2.jsonl", kRow);
  const Json shown = preview(file, 1);
  EXPECT_EQ(shown["tokens"].back()["learn"], true);
  EXPECT_THAT(learned(shown), ::testing::StartsWith("b"));
  EXPECT_GT(learned(shown).size(), 1u) << "the end token";
  EXPECT_EQ(shown["cut"], "none");
}

TEST_F(DataProgram, AModelWithoutATokenizerTrainsOnReadyMadeTokens) {
  remove_tokenizer();
  const std::string ids = ids_file();
  EXPECT_EQ(check({ids}, {"--model", path("model"), "--json"}).events().at(0)["tokens"]["label"], 5);
  EXPECT_EQ(learned(preview(ids, 2)), "[7]");
  const Finished trained = anneal.run({"train", "--model", path("model"), "--data", ids, "--eval", ids, "--out",
                                       path("run"), "--max-steps", "2", "--eval-every-steps", "1", "--json"});
  ASSERT_EQ(trained.status, 0) << trained.err;
  ASSERT_EQ(trained.events("step").size(), 2u);
  EXPECT_EQ(trained.events("step")[0]["label_tokens"], 5);
  EXPECT_EQ(anneal.run({"resume", path("run"), "--json"}).status, 0);
  const Finished measured = anneal.run({"eval", "--model", path("run"), "--data", ids, "--json"});
  EXPECT_EQ(measured.status, 0) << measured.err;
  const Finished exported =
      anneal.run({"export", "--run", path("run"), "--format", "merged", "--out", path("merged"), "--json"});
  EXPECT_EQ(exported.status, 0) << exported.err;
  EXPECT_FALSE(std::filesystem::exists(path("merged/chat_template.jinja")));
}

TEST_F(DataProgram, TextsForAModelWithoutATokenizerAreOneSentence) {
  remove_tokenizer();
  const Finished trained =
      anneal.run({"train", "--model", path("model"), "--data", path("rows.jsonl"), "--out", path("run"), "--json"});
  EXPECT_EQ(trained.status, 1);
  EXPECT_THAT(trained.err, HasSubstr("holds no tokenizer"));
  EXPECT_EQ(std::count(trained.err.begin(), trained.err.end(), '\n'), 1) << trained.err;
}

}  // namespace
}  // namespace anneal::tests
