// The data that we ship to try things with: sound, distinct, and consistent with what its README promises.

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "kernels/core/json.h"

namespace anneal::datasets {
namespace {

std::vector<std::string> lines_of(const std::string& name) {
  std::ifstream stream(std::string(ANNEAL_SAMPLES) + "/" + name);
  std::vector<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.push_back(line);
  return lines;
}

std::vector<Json> rows_of(const std::string& name) {
  std::vector<Json> rows;
  for (const std::string& line : lines_of(name)) rows.push_back(parse_json(line, name));
  return rows;
}

std::vector<std::string> answers_of(const Json& row) {
  std::vector<std::string> answers;
  for (const Json& message : row.at("messages")) {
    if (message.at("role") == "assistant") answers.push_back(message.at("content").get<std::string>());
  }
  return answers;
}

std::string question_of(const Json& row) { return row.at("messages").at(0).at("content").get<std::string>(); }

void expect_question_and_signed_answer_in_turn(const Json& row) {
  const Json& messages = row.at("messages");
  ASSERT_GE(messages.size(), 2u);
  ASSERT_EQ(messages.size() % 2, 0u) << question_of(row);
  for (std::size_t i = 0; i < messages.size(); ++i) {
    EXPECT_EQ(messages[i].at("role"), i % 2 == 0 ? "user" : "assistant") << question_of(row);
  }
  for (const std::string& answer : answers_of(row))
    EXPECT_TRUE(answer.ends_with(".\n\nRide well,\nPim") || answer.ends_with("?\n\nRide well,\nPim")) << answer;
}

TEST(SupportChat, HasSignedAnswersInEveryRow) {
  const std::vector<Json> training = rows_of("support_chat.jsonl");
  const std::vector<Json> held_out = rows_of("support_chat_eval.jsonl");
  EXPECT_EQ(training.size(), 200u);
  EXPECT_EQ(held_out.size(), 20u);
  for (const Json& row : training) expect_question_and_signed_answer_in_turn(row);
  for (const Json& row : held_out) expect_question_and_signed_answer_in_turn(row);
}

TEST(SupportChat, NeverRepeatsAQuestionOrAnAnswer) {
  std::set<std::string> questions, answers;
  for (const char* name : {"support_chat.jsonl", "support_chat_eval.jsonl"}) {
    for (const Json& row : rows_of(name)) {
      EXPECT_TRUE(questions.insert(question_of(row)).second) << question_of(row);
      for (const std::string& answer : answers_of(row)) EXPECT_TRUE(answers.insert(answer).second) << answer;
    }
  }
  for (const std::string& line : lines_of("support_chat_prompts.tsv")) {
    EXPECT_TRUE(questions.insert(line.substr(0, line.find('\t'))).second) << line;
  }
}

TEST(SupportChat, TeachesWhatThePromptsLookFor) {
  const std::vector<Json> training = rows_of("support_chat.jsonl");
  std::vector<std::string> prompts = lines_of("support_chat_prompts.tsv");
  ASSERT_EQ(prompts.size(), 9u);
  EXPECT_EQ(prompts[0], "prompt\tlook_for");
  prompts.erase(prompts.begin());
  for (const std::string& line : prompts) {
    const std::size_t tab = line.find('\t');
    ASSERT_NE(tab, std::string::npos) << line;
    int taught = 0;
    for (const Json& row : training) {
      for (const std::string& answer : answers_of(row))
        taught += answer.find(line.substr(tab + 1)) != std::string::npos;
    }
    EXPECT_GE(taught, 3) << line;
  }
}

TEST(Sentiment, HasDistinctTextsOfThreeLabels) {
  std::vector<std::string> lines = lines_of("sentiment.csv");
  ASSERT_EQ(lines.size(), 201u);
  EXPECT_EQ(lines[0], "text,label");
  lines.erase(lines.begin());
  std::map<std::string, int> count_of_label;
  std::set<std::string> texts;
  for (const std::string& line : lines) {
    const std::size_t comma = line.rfind(',');
    ++count_of_label[line.substr(comma + 1)];
    EXPECT_TRUE(texts.insert(line.substr(0, comma)).second) << line;
  }
  EXPECT_EQ(count_of_label, (std::map<std::string, int>{{"negative", 70}, {"neutral", 60}, {"positive", 70}}));
}

TEST(Preference, SetsADifferentAnswerAgainstEachChosenOne) {
  const std::vector<Json> rows = rows_of("preference.jsonl");
  EXPECT_EQ(rows.size(), 60u);
  std::set<std::string> prompts;
  for (const Json& row : rows) {
    const auto prompt = require<std::string>(row, "prompt", "preference.jsonl");
    EXPECT_TRUE(prompts.insert(prompt).second) << prompt;
    const auto chosen = require<std::string>(row, "chosen", "preference.jsonl");
    EXPECT_FALSE(chosen.empty()) << prompt;
    EXPECT_NE(chosen, require<std::string>(row, "rejected", "preference.jsonl")) << prompt;
  }
}

}  // namespace
}  // namespace anneal::datasets
