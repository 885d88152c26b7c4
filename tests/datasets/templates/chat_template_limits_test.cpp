// Hostile templates end with a sentence, soon and in little memory.

#include <gmock/gmock.h>

#include "tests/datasets/templates/template_support.h"

namespace anneal::datasets {
namespace {

using ::testing::HasSubstr;
using tests::error_of;

std::string repeated(const std::string& part, int times) {
  std::string text;
  for (int i = 0; i < times; ++i) text += part;
  return text;
}

RenderOptions small_limits() {
  RenderOptions options;
  options.limits = {.steps = 200'000, .depth = 50, .output_bytes = 1 << 20, .memory_bytes = 8 << 20};
  return options;
}

TEST(ChatTemplateLimits, LoopsWithinLoopsTakeTooManySteps) {
  EXPECT_THAT(error_of("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", Json::object(),
                       small_limits()),
              HasSubstr("more than 200000 steps"));
}

TEST(ChatTemplateLimits, RangesAreAsShortAsInTheSandbox) {
  EXPECT_THAT(error_of("{% for i in range(10**9) %}{% endfor %}"), HasSubstr("range() is longer than 100000"));
  EXPECT_THAT(error_of("{{ range(0, 10**30, 1)|length }}"), HasSubstr("longer than 100000"));
}

TEST(ChatTemplateLimits, TextsThatDoubleAreStopped) {
  const std::string source =
      "{% set n = namespace(s='xxxxxxxx') %}{% for i in range(64) %}{% set n.s = n.s ~ n.s %}{% endfor %}";
  EXPECT_THAT(error_of(source, Json::object(), small_limits()), HasSubstr("a text of more than 1048576 bytes"));
  EXPECT_THAT(error_of("{{ 'x' * 10**12 }}", Json::object(), small_limits()), HasSubstr("a text of more than"));
  EXPECT_THAT(error_of("{{ '%1000000000s' % 1 }}", Json::object(), small_limits()), HasSubstr("a text of more than"));
  EXPECT_THAT(error_of("{{ '{:>999999999}'.format(1) }}", Json::object(), small_limits()),
              HasSubstr("a text of more than"));
  EXPECT_THAT(error_of("{{ 'x'.center(10**12) }}", Json::object(), small_limits()), HasSubstr("a text of more than"));
}

TEST(ChatTemplateLimits, ListsThatDoubleAreStopped) {
  const std::string source =
      "{% set n = namespace(l=[1]) %}{% for i in range(64) %}{% set n.l = n.l + n.l %}{% endfor %}";
  EXPECT_THAT(error_of(source, Json::object(), small_limits()), HasSubstr("bytes of values"));
  EXPECT_THAT(error_of("{{ ([1] * 10**12)|length }}", Json::object(), small_limits()), HasSubstr("bytes of values"));
}

// The list is small, but its text doubles with every level.
TEST(ChatTemplateLimits, PrintingWhatSharesPartsIsStopped) {
  const std::string grow =
      "{% set n = namespace(l=['xxxxxxxxxxxxxxxx']) %}{% for i in range(60) %}{% set n.l = [n.l, n.l] %}{% endfor %}";
  for (const char* use : {"{{ n.l }}", "{{ n.l|tojson }}", "{{ n.l|string }}", "{{ (n.l, 1) in {(n.l, 2): 3} }}"}) {
    EXPECT_NE(error_of(grow + use, Json::object(), small_limits()), "") << use;
  }
  const std::string compare = grow +
                              "{% set m = namespace(l=['xxxxxxxxxxxxxxxx']) %}{% for i in range(60) %}{% set m.l = "
                              "[m.l, m.l] %}{% endfor %}{{ n.l == m.l }}";
  EXPECT_THAT(error_of(compare, Json::object(), small_limits()), HasSubstr("steps"));
}

TEST(ChatTemplateLimits, MacrosAndRecursiveLoopsHaveADepth) {
  EXPECT_THAT(error_of("{% macro f() %}{{ f() }}{% endmacro %}{{ f() }}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{% for i in [1] recursive %}{{ loop([1]) }}{% endfor %}"), HasSubstr("too deeply"));
  EXPECT_THAT(error_of("{% macro f(x) %}{{ f(f(x)) }}{% endmacro %}{{ f(1) }}"), HasSubstr("too deeply"));
}

TEST(ChatTemplateLimits, DeepValuesAreRefused) {
  const std::string source =
      "{% set n = namespace(l=[]) %}{% for i in range(99999) %}{% set n.l = [n.l] %}{% endfor %}";
  EXPECT_THAT(error_of(source), HasSubstr("lists or dicts lie within each other"));
  const std::string waiting =
      "{% set n = namespace(l=[1]) %}{% for i in range(99999) %}{% set n.l = n.l|map('string') %}{% endfor %}{{ "
      "n.l|list }}";
  EXPECT_THAT(error_of(waiting), HasSubstr("read through each other"));
}

TEST(ChatTemplateLimits, NamespacesThatHoldThemselvesAreFreedAndNotPrinted) {
  EXPECT_EQ(tests::text_of("{% set n = namespace() %}{% set n.me = [n] %}{{ n.me|length }}"), "1");
  EXPECT_THAT(error_of("{% set n = namespace() %}{% set n.me = n %}{{ n }}"), HasSubstr("too deep"));
  EXPECT_EQ(tests::text_of("{% for i in [1] %}{{ loop.changed(loop) }}{% endfor %}"), "True");
}

TEST(ChatTemplateLimits, DeepSourcesAreRefused) {
  EXPECT_NE(error_of("{{ " + repeated("(", 20000) + "1" + repeated(")", 20000) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("[", 20000) + repeated("]", 20000) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("not ", 20000) + "1 }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("-", 20000) + "1 }}"), "");
  EXPECT_NE(error_of("{{ 1" + repeated(" + 1", 20000) + " }}"), "");
  EXPECT_NE(error_of("{{ a" + repeated(".a", 20000) + " }}"), "");
  EXPECT_NE(error_of("{{ a" + repeated("|upper", 20000) + " }}"), "");
  EXPECT_NE(error_of("{{ " + repeated("1 if 1 else ", 20000) + "1 }}"), "");
  EXPECT_NE(error_of(repeated("{% if 1 %}", 20000) + repeated("{% endif %}", 20000)), "");
  EXPECT_EQ(error_of("{{ " + repeated("(", 100) + "1" + repeated(")", 100) + " }}"), "");
  EXPECT_EQ(error_of("{% if 0 %}a" + repeated("{% elif 0 %}b", 2000) + "{% endif %}"), "");
}

TEST(ChatTemplateLimits, LargeSourcesAreRefused) {
  EXPECT_THAT(error_of(std::string(600 << 10, 'x')), HasSubstr("bytes, more than"));
  std::string names;
  for (int i = 0; i < 1200; ++i) names += "{{ n" + std::to_string(i) + " }}";
  EXPECT_THAT(error_of(names), HasSubstr("more than 1000 names"));
}

// Whatever the texts are, searching them takes a time that grows with their length alone.
TEST(ChatTemplateLimits, SearchesAreLinear) {
  const Json context = {{"a", std::string(400'000, 'a')}, {"b", std::string(200'000, 'a') + "b"}};
  EXPECT_EQ(
      tests::text_of("{{ b in a }}{{ a.count(b) }}{{ a.find(b) }}{{ a.replace(b, '')|length }}{{ a.split(b)|length }}",
                     context),
      "False0-14000001");
}

TEST(ChatTemplateLimits, BrokenUtf8IsCarriedThrough) {
  const Json context = {{"s", "a\xFFz\xE4\xB8"}};
  EXPECT_EQ(tests::text_of("{{ s }}|{{ s|length }}|{{ s[::-1] }}", context),
            "a\xFFz\xE4\xB8|5|\xB8\xE4z\xFF"
            "a");
}

}  // namespace
}  // namespace anneal::datasets
