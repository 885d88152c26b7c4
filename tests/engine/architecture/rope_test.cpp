#include "engine/architecture/rope.h"

#include <gtest/gtest.h>

namespace anneal::engine {
namespace {

RopeSettings read(const char* config, std::vector<Problem>& problems) {
  return read_rope(parse_json(config, "config.json"), 10000, "config.json", problems);
}

RopeSettings good(const char* config) {
  std::vector<Problem> problems;
  const RopeSettings rope = read(config, problems);
  for (const Problem& problem : problems) ADD_FAILURE() << to_sentence(problem);
  return rope;
}

std::string refusal(const char* config) {
  std::vector<Problem> problems;
  read(config, problems);
  std::string sentences;
  for (const Problem& problem : problems) sentences += (sentences.empty() ? "" : "\n") + to_sentence(problem);
  return sentences;
}

const std::string kRemedy = ". Correct it there, or get a complete copy of it.";

TEST(Rope, DefaultFrequenciesArePowersOfTheta) {
  const std::vector<float> frequencies = inverse_frequencies({.theta = 10000}, 4);
  ASSERT_EQ(frequencies.size(), 2u);
  EXPECT_EQ(frequencies[0], 1.0f);
  EXPECT_EQ(frequencies[1], 0.01f);
}

TEST(Rope, LinearScalingDividesAll) {
  EXPECT_EQ(inverse_frequencies({.kind = RopeKind::kLinear, .theta = 10000, .factor = 4}, 4),
            (std::vector<float>{0.25f, 0.0025f}));
}

TEST(Rope, CaseD17Llama3ScalingActs) {
  RopeSettings rope{.theta = 500000};
  const std::vector<float> plain = inverse_frequencies(rope, 128);
  rope.kind = RopeKind::kLlama3;
  rope.factor = 8;
  rope.low_frequency_factor = 1;
  rope.high_frequency_factor = 4;
  rope.original_max_positions = 8192;
  const std::vector<float> scaled = inverse_frequencies(rope, 128);
  ASSERT_EQ(scaled.size(), 64u);
  const std::vector<float> blended = {1.20748f, 1.55341f, 2.02631f, 2.69453f, 3.68425f, 5.25733f};
  for (std::size_t i = 0; i < 64; ++i) {
    const float ratio = plain[i] / scaled[i];
    if (i < 29) {
      EXPECT_EQ(ratio, 1.0f) << i;
    } else if (i < 35) {
      EXPECT_NEAR(ratio, blended[i - 29], 5e-6f * blended[i - 29]) << i;  // the case gives six digits
    } else {
      EXPECT_EQ(ratio, 8.0f) << i;
    }
  }
}

TEST(Rope, ReadsTheOldForm) {
  EXPECT_EQ(good(R"({})"), (RopeSettings{.theta = 10000}));
  EXPECT_EQ(good(R"({"rope_theta":500000.0,"rope_scaling":null})"), (RopeSettings{.theta = 500000}));
  EXPECT_EQ(good(R"({"rope_theta":1e6,"rope_scaling":{"type":"linear","factor":2}})"),
            (RopeSettings{.kind = RopeKind::kLinear, .theta = 1e6, .factor = 2}));
  EXPECT_EQ(good(R"({"rope_scaling":{"rope_type":"llama3","type":"llama3","factor":8.0,"low_freq_factor":1.0,
                     "high_freq_factor":4.0,"original_max_position_embeddings":8192}})"),
            (RopeSettings{.kind = RopeKind::kLlama3,
                          .theta = 10000,
                          .factor = 8,
                          .low_frequency_factor = 1,
                          .high_frequency_factor = 4,
                          .original_max_positions = 8192}));
}

TEST(Rope, ReadsTheNewForm) {
  EXPECT_EQ(good(R"({"rope_parameters":{"rope_theta":500000.0,"rope_type":"default"}})"),
            (RopeSettings{.theta = 500000}));
  EXPECT_EQ(good(R"({"rope_parameters":{"rope_theta":500000.0}})"), (RopeSettings{.theta = 500000}));
  EXPECT_EQ(good(R"({"rope_theta":500000.0,"rope_scaling":{"rope_type":"linear","factor":2.0},
                     "rope_parameters":{"rope_theta":500000,"rope_type":"linear","factor":2}})"),
            (RopeSettings{.kind = RopeKind::kLinear, .theta = 500000, .factor = 2}));
}

