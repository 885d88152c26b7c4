#include "datasets/templates/chat_template_files.h"

#include <gmock/gmock.h>

#include "tests/datasets/templates/template_support.h"
#include "tests/support/shared_data.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets {
namespace {

using ::testing::HasSubstr;

std::string rendered(const std::optional<ChatTemplateFiles>& files) {
  return files ? files->chat_template.render(Json::object()).text : "none";
}

template <class Call>
std::string error_of_call(Call&& call) {
  try {
    call();
  } catch (const Error& error) {
    return error.what();
  }
  return {};
}

TEST(ChatTemplateFiles, AFolderWithoutTemplateIsNoError) {
  const anneal::tests::TemporaryFolder folder;
  EXPECT_FALSE(load_chat_template(folder.path().string()).has_value());
  folder.write("tokenizer_config.json", R"({"chat_template": null, "bos_token": "<s>"})");
  EXPECT_FALSE(load_chat_template(folder.path().string()).has_value());
  EXPECT_EQ(load_special_tokens(folder.path().string()), (Json{{"bos_token", "<s>"}}));
}

// B12: a folder having only the .jinja must load, and that file is preferred.
TEST(ChatTemplateFiles, CaseB12PrefersTheJinjaFile) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("tokenizer_config.json", R"({"chat_template": "from config"})");
  EXPECT_EQ(rendered(load_chat_template(folder.path().string())), "from config");
  folder.write("chat_template.jinja", "from jinja\n");
  EXPECT_EQ(rendered(load_chat_template(folder.path().string())), "from jinja");
  const anneal::tests::TemporaryFolder only_jinja;
  only_jinja.write("chat_template.jinja", "alone");
  EXPECT_EQ(rendered(load_chat_template(only_jinja.path().string())), "alone");
}

TEST(ChatTemplateFiles, ReadsTheFileOfProcessors) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("chat_template.json", R"({"chat_template": "processor"})");
  EXPECT_EQ(rendered(load_chat_template(folder.path().string())), "processor");
}

TEST(ChatTemplateFiles, PicksByNameWhenThereAreSeveral) {
  const anneal::tests::TemporaryFolder folder;
  folder.write(
      "tokenizer_config.json",
      R"({"chat_template": [{"name": "default", "template": "plain"}, {"name": "tool_use", "template": "tools"}]})");
  EXPECT_EQ(rendered(load_chat_template(folder.path().string())), "plain");
  EXPECT_EQ(rendered(load_chat_template(folder.path().string(), true)), "tools");
  folder.write("tokenizer_config.json", R"({"chat_template": [{"name": "rag", "template": "x"}]})");
  EXPECT_THAT(error_of_call([&] { load_chat_template(folder.path().string()); }),
              HasSubstr("the chat templates rag, but none"));

  const anneal::tests::TemporaryFolder files;
  files.write("chat_template.jinja", "plain");
  files.write("additional_chat_templates/tool_use.jinja", "tools");
  EXPECT_EQ(rendered(load_chat_template(files.path().string())), "plain");
  EXPECT_EQ(rendered(load_chat_template(files.path().string(), true)), "tools");
}

TEST(ChatTemplateFiles, SpecialTokensStandAsTextsOrObjects) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("tokenizer_config.json", R"({"bos_token": {"content": "<s>", "lstrip": false}, "eos_token": "</s>",
      "pad_token": null, "add_bos_token": true, "image_token": "<img>", "model_max_length": 10})");
  folder.write("special_tokens_map.json",
               R"({"eos_token": "<other>", "unk_token": {"content": "<unk>"}, "pad_token": "<p>"})");
  EXPECT_EQ(load_special_tokens(folder.path().string()),
            (Json{{"bos_token", "<s>"}, {"eos_token", "</s>"}, {"image_token", "<img>"}, {"unk_token", "<unk>"}}));
}

TEST(ChatTemplateFiles, ErrorsNameFileAndLine) {
  const anneal::tests::TemporaryFolder folder;
  folder.write("tokenizer_config.json", R"({"chat_template": "a\n{% if %}"})");
  EXPECT_THAT(error_of_call([&] { load_chat_template(folder.path().string()); }),
              HasSubstr("tokenizer_config.json, chat_template:2: "));
  folder.write("tokenizer_config.json", R"({"chat_template": 5})");
  EXPECT_THAT(error_of_call([&] { load_chat_template(folder.path().string()); }),
              HasSubstr("neither a text nor a list"));
  folder.write("chat_template.jinja", "a\xFF");
  EXPECT_THAT(error_of_call([&] { load_chat_template(folder.path().string()); }), HasSubstr("byte 2 is no UTF-8"));
}

TEST(ChatTemplateFiles, LoadsARealModelsTemplate) {
  ANNEAL_NEEDS_SHARED_DATA("tokenizers/qwen3/tokenizer_config.json");
  const auto files = load_chat_template((anneal::tests::shared_data() / "tokenizers/qwen3").string());
  ASSERT_TRUE(files.has_value());
  EXPECT_EQ(files->special_tokens["eos_token"], "<|im_end|>");
  EXPECT_FALSE(files->special_tokens.contains("bos_token"));
  const Json context = {{"messages", {{{"role", "user"}, {"content", "Hi"}}}}, {"add_generation_prompt", true}};
  EXPECT_EQ(files->chat_template.render(context).text, "<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n");
}

}  // namespace
}  // namespace anneal::datasets
