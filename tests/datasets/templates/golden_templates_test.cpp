// Every rendering must be the one that Python's jinja2 makes, byte for byte.

#include <gmock/gmock.h>

#include "tests/datasets/templates/template_support.h"
#include "tests/support/shared_data.h"

namespace anneal::datasets {
namespace {

using tests::golden_options;
using tests::read_lines;

// What the template gives, or "refused".
std::string outcome(const std::string& source, const Json& context, std::vector<Span>* generated = nullptr) {
  try {
    Rendering rendering = ChatTemplate::parse(source, "golden").render(context, golden_options());
    if (generated != nullptr) *generated = rendering.generated;
    return rendering.text;
  } catch (const Error& error) {
    EXPECT_EQ(error.kind(), ErrorKind::kInput) << error.what();
    return "refused";
  }
}

TEST(GoldenTemplates, CaseB09FeaturesRenderAsInJinja2) {
  ANNEAL_NEEDS_SHARED_DATA("golden/jinja_features.jsonl");
  const std::vector<Json> rows = read_lines((anneal::tests::shared_data() / "golden/jinja_features.jsonl").string());
  ASSERT_EQ(rows.size(), 157u);
  for (const Json& row : rows) {
    const std::string expected = row.contains("refuses") ? "refused" : row["expected"].get<std::string>();
    EXPECT_EQ(outcome(row["template"], row["context"]), expected) << row["name"];
  }
}

TEST(GoldenTemplates, CaseB09RealChatTemplatesRenderAsInJinja2) {
  ANNEAL_NEEDS_SHARED_DATA("golden/chat_templates.jsonl");
  const std::vector<Json> rows = read_lines((anneal::tests::shared_data() / "golden/chat_templates.jsonl").string());
  ASSERT_EQ(rows.size(), 12u);
  for (const Json& row : rows) {
    EXPECT_EQ(outcome(row["chat_template"], row["data"]), row["target"].get<std::string>()) << row["name"];
  }
}

// See tests/fixtures/templates/make_language_cases.py.
TEST(GoldenTemplates, CaseB09LanguageCasesRenderAsInJinja2) {
  const std::string folder = std::string(ANNEAL_FIXTURES) + "/templates/";
  const Json contexts = read_json_file(folder + "language_contexts.json");
  const std::vector<Json> rows = read_lines(folder + "language_cases.jsonl");
  ASSERT_GT(rows.size(), 100u);
  for (const Json& row : rows) {
    std::vector<Span> generated;
    const std::string source = row["template"];
    const std::string given = outcome(source, contexts[row["context"].get<std::string>()], &generated);
    if (row.contains("refuses")) {
      EXPECT_EQ(given, "refused") << source;
      continue;
    }
    EXPECT_EQ(given, row["expected"].get<std::string>()) << source;
    if (!row.contains("generated")) continue;
    Json spans = Json::array();
    for (const Span& span : generated) spans.push_back({span.begin, span.end});
    EXPECT_EQ(spans, row["generated"]) << source;
  }
}

}  // namespace
}  // namespace anneal::datasets