TEST(Rope, FormsThatDisagreeAreNamed) {
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"linear","rope_type":"llama3","factor":2,"low_freq_factor":1,
                        "high_freq_factor":4,"original_max_position_embeddings":8}})"),
            "config.json: \"type\" in \"rope_scaling\" is \"linear\", but another key there or in \"rope_scaling\" "
            "says \"llama3\"" +
                kRemedy);
  EXPECT_EQ(refusal(R"({"rope_theta":10000,"rope_parameters":{"rope_theta":500000}})"),
            "config.json: \"rope_theta\" is given as 500000 and as 10000" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"linear","factor":2},
                        "rope_parameters":{"rope_type":"linear","factor":4}})"),
            "config.json: \"factor\" is given as 4 and as 2" + kRemedy);
}

TEST(Rope, BadSettingsAreNamed) {
  EXPECT_EQ(refusal(R"({"rope_scaling":{"factor":2}})"),
            "config.json: \"rope_scaling\" gives a factor but no \"rope_type\"" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"linear"}})"),
            "config.json: \"factor\" of the rope scaling is missing" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"linear","factor":0.5}})"),
            "config.json: the \"factor\" of the rope scaling is 0.5, expected 1 or more" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"linear","factor":"2"}})"),
            "config.json: \"factor\" in \"rope_scaling\" is \"2\", expected a number" + kRemedy +
                "\nconfig.json: \"factor\" of the rope scaling is missing" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_theta":0})"), "config.json: \"rope_theta\" is 0, expected a number above 0" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":[2]})"),
            "config.json: \"rope_scaling\" is [2], expected an object or null. Get a complete copy of it.");
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":4,"high_freq_factor":4,
                        "original_max_position_embeddings":8192}})"),
            "config.json: \"low_freq_factor\" 4 and \"high_freq_factor\" 4 are not rising numbers above 0" + kRemedy);
  EXPECT_EQ(refusal(R"({"rope_scaling":{"type":"llama3","factor":8,"low_freq_factor":1,"high_freq_factor":4}})"),
            "config.json: \"original_max_position_embeddings\" of the rope scaling is missing" + kRemedy);
}

TEST(Rope, WhatIsNotComputedIsRefusedByName) {
  EXPECT_EQ(refusal(R"({"rope_scaling":{"rope_type":"yarn","factor":4}})"),
            "config.json: the rope scaling \"yarn\" is not computed here, only default, linear and llama3. "
            "Choose a model without it.");
  EXPECT_EQ(refusal(R"({"partial_rotary_factor":0.5})"),
            "config.json: \"partial_rotary_factor\" 0.5 is not computed here, only 1. Choose a model without it.");
  EXPECT_EQ(refusal(R"({"rope_parameters":{"full_attention":{"rope_theta":1}}})"),
            "config.json: rope settings that differ by layer are not computed here. Choose a model without it.");
}

TEST(Rope, CaseD17ScalingIsWrittenBackInBothForms) {
  const RopeSettings llama3{.kind = RopeKind::kLlama3,
                            .theta = 500000,
                            .factor = 8,
                            .low_frequency_factor = 1,
                            .high_frequency_factor = 4,
                            .original_max_positions = 8192};
  Json config = parse_json(R"({"rope_parameters":{"rope_type":"default"}})", "config.json");
  write_rope(llama3, config);
  EXPECT_EQ(good(to_text(config).c_str()), llama3);
  EXPECT_EQ(config.at("rope_theta"), 500000.0);
  EXPECT_EQ(config.at("rope_scaling").at("rope_type"), "llama3");
  EXPECT_EQ(config.at("rope_parameters").at("rope_theta"), 500000.0);

  Json old_form = Json::object();
  write_rope({.theta = 10000}, old_form);
  EXPECT_EQ(to_text(old_form), R"({"rope_theta":10000.0,"rope_scaling":null})");
}

}  // namespace
}  // namespace anneal::engine
