#include "kernels/core/json.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"

namespace anneal {
namespace {

std::string refusal(std::string_view text, std::string_view where = "f.json") {
  try {
    parse_json(text, where);
  } catch (const Error& error) {
    return error.what();
  }
  return "accepted";
}

TEST(Json, KeepsTheOrderOfKeys) {
  EXPECT_EQ(to_text(parse_json(R"({"z":1,"a":[1,2.5,"x"],"m":{"b":null}})", "f.json")),
            R"({"z":1,"a":[1,2.5,"x"],"m":{"b":null}})");
}

TEST(Json, RefusesAKeyThatStandsTwiceWithItsPlace) {
  EXPECT_EQ(refusal("{\"a\":1,\n \"a\":2}"), "f.json:2:5: key \"a\" stands twice. Correct it there.");
  EXPECT_NE(refusal(R"({"b":{"k":1,"k":1}})"), "accepted");
}

TEST(Json, RefusesADuplicateAmongManyKeys) {
  std::string text = "{";
  for (int i = 0; i < 100; ++i) text += "\"k" + std::to_string(i) + "\":1,";
  EXPECT_EQ(refusal(text + "\"x\":1}"), "accepted");
  EXPECT_NE(refusal(text + "\"k50\":1}"), "accepted");
  EXPECT_NE(refusal(text + "\"k99\":1}"), "accepted");
}

TEST(Json, NamesLineAndColumn) {
  EXPECT_TRUE(refusal("{\"prompt\":\"a\",}").starts_with("f.json:1:15: ")) << refusal("{\"prompt\":\"a\",}");
  EXPECT_TRUE(refusal("{\"a\":}", "d.jsonl:7").starts_with("d.jsonl:7:6: ")) << refusal("{\"a\":}", "d.jsonl:7");
  EXPECT_NE(refusal(""), "accepted");
  EXPECT_NE(refusal("{} {}"), "accepted");
  EXPECT_NE(refusal("\"\xFF\""), "accepted");
  EXPECT_NE(refusal("[1e999]"), "accepted");
}

TEST(Json, RefusesDeepNesting) { EXPECT_NE(refusal(std::string(100000, '[')), "accepted"); }

TEST(Json, RequireNamesWhatIsMissingOrWrong) {
  const Json config = parse_json(R"({"hidden_size":"64","layers":5,"x":null})", "config.json");
  EXPECT_EQ(require<int64_t>(config, "layers", "config.json"), 5);
  EXPECT_EQ(value_or<int64_t>(config, "x", 3, "config.json"), 3);
  EXPECT_THROW(require<int64_t>(config, "absent", "config.json"), Error);
  try {
    require<int64_t>(config, "hidden_size", "config.json");
    FAIL();
  } catch (const Error& error) {
    EXPECT_STREQ(error.what(), "config.json: \"hidden_size\" is \"64\", expected a whole number.");
  }
}

TEST(Json, NumbersReadBackExactly) {
  for (const double value : {0.1, 1e-300, 123456789.123456789, 5e-324}) {
    EXPECT_EQ(parse_json(to_text(Json(value)), "n").get<double>(), value);
  }
}

}  // namespace
}  // namespace anneal
