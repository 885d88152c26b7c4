#include <gmock/gmock.h>

#include <thread>

#include "tests/datasets/templates/template_support.h"

namespace anneal::datasets {
namespace {

using ::testing::HasSubstr;
using tests::error_of;
using tests::text_of;

TEST(ChatTemplate, IsParsedOnceAndRenderedOften) {
  const ChatTemplate chat_template =
      ChatTemplate::parse("{% for m in messages %}{{ m.role }}:{{ m.content }};{% endfor %}", "t");
  const Json one = {{"messages", {{{"role", "user"}, {"content", "a"}}}}};
  const Json two = {{"messages", {{{"role", "user"}, {"content", "b"}}, {{"role", "assistant"}, {"content", "c"}}}}};
  EXPECT_EQ(chat_template.render(one).text, "user:a;");
  EXPECT_EQ(chat_template.render(two).text, "user:b;assistant:c;");
  EXPECT_EQ(chat_template.render(one).text, "user:a;");
}

TEST(ChatTemplate, MayBeRenderedByManyThreads) {
  const ChatTemplate chat_template = ChatTemplate::parse(
      "{% macro m(x) %}<{{ x|upper }}>{% endmacro %}{% for i in range(50) %}{{ m('literal' ~ i) }}{{ who }}{% endfor "
      "%}",
      "t");
  std::vector<std::string> texts(4);
  std::vector<std::thread> threads;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    threads.emplace_back([&, i] {
      for (int round = 0; round < 20; ++round) texts[i] = chat_template.render({{"who", std::to_string(i)}}).text;
    });
  }
  for (std::thread& thread : threads) thread.join();
  for (std::size_t i = 0; i < texts.size(); ++i) {
    EXPECT_THAT(texts[i], HasSubstr("<LITERAL49>" + std::to_string(i))) << i;
  }
}

TEST(ChatTemplate, KnowsWhatItReads) {
  const ChatTemplate chat_template =
      ChatTemplate::parse("{% if tools is defined %}{{ tools|length }}{% endif %}{{ 'enable_thinking' }}", "t");
  EXPECT_TRUE(chat_template.reads("tools"));
  EXPECT_FALSE(chat_template.reads("enable_thinking"));
  EXPECT_FALSE(chat_template.has_generation_blocks());
  EXPECT_TRUE(
      ChatTemplate::parse("{% if false %}{% generation %}{% endgeneration %}{% endif %}", "t").has_generation_blocks());
}

TEST(ChatTemplate, NamesTheLineOfASyntaxError) {
  EXPECT_THAT(error_of("a\nb\n{% if x %}\n{{ y"), HasSubstr("t.jinja:4: expected '}}', got the end of the template."));
  EXPECT_THAT(error_of("{% if x %}\n\n{% endfor %}"), HasSubstr("t.jinja:3: the tag 'endfor' has nothing to end"));
  EXPECT_THAT(error_of("\n{{ 'a'|nothing }}"), HasSubstr("t.jinja:2: no filter named 'nothing'."));
  EXPECT_THAT(error_of("{# never\nended"), HasSubstr("t.jinja:1: a comment has no end"));
}

TEST(ChatTemplate, NamesTheLineOfARefusal) {
  EXPECT_THAT(
      error_of("a\n{% for m in messages %}\n{{ m.content + 1 }}\n{% endfor %}", {{"messages", {{{"content", "x"}}}}}),
      HasSubstr("t.jinja:3: can only concatenate str (not \"int\") to str."));
  EXPECT_THAT(error_of("{{ a.b.c }}", {{"a", Json::object()}}), HasSubstr("'dict object' has no attribute 'b'"));
  EXPECT_THAT(error_of("\n\n{{ nothing.x }}"), HasSubstr("t.jinja:3: 'nothing' is undefined."));
}

// B01: rows whose roles do not alternate, and a template that insists on it.
TEST(ChatTemplate, CaseB01ReportsTheTemplatesOwnRefusalWithItsText) {
  const std::string source =
      "{% for m in messages %}\n{% if (m.role == 'user') != (loop.index0 % 2 == 0) %}\n"
      "{{ raise_exception('Conversation roles must alternate user/assistant/user/assistant/...') }}\n{% endif %}\n{% "
      "endfor %}";
  const auto rows = [](std::vector<std::string> roles) {
    Json messages = Json::array();
    for (const std::string& role : roles) messages.push_back({{"role", role}, {"content", "x"}});
    return Json{{"messages", messages}};
  };
  const std::string expected =
      "t.jinja:3: the chat template refuses: Conversation roles must alternate user/assistant/user/assistant/.... "
      "Change the conversation or the template.";
  EXPECT_EQ(error_of(source, rows({"user", "assistant", "user", "user"})), expected);
  EXPECT_EQ(error_of(source, rows({"user", "assistant", "assistant"})), expected);
  EXPECT_EQ(error_of(source, rows({"user", "assistant", "user"})), "");
}

TEST(ChatTemplate, RefusesWhatReachesOtherFiles) {
  for (const char* source : {"{% include 'x' %}", "{% import 'x' as y %}", "{% from 'x' import y %}",
                             "{% extends 'x' %}", "{% block b %}{% endblock %}"}) {
    EXPECT_THAT(error_of(source), HasSubstr("several files")) << source;
  }
}

TEST(ChatTemplate, KeepsTheSandbox) {
  EXPECT_THAT(error_of("{{ [1].append(2) }}"), HasSubstr("access to attribute 'append' of 'list' object is unsafe"));
  EXPECT_THAT(error_of("{{ d.pop('a') }}", {{"d", {{"a", 1}}}}), HasSubstr("unsafe"));
  EXPECT_THAT(error_of("{{ ''.__class__() }}"), HasSubstr("unsafe"));
  EXPECT_EQ(text_of("[{{ ''.__class__ }}{{ [].append }}]"), "[]");
}

TEST(ChatTemplate, ReadsTheGivenClockOnly) {
  EXPECT_EQ(tests::render("{{ strftime_now('%d %b %Y %H:%M:%S') }}", Json::object(), tests::golden_options()).text,
            "10 Jul 2025 12:00:00");
}

TEST(ChatTemplate, PrintsNumbersBeyond64Bits) {
  const Json context = {{"n", std::numeric_limits<uint64_t>::max()}};
  EXPECT_EQ(text_of("{{ n }} {{ n + 1 }} {{ n|tojson }}", context),
            "18446744073709551615 18446744073709551616 18446744073709551615");
  EXPECT_THAT(error_of("{{ 2 ** 200 }}"), HasSubstr("too large"));
}

TEST(ChatTemplate, RefusesAContextThatIsNoObject) {
  EXPECT_THAT(error_of("x", Json::array()), HasSubstr("the context is no JSON object"));
}

}  // namespace
}  // namespace anneal::datasets
