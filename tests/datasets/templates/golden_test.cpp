// Templates of the shared data against what Python's jinja2 gives, and what is learned of a conversation.

#include <gtest/gtest.h>

#include <fstream>

#include "datasets/templates/chat_template.h"
#include "datasets/templates/conversation_rendering.h"
#include "kernels/core/error.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets {
namespace {

std::vector<Json> lines_of(const std::string& name) {
  std::ifstream file(tests::shared_data() / "golden" / name);
  std::vector<Json> lines;
  for (std::string line; std::getline(file, line);) lines.push_back(parse_json(line, name));
  return lines;
}

RenderOptions at_noon() {
  using namespace std::chrono;
  RenderOptions options;
  options.now = local_time<microseconds>(local_days(year(2025) / July / 10)) + hours(12);
  return options;
}

TEST(TemplateGolden, EveryFeatureRendersAsJinja2OrIsRefusedAsThere) {
  ANNEAL_NEEDS_SHARED_DATA("golden/jinja_features.jsonl");
  int seen = 0;
  for (const Json& item : lines_of("jinja_features.jsonl")) {
    ++seen;
    const auto name = item.at("name").get<std::string>();
    try {
      const std::string text = ChatTemplate::parse(item.at("template").get<std::string>(), name).render(item.at("context"), at_noon()).text;
      if (item.contains("expected")) {
        EXPECT_EQ(text, item.at("expected").get<std::string>()) << name;
      } else {
        ADD_FAILURE() << name << " is refused by jinja2, here it gives: " << text;
      }
    } catch (const Error& error) {
      if (item.contains("expected")) ADD_FAILURE() << name << ": " << error.what();
    }
  }
  EXPECT_EQ(seen, 157);
}

TEST(TemplateGolden, EveryRealTemplateRendersExactly) {
  ANNEAL_NEEDS_SHARED_DATA("golden/chat_templates.jsonl");
  int seen = 0;
  for (const Json& item : lines_of("chat_templates.jsonl")) {
    ++seen;
    const auto name = item.at("name").get<std::string>();
    EXPECT_EQ(ChatTemplate::parse(item.at("chat_template").get<std::string>(), name).render(item.at("data"), at_noon()).text, item.at("target").get<std::string>()) << name;
  }
  EXPECT_EQ(seen, 12);
}

// What is learned, between « and ».
std::string marked(const std::string& source, const std::string& messages, TrainOn train_on = TrainOn::kAnswers) {
  const Json none;
  const Json list = parse_json(messages, "messages");
  const auto rendering = render_conversation(ChatTemplate::parse(source, "t"), {.messages = list, .tools = none, .variables = none, .special_tokens = none}, train_on);
  std::string text;
  std::size_t at = 0;
  for (const Span& span : rendering.learn) {
    text += rendering.text.substr(at, span.begin - at) + "«" + rendering.text.substr(span.begin, span.end - span.begin) + "»";
    at = span.end;
  }
  return text + rendering.text.substr(at);
}

constexpr const char* kChatMl =
    "{% for message in messages %}{{ '<|im_start|>' + message['role'] + '\\n' + message['content'] + '<|im_end|>' + '\\n' }}{% endfor %}"
    "{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}";

TEST(ConversationMask, AnswersAreLearnedThroughTheirEndTokenAndNothingElseIs) {
  const char* messages = R"([{"role":"user","content":"a"},{"role":"assistant","content":"b"},{"role":"user","content":"b"},{"role":"assistant","content":"c"}])";
  EXPECT_EQ(marked(kChatMl, messages),
            "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\n«b<|im_end|>»\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\n«c<|im_end|>»\n");
  EXPECT_EQ(marked(kChatMl, messages, TrainOn::kLastAnswer),
            "<|im_start|>user\na<|im_end|>\n<|im_start|>assistant\nb<|im_end|>\n<|im_start|>user\nb<|im_end|>\n<|im_start|>assistant\n«c<|im_end|>»\n");
}

TEST(ConversationMask, GenerationBlocksSayWhatIsLearned) {
  EXPECT_EQ(marked("{% for m in messages %}{% if m.role == 'assistant' %}A:{% generation %}{{ m.content }}.{% endgeneration %}|{% else %}U:{{ m.content }}|{% endif %}{% endfor %}",
                   R"([{"role":"user","content":"x"},{"role":"assistant","content":"y"}])"),
            "U:x|A:«y.»|");
}

// B08: a template that drops thinking from earlier answers: no byte of the person's is ever learned.
TEST(ConversationMask, CaseB08EarlierTurnsThatAreRewrittenTeachNothingOfTheUsers) {
  const char* source =
      "{% for m in messages %}{% if m.role == 'assistant' %}<a>{% if loop.last %}<think>{{ m.thinking }}</think>{% endif %}{{ m.content }}</a>"
      "{% else %}<u>{{ m.content }}</u>{% endif %}{% endfor %}{% if add_generation_prompt %}<a>{% endif %}";
  const std::string text = marked(source, R"([{"role":"user","content":"x"},{"role":"assistant","content":"y","thinking":"t"},{"role":"user","content":"z"},{"role":"assistant","content":"w","thinking":"s"}])");
  EXPECT_EQ(text, "<u>x</u><a>«y</a>»<u>z</u><a>«<think>s</think>w</a>»");
}

// B01: the template's own refusal is reported with its text.
TEST(ConversationMask, CaseB01ATemplatesRefusalIsReported) {
  const char* source = "{% for m in messages %}{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}{{ raise_exception('roles must alternate') }}{% endif %}{{ m.content }}{% endfor %}";
  try {
    marked(source, R"([{"role":"user","content":"x"},{"role":"user","content":"y"}])");
    FAIL();
  } catch (const Error& error) {
    EXPECT_NE(std::string(error.what()).find("roles must alternate"), std::string::npos) << error.what();
  }
}

// B02: no answer, nothing to learn.
TEST(ConversationMask, CaseB02WithoutAnAnswerNothingIsLearned) {
  EXPECT_EQ(marked(kChatMl, R"([{"role":"user","content":"a"}])"), "<|im_start|>user\na<|im_end|>\n");
}

}  // namespace
}  // namespace anneal::datasets
