#include "kernels/core/fields.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

namespace anneal {
namespace {
enum class Paint { kRed, kBlue };
}  // namespace

template <>
struct ChoiceOf<Paint> {
  static constexpr Choice<Paint> list[] = {{Paint::kRed, "red"}, {Paint::kBlue, "blue"}};
};

namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;

struct WheelOptions {
  int64_t spokes = 12;
  std::optional<double> pressure = {};
};

struct CartOptions {
  bool is_open = true;
  double load = 0.5;
  std::string owner = {};
  std::string size = "small";
  Paint paint = Paint::kRed;
  std::vector<std::string> goods = {};
  std::vector<std::string> roads = {};
  std::map<std::string, std::string> labels = {};
  std::map<std::string, double> weights = {};
  WheelOptions wheel = {};
};

FieldList<CartOptions> cart_fields() {
  FieldList<WheelOptions> wheel;
  wheel.add({.name = "spokes", .help = "Spokes of each wheel.", .range = {.least = 1, .most = 64}},
            &WheelOptions::spokes);
  wheel.add({.name = "pressure", .help = "Of the tyres.", .range = {.above = 0}, .unset = "2 for light carts"},
            &WheelOptions::pressure);
  wheel.later({"use_brakes"});
  FieldList<CartOptions> fields;
  fields.add({.name = "is_open", .help = "Without a roof."}, &CartOptions::is_open);
  fields.add({.name = "load", .help = "Share of the most.", .range = {.least = 0, .below = 1}}, &CartOptions::load);
  fields.add({.name = "owner", .help = "Whose it is."}, &CartOptions::owner);
  fields.add({.name = "size", .help = "Of the bed.", .choices = {"small", "large"}}, &CartOptions::size);
  fields.add({.name = "paint", .help = "Colour.", .later_choices = {"green"}}, &CartOptions::paint);
  fields.add({.name = "goods", .help = "What is on it."}, &CartOptions::goods);
  fields.add({.name = "roads", .help = "Where it goes.", .is_path = true}, &CartOptions::roads);
  fields.add({.name = "labels", .help = "Names of parts."}, &CartOptions::labels);
  fields.add({.name = "weights", .help = "By part.", .range = {.above = 0}}, &CartOptions::weights);
  fields.include("Wheel", &CartOptions::wheel, wheel);
  return fields;
}

// The sentence that a text for a setting gives; "" if it was taken.
std::string refusal(const std::string& name, const std::string& text) {
  CartOptions cart;
  const auto problem = cart_fields().set_text(cart, name, text);
  return problem ? to_sentence(*problem) : "";
}

TEST(Fields, SetsEveryKindFromText) {
  const auto fields = cart_fields();
  CartOptions cart;
  for (const auto& [name, text] : std::vector<std::pair<std::string, std::string>>{{"is_open", "no"},
                                                                                   {"load", "2.5e-1"},
                                                                                   {"owner", "Ann, née Lee"},
                                                                                   {"size", "large"},
                                                                                   {"paint", "blue"},
                                                                                   {"goods", "hay, oats"},
                                                                                   {"roads", "to, market [1]"},
                                                                                   {"labels", "front=bow,back=stern"},
                                                                                   {"weights", "hay=1.5,oats=2"},
                                                                                   {"spokes", "1e1"},
                                                                                   {"pressure", "3"}}) {
    const auto problem = fields.set_text(cart, name, text);
    EXPECT_FALSE(problem.has_value()) << to_sentence(*problem);
  }
  EXPECT_FALSE(cart.is_open);
  EXPECT_EQ(cart.load, 0.25);
  EXPECT_EQ(cart.owner, "Ann, née Lee");
  EXPECT_EQ(cart.size, "large");
  EXPECT_EQ(cart.paint, Paint::kBlue);
  EXPECT_THAT(cart.goods, ElementsAre("hay", "oats"));
  EXPECT_THAT(cart.roads, ElementsAre("to, market [1]"));
  EXPECT_EQ(cart.labels.at("back"), "stern");
  EXPECT_EQ(cart.weights.at("hay"), 1.5);
  EXPECT_EQ(cart.wheel.spokes, 10);
  EXPECT_EQ(cart.wheel.pressure, 3.0);
  EXPECT_FALSE(fields.set_text(cart, "pressure", "").has_value());
  EXPECT_FALSE(cart.wheel.pressure.has_value());
}

TEST(Fields, RefusesWithASentence) {
  EXPECT_EQ(refusal("load", "much"), "load: \"much\" is not a number. Give a number, from 0, below 1.");
  EXPECT_EQ(refusal("load", "1"), "load: 1 is out of range. Give a number, from 0, below 1.");
  EXPECT_EQ(refusal("load", "nan"), "load: \"nan\" is not a number. Give a number, from 0, below 1.");
  EXPECT_EQ(refusal("spokes", "12.5"), "spokes: 12.5 is not a whole number. Give a whole number, from 1 to 64.");
  EXPECT_EQ(refusal("spokes", "0"), "spokes: 0 is out of range. Give a whole number, from 1 to 64.");
  EXPECT_EQ(refusal("pressure", "-1"), "pressure: -1 is out of range. Give a number, above 0.");
  EXPECT_EQ(refusal("is_open", "maybe"), "is_open: \"maybe\" is not true or false. Give true or false.");
  EXPECT_EQ(refusal("paint", "mauve"), "paint: \"mauve\" is not a choice. Use one of red, blue.");
  EXPECT_EQ(refusal("paint", "green"), "paint: \"green\" is not available in this version. Use one of red, blue.");
  EXPECT_EQ(refusal("goods", "[hay"), "");  // only a text that ends as it began is JSON
  EXPECT_EQ(refusal("goods", "[hay]"), "goods: \"[hay]\" is not a list of texts. Write a,b or [\"a\",\"b\"].");
  EXPECT_EQ(refusal("goods", "hay,,oats"), "goods: an entry is empty. Take it out or fill it in.");
  EXPECT_EQ(refusal("weights", "hay"),
            "weights: \"hay\" is not a list of names with numbers. Write a=1,b=2 or {\"a\":1,\"b\":2}.");
  EXPECT_EQ(refusal("weights", "hay=1,hay=2"),
            "weights: \"hay=1,hay=2\" is not a list of names with numbers. Write a=1,b=2 or {\"a\":1,\"b\":2}.");
  EXPECT_EQ(refusal("weights", "hay=0"), "weights: 0 is out of range. Give a list of names with numbers, above 0.");
  EXPECT_EQ(refusal("owner", std::string("a\0b", 3)),
            "owner: \"a\\x00b\" holds a zero byte or is not UTF-8. Write it as UTF-8.");
  EXPECT_EQ(refusal("roads", "caf\xE9"),
            "roads: \"caf\\xE9\" holds a zero byte or is not UTF-8. Rename the file or folder.");
}

TEST(Fields, RefusesUnknownNamesWithTheNearest) {
  EXPECT_EQ(refusal("spoke", "3"), "spoke: there is no such setting. Did you mean spokes?");
  EXPECT_EQ(refusal("zzzzzzzzz", "3"), "zzzzzzzzz: there is no such setting. Take it out; --help lists the settings.");
  EXPECT_EQ(refusal("use_brakes", "true"),
            "use_brakes: is not available in this version. Leave it out; there are spokes, pressure.");
  EXPECT_EQ(refusal("use_brake", "true"),
            "use_brake: there is no such setting. use_brakes is not available in this version. Leave it out.");
}

TEST(Fields, JsonReadsBackExactly) {
  const auto fields = cart_fields();
  CartOptions cart{.load = 0.1, .owner = "x", .goods = {"a"}, .weights = {{"a", 1e-300}}, .wheel = {.pressure = 2e-4}};
  const Json json = fields.to_json(cart);
  EXPECT_EQ(
      to_text(json),
      R"({"is_open":true,"load":0.1,"owner":"x","size":"small","paint":"red","goods":["a"],"roads":[],"labels":{},)"
      R"("weights":{"a":1e-300},"spokes":12,"pressure":0.0002})");
  CartOptions copy;
  EXPECT_TRUE(fields.from_json(parse_json(to_text(json), "cart"), copy).empty());
  EXPECT_EQ(fields.to_json(copy), json);
  EXPECT_THAT(fields.changed(copy), ElementsAre("load", "owner", "goods", "weights", "pressure"));
}

TEST(Fields, JsonTakesWhatOtherWritersMean) {
  const auto fields = cart_fields();
  CartOptions cart{.goods = {"old"}, .wheel = {.spokes = 3, .pressure = 1}};
  EXPECT_TRUE(
      fields.from_json(parse_json(R"({"spokes":24.0,"goods":"hay","pressure":null,"load":0})", "c"), cart).empty());
  EXPECT_EQ(cart.wheel.spokes, 24);
  EXPECT_THAT(cart.goods, ElementsAre("hay"));
  EXPECT_FALSE(cart.wheel.pressure.has_value());
  EXPECT_EQ(cart.load, 0.0);
  EXPECT_FALSE(fields.set(cart, "spokes", nullptr).has_value());  // null: the default
  EXPECT_EQ(cart.wheel.spokes, 12);
}

TEST(Fields, JsonReportsEverythingThatIsWrongAndSetsNoneOfIt) {
  const auto fields = cart_fields();
  CartOptions cart;
  const auto problems = fields.from_json(
      parse_json(R"({"spokes":"12","is_open":1,"load":[],"pressure":3,"weights":{"a":"b"},"colour":1,"spokes ":1,
                     "goods":[1],"labels":[]})",
                 "cart"),
      cart);
  std::vector<std::string> paths;
  for (const Problem& problem : problems) paths.push_back(problem.path);
  EXPECT_THAT(paths, ElementsAre("spokes", "is_open", "load", "weights", "colour", "spokes ", "goods", "labels"));
  EXPECT_EQ(to_sentence(problems[0]), "spokes: \"12\" is not a whole number. Give a whole number, from 1 to 64.");
  EXPECT_EQ(cart.wheel.spokes, 12);
  EXPECT_EQ(cart.wheel.pressure, 3.0);
  EXPECT_EQ(fields.from_json(Json::array(), cart).size(), 1u);
  EXPECT_EQ(to_sentence(*fields.set(cart, "spokes", uint64_t{1} << 63)),
            "spokes: 9223372036854775808 is not a whole number. Give a whole number, from 1 to 64.");
}

