#include "engine/architecture/saved_config.h"

#include <gtest/gtest.h>

#include "engine/architecture/config_reader.h"
#include "tests/engine/architecture/tiny_model.h"

namespace anneal::engine {
namespace {

TEST(SavedConfig, KeepsWhatWasReadAndFollowsWhatChanged) {
  Json config = tests::tiny_config();
  config["auto_map"] = parse_json(R"({"AutoModelForCausalLM":"code.Model"})", "");
  config["pretraining_tp"] = 1;
  Architecture architecture = read_config(config, "config.json").architecture;
  architecture.vocab_size = 8;
  architecture.tie_word_embeddings = false;  // case F04: training untied it
  const Json saved = saved_config(config, architecture, DType::kBF16);
  EXPECT_EQ(saved.at("vocab_size"), 8);
  EXPECT_EQ(saved.at("tie_word_embeddings"), false);
  EXPECT_EQ(saved.at("torch_dtype"), "bfloat16");
  EXPECT_EQ(saved.at("pretraining_tp"), 1);
  EXPECT_FALSE(saved.contains("auto_map"));
  EXPECT_FALSE(saved.contains("dtype"));  // the source had the old form only
  EXPECT_FALSE(saved.contains("rope_parameters"));
  EXPECT_EQ(read_config(saved, "saved").architecture.vocab_size, 8);
}

TEST(SavedConfig, CaseD17ScalingSurvivesInEitherForm) {
  for (const char* form :
       {R"({"rope_theta":500000.0,"rope_scaling":{"rope_type":"llama3","factor":8.0,"low_freq_factor":1.0,
            "high_freq_factor":4.0,"original_max_position_embeddings":8192}})",
        R"({"dtype":"float32","rope_parameters":{"rope_theta":500000.0,"rope_type":"llama3","factor":8.0,
            "low_freq_factor":1.0,"high_freq_factor":4.0,"original_max_position_embeddings":8192}})"}) {
    Json config = tests::tiny_config();
    config.update(parse_json(form, "form"));
    const Architecture architecture = read_config(config, "config.json").architecture;
    const Json saved = saved_config(config, architecture, DType::kF32);
    EXPECT_EQ(read_config(saved, "saved").architecture.rope, architecture.rope);
    EXPECT_EQ(saved.at("rope_scaling").at("factor"), 8.0);
    EXPECT_EQ(saved.contains("rope_parameters"), config.contains("rope_parameters"));
    EXPECT_EQ(saved.contains("dtype"), config.contains("dtype"));
  }
}

}  // namespace
}  // namespace anneal::engine
