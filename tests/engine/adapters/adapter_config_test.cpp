#include "engine/adapters/adapter_config.h"

#include <gmock/gmock.h>

#include "tests/support/temporary_folder.h"

namespace anneal::engine {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

class AdapterConfigFile : public ::testing::Test {
 protected:
  AdapterConfig read(const std::string& text) {
    folder_.write("adapter_config.json", text);
    return read_adapter_config(folder_.path().string());
  }
  std::string refusal(const std::string& text) {
    try {
      read(text);
    } catch (const Error& error) {
      EXPECT_EQ(error.kind(), ErrorKind::kInput);
      return error.what();
    }
    return "it was read";
  }
  tests::TemporaryFolder folder_;
};

TEST_F(AdapterConfigFile, IsReadAsItWasWritten) {
  const AdapterConfig config{
      .options = {.rank = 16, .alpha = 24.5, .dropout = 0.05, .use_rslora = true, .targets = {"k_proj", "q_proj"}},
      .base_model = "some/base"};
  const AdapterConfig back = read(adapter_config_text(config));
  EXPECT_EQ(back.options.rank, 16);
  EXPECT_EQ(back.options.alpha, 24.5);
  EXPECT_EQ(back.options.dropout, 0.05);
  EXPECT_TRUE(back.options.use_rslora);
  EXPECT_THAT(back.options.targets, ElementsAre("k_proj", "q_proj"));
  EXPECT_EQ(back.base_model, "some/base");
}

TEST_F(AdapterConfigFile, WritesTheSmallestSetOfKeys) {
  const Json json = parse_json(adapter_config_text({.options = {.rank = 8, .alpha = 16, .targets = {"q_proj"}}}), "it");
  EXPECT_EQ(json.at("peft_type"), "LORA");
  EXPECT_EQ(json.at("task_type"), "CAUSAL_LM");
  EXPECT_TRUE(json.at("lora_alpha").is_number_integer());
  EXPECT_LE(json.size(), 10u);
}

TEST_F(AdapterConfigFile, CaseF07TheScaleIsAlphaOverRankAndOverItsRootWithRsLora) {
  EXPECT_EQ(read(R"({"peft_type":"LORA","r":16,"lora_alpha":32,"target_modules":["q_proj"]})").options.scale(), 2.0);
  EXPECT_EQ(read(R"({"peft_type":"LORA","r":16,"lora_alpha":32,"use_rslora":true,"target_modules":["q_proj"]})")
                .options.scale(),
            8.0);
}

TEST_F(AdapterConfigFile, AbsentKeysHavePeftsDefaults) {
  const AdapterConfig config = read(R"({"peft_type":"LORA","target_modules":"all-linear","use_dora":false,
                                        "modules_to_save":null,"rank_pattern":{}})");
  EXPECT_EQ(config.options.rank, 8);
  EXPECT_EQ(config.options.alpha, 8);
  EXPECT_TRUE(config.options.targets.empty());
}

TEST_F(AdapterConfigFile, WhatCannotBeComputedIsRefusedByName) {
  const std::string begin = R"({"peft_type":"LORA","target_modules":["q_proj"],)";
  EXPECT_THAT(refusal(begin + R"("use_dora":true})"), HasSubstr("\"use_dora\""));
  EXPECT_THAT(refusal(begin + R"("modules_to_save":["lm_head"]})"), HasSubstr("\"modules_to_save\""));
  EXPECT_THAT(refusal(begin + R"("rank_pattern":{"q_proj":4}})"), HasSubstr("\"rank_pattern\""));
  EXPECT_THAT(refusal(begin + R"("r":0})"), HasSubstr("expected at least 1"));
  EXPECT_THAT(refusal(R"({"peft_type":"IA3","target_modules":["q_proj"]})"), HasSubstr("\"IA3\""));
  EXPECT_THAT(refusal(R"({"peft_type":"LORA","target_modules":".*_proj"})"), HasSubstr("pattern"));
  EXPECT_THAT(refusal(R"({"peft_type":"LORA","target_modules":[3]})"), HasSubstr("target_modules"));
  EXPECT_THAT(refusal("{"), HasSubstr("adapter_config.json"));
}

}  // namespace
}  // namespace anneal::engine