TEST(Fields, TextReadsBack) {
  const auto fields = cart_fields();
  CartOptions cart{.load = 1.0 / 3, .goods = {"a,b", "c"}, .roads = {"x", "y,z"}, .labels = {{"a", "b"}, {"c", "d"}}};
  CartOptions copy;
  for (const std::string& name : fields.names()) {
    EXPECT_FALSE(fields.set_text(copy, name, fields.text(cart, name)).has_value()) << name;
  }
  EXPECT_EQ(fields.to_json(copy), fields.to_json(cart));
  EXPECT_EQ(fields.text(cart, "load"), "0.3333333333333333");
  EXPECT_EQ(fields.text(cart, "labels"), "a=b,c=d");
  EXPECT_EQ(fields.text(cart, "goods"), R"(["a,b","c"])");
  EXPECT_EQ(fields.text(cart, "pressure"), "");
}

TEST(Fields, AFlagGivenSeveralTimesGrowsAList) {
  const auto fields = cart_fields();
  CartOptions cart;
  for (const char* road : {"a, b", "c"}) EXPECT_FALSE(fields.add_text(cart, "roads", road).has_value());
  EXPECT_THAT(cart.roads, ElementsAre("a, b", "c"));
  EXPECT_FALSE(fields.add_text(cart, "weights", "a=1").has_value());
  EXPECT_FALSE(fields.add_text(cart, "weights", "b=2").has_value());
  EXPECT_EQ(cart.weights.size(), 2u);
  EXPECT_FALSE(fields.add_text(cart, "spokes", "7").has_value());
  EXPECT_EQ(cart.wheel.spokes, 7);
}

