// from_data: what keeps a control token's name that somebody typed from becoming that token.

#include <gmock/gmock.h>

#include "tests/datasets/templates/template_support.h"

namespace anneal::datasets {
namespace {

using ::testing::ElementsAre;
using ::testing::IsEmpty;
using tests::parts_of;
using tests::render;

const Json kContext = {
    {"x", "<|im_end|>"},
    {"y", "data"},
    {"bos_token", "<s>"},
    {"n", 12},
    {"list", {"a", "b"}},
    {"messages", {{{"role", "user"}, {"content", "hi"}}, {{"role", "odd role"}, {"content", "yo"}}}}};

std::vector<std::string> data_parts(const std::string& source) {
  const Rendering rendering = render(source, kContext);
  return parts_of(rendering.text, rendering.from_data);
}

TEST(ChatTemplateOrigin, LiteralsAndSpecialTokensAreTheTemplates) {
  EXPECT_THAT(data_parts("{{ bos_token }}<|im_start|>{{ '<|im_end|>' }}{{ n }}{{ true }}{{ none }}"), IsEmpty());
  EXPECT_THAT(data_parts("{{ bos_token }}{{ x }}<|im_end|>"), ElementsAre("<|im_end|>"));
}

TEST(ChatTemplateOrigin, FollowsJoiningAndCutting) {
  EXPECT_THAT(data_parts("{{ '[' + x + ']' }}{{ '(' ~ y ~ ')' }}"), ElementsAre("<|im_end|>", "data"));
  EXPECT_THAT(data_parts("{{ ('ab' + y + 'cd')[1:5] }}"), ElementsAre("dat"));
  EXPECT_THAT(data_parts("{{ ('ab' + y + 'cd')[::-1] }}"), ElementsAre("atad"));
  EXPECT_THAT(data_parts("{{ ('  ' + y + '  ').strip() }}|{{ (' ' + y)|trim }}"), ElementsAre("data", "data"));
  EXPECT_THAT(data_parts("{% for p in ('a,' + y + ',b').split(',') %}[{{ p }}]{% endfor %}"), ElementsAre("data"));
  EXPECT_THAT(data_parts("{{ ['l', y, 'r']|join('-') }}{{ '+'.join([y, 'z']) }}"), ElementsAre("data", "data"));
  EXPECT_THAT(data_parts("{{ y * 2 }}{{ '.' * 3 }}"), ElementsAre("datadata"));
}

TEST(ChatTemplateOrigin, FollowsReplacingAndFormatting) {
  EXPECT_THAT(data_parts("{{ 'a-b'.replace('-', y) }}"), ElementsAre("data"));
  EXPECT_THAT(data_parts("{{ y.replace('t', 'TTT') }}"), ElementsAre("da", "a"));
  EXPECT_THAT(data_parts("{{ '<%s>' % y }}{{ '%5d' % n }}{{ '<{}>'.format(y) }}{{ '%s|%s'|format(y, 'z') }}"),
              ElementsAre("data", "data", "data"));
  EXPECT_THAT(data_parts("{{ ('<' + y + '>')|e }}"), ElementsAre("data"));
  EXPECT_THAT(data_parts("{{ ('x' + y)|indent(2, true) }}"), ElementsAre("data"));
}

TEST(ChatTemplateOrigin, FollowsLettersThroughTheirCase) {
  EXPECT_THAT(data_parts("{{ ('ab' + y + 'cd')|upper }}{{ ('x ' + y)|title }}"), ElementsAre("DATA", "Data"));
}

TEST(ChatTemplateOrigin, FollowsCapturedTexts) {
  EXPECT_THAT(data_parts("{% macro m(v) %}<{{ v }}>{% endmacro %}{{ m(y) }}{{ m('z') }}"), ElementsAre("data"));
  EXPECT_THAT(data_parts("{% set s %}[{{ y }}]{% endset %}{{ s }}"), ElementsAre("data"));
  EXPECT_THAT(
      data_parts(
          "{% set n = namespace(s='') %}{% for v in list %}{% set n.s = n.s + '<' + v + '>' %}{% endfor %}{{ n.s }}"),
      ElementsAre("a", "b"));
  EXPECT_THAT(data_parts("{% filter upper %}a{{ y }}b{% endfilter %}"), ElementsAre("DATA"));
}

TEST(ChatTemplateOrigin, WhatCannotBeFollowedIsDataAsAWhole) {
  EXPECT_THAT(data_parts("{{ {'k': y}|tojson }}"), ElementsAre("{\"k\": \"data\"}"));
  EXPECT_THAT(data_parts("{{ list }}{{ ['t']|string }}"), ElementsAre("['a', 'b']"));
  EXPECT_THAT(data_parts("{{ {'k': 'v'}|tojson }}"), IsEmpty());
}

// <|user|> is a control token that a template makes of a literal and a role.
TEST(ChatTemplateOrigin, ARoleOfOnePlainWordIsTheTemplates) {
  const Rendering rendering = render("{% for m in messages %}<|{{ m['role'] }}|>{{ m.content }}{% endfor %}", kContext);
  EXPECT_EQ(rendering.text, "<|user|>hi<|odd role|>yo");
  EXPECT_THAT(parts_of(rendering.text, rendering.from_data), ElementsAre("hi", "odd role", "yo"));
}

TEST(ChatTemplateOrigin, VariablesMayBeNamedAsTheTemplates) {
  RenderOptions options;
  options.template_variables = {"y"};
  const Rendering rendering = render("{{ y }}{{ bos_token }}", kContext, options);
  EXPECT_THAT(parts_of(rendering.text, rendering.from_data), ElementsAre("<s>"));
}

TEST(ChatTemplateOrigin, GenerationBlocksKeepTheirPlaceInCapturedTexts) {
  const Rendering rendering =
      render("a{% set s %}b{% generation %}é{{ y }}{% endgeneration %}c{% endset %}{{ s }}{{ s[1:3] }}", kContext);
  EXPECT_EQ(rendering.text, "abédatacéd");
  EXPECT_TRUE(rendering.has_generation_blocks);
  EXPECT_THAT(parts_of(rendering.text, rendering.generated), ElementsAre("édata", "éd"));
}

}  // namespace
}  // namespace anneal::datasets
