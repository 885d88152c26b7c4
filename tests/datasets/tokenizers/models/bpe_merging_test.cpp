#include "datasets/tokenizers/models/bpe_merging.h"

#include <gtest/gtest.h>

#include <random>

#include "tests/datasets/tokenizers/tiny_tokenizer.h"

namespace anneal::datasets {
namespace {

std::vector<Symbol> symbols_of(const std::vector<Token>& ids) {
  std::vector<Symbol> symbols;
  for (uint32_t i = 0; i < ids.size(); ++i) symbols.push_back({ids[i], i, i + 1});
  return symbols;
}

std::vector<Token> ids_of(const std::vector<Symbol>& symbols) {
  std::vector<Token> ids;
  for (const Symbol& symbol : symbols) ids.push_back(symbol.id);
  return ids;
}

TEST(MergeSymbols, LowestRankFirstThenLeftmost) {
  // 0 0 0: the left pair of equals; then (1,0) of rank 5 is done, though (0,1) of rank 1 would have come earlier.
  const auto find = [](Token left, Token right) -> Merge {
    if (left == 0 && right == 0) return {3, 1};
    if (left == 1 && right == 0) return {5, 2};
    if (left == 0 && right == 1) return {1, 9};
    return {};
  };
  auto symbols = symbols_of({0, 0, 0});
  merge_symbols(symbols, find);
  EXPECT_EQ(ids_of(symbols), (std::vector<Token>{2}));
  EXPECT_EQ(symbols[0].begin, 0u);
  EXPECT_EQ(symbols[0].end, 3u);
}

TEST(MergeSymbols, LongWordsMergeAsShortOnesDo) {
  // Random rules of a small alphabet; the heap and the search through all pairs must agree on every word.
  std::mt19937 random(11);
  MergeTable table(400);
  Token next = 6;
  for (uint32_t rank = 0; rank < 60; ++rank) {
    table.put(static_cast<Token>(random() % static_cast<unsigned>(next)),
              static_cast<Token>(random() % static_cast<unsigned>(next)), {rank, next});
    ++next;
  }
  const auto find = [&](Token left, Token right) { return table.find(left, right); };
  for (int round = 0; round < 500; ++round) {
    std::vector<Token> ids(2 + random() % (bpe_detail::kShortWord - 1));
    for (Token& id : ids) id = static_cast<Token>(random() % 6);
    auto short_way = symbols_of(ids);
    auto long_way = symbols_of(ids);
    bpe_detail::merge_short(short_way, find);
    bpe_detail::LongWord<decltype(find)>(long_way, find).run();
    ASSERT_EQ(ids_of(short_way), ids_of(long_way));
    for (std::size_t i = 0; i < short_way.size(); ++i) EXPECT_EQ(short_way[i].end, long_way[i].end);
  }
}

TEST(MergeSymbols, AMegabyteWithoutABlankIsDoneSoon) {
  // a a -> A, A A -> B, …: quadratic work would take hours.
  const auto find = [](Token left, Token right) -> Merge {
    return left == right && left < 12 ? Merge{static_cast<uint32_t>(left), left + 1} : Merge{};
  };
  auto symbols = symbols_of(std::vector<Token>(1 << 20, 0));
  merge_symbols(symbols, find);
  EXPECT_EQ(symbols.size(), std::size_t{1} << 8);
  EXPECT_EQ(symbols.back().id, 12);
}

TEST(Bpe, DroppedCharactersLeaveTheOthersOffsetsRight) {
  const auto tokenizer = tests::from_json(R"({"model":{"type":"BPE","vocab":{"a":0,"b":1,"ab":2},"merges":["a b"]}})");
  const Encoding encoding = tokenizer->encode("xab");
  EXPECT_EQ(encoding.ids, (tests::Ids{2}));
  EXPECT_EQ(encoding.offsets, (tests::Spans{{1, 3}}));
}

TEST(Bpe, AnUnknownTokenThatIsUnknownIsNamed) {
  const auto tokenizer = tests::from_json(R"({"model":{"type":"BPE","unk_token":"?","vocab":{"a":0},"merges":[]}})");
  EXPECT_EQ(tokenizer->encode("a").ids, (tests::Ids{0}));
  EXPECT_THROW(tokenizer->encode("b"), Error);
}

}  // namespace
}  // namespace anneal::datasets