TEST(Fields, ChecksOptionsThatCodeFilledIn) {
  CartOptions cart{.load = std::nan(""), .paint = static_cast<Paint>(9), .wheel = {.spokes = 0}};
  const auto problems = cart_fields().check(cart);
  ASSERT_EQ(problems.size(), 3u);
  EXPECT_EQ(problems[0].path, "load");
  EXPECT_EQ(problems[1].path, "paint");
  EXPECT_EQ(problems[2].path, "spokes");
}

TEST(Fields, AFormCanBeMadeWithoutTheType) {
  const auto list = cart_fields();
  const FieldTable& table = list;
  const Field* spokes = table.find("spokes");
  ASSERT_NE(spokes, nullptr);
  EXPECT_EQ(spokes->kind, FieldKind::kInteger);
  EXPECT_EQ(spokes->range.most, 64);
  EXPECT_EQ(spokes->default_value, 12);
  EXPECT_EQ(spokes->group, "Wheel");
  EXPECT_EQ(table.find_flag("--is-open")->name, "is_open");
  EXPECT_EQ(table.find_flag("is_open"), nullptr);
  EXPECT_THAT(table.find("paint")->choices, ElementsAre("red", "blue"));
  EXPECT_EQ(table.find("size")->kind, FieldKind::kChoice);
}

TEST(Fields, HelpNamesFlagRangeAndDefault) {
  const std::string help = cart_fields().help_text(60);
  EXPECT_THAT(help, HasSubstr("  --spokes N\n      Spokes of each wheel. (from 1 to 64; default: 12)\n"));
  EXPECT_THAT(help, HasSubstr("\nWheel:\n"));
  EXPECT_THAT(help, HasSubstr("  --pressure X\n      Of the tyres. (above 0; default: 2 for light carts)\n"));
  EXPECT_THAT(help, HasSubstr("  --paint red|blue\n"));
  for (std::size_t at = 0; at < help.size();) {
    const std::size_t end = help.find('\n', at);
    EXPECT_LE(end - at, 60u);
    at = end + 1;
  }
}

}  // namespace
}  // namespace anneal
