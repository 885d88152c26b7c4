#include "datasets/cache/token_cache.h"

#include <gtest/gtest.h>

#include <fstream>

#include "kernels/core/error.h"
#include "tests/support/temporary_folder.h"

namespace anneal::datasets {
namespace {

class TokenCacheTest : public ::testing::Test {
 protected:
  std::filesystem::path path() const { return folder_.path() / "cache" / "rows.h5"; }
  void write(const std::string& key, int64_t rows) {
    TokenCacheWriter writer(path(), key);
    for (int64_t row = 0; row < rows; ++row) {
      std::vector<int32_t> ids(static_cast<std::size_t>(row % 7 + 1));
      std::vector<int32_t> labels(ids.size(), -100);
      for (std::size_t i = 0; i < ids.size(); ++i) ids[i] = static_cast<int32_t>(row * 10) + static_cast<int32_t>(i);
      labels.back() = ids.back();
      writer.append(ids, labels, row + 1);
    }
    writer.finish("two rows were left out");
  }
  tests::TemporaryFolder folder_;
};

TEST_F(TokenCacheTest, GivesBackEveryRowInAnyOrder) {
  constexpr int64_t kRows = 30000;  // over one buffer
  write("key", kRows);
  const auto cache = TokenCache::open(path(), "key");
  ASSERT_TRUE(cache.has_value());
  EXPECT_EQ(cache->rows(), kRows);
  EXPECT_EQ(cache->summary(), "two rows were left out");
  CachedRow row;
  for (const int64_t index : {kRows - 1, int64_t{0}, int64_t{17000}, int64_t{6}}) {
    cache->read(index, row);
    ASSERT_EQ(row.ids.size(), static_cast<std::size_t>(index % 7 + 1));
    EXPECT_EQ(row.ids.front(), index * 10);
    EXPECT_EQ(row.labels.back(), row.ids.back());
    EXPECT_EQ(cache->source_row(index), index + 1);
  }
}

TEST_F(TokenCacheTest, TheFirstPlaceIsNoTarget) {
  TokenCacheWriter writer(path(), "key");
  const std::vector<int32_t> ids{5, 6, 7};
  writer.append(ids, ids, 1);
  writer.finish("");
  EXPECT_EQ(TokenCache::open(path(), "key")->label_count(0), 2);
}

TEST_F(TokenCacheTest, AnotherKeyIsNoCache) {
  write("key", 3);
  EXPECT_FALSE(TokenCache::open(path(), "other").has_value());
  EXPECT_FALSE(TokenCache::open(folder_.path() / "absent.h5", "key").has_value());
}

TEST_F(TokenCacheTest, AnUnfinishedFileLeavesNothing) {
  {
    TokenCacheWriter writer(path(), "key");
    writer.append(std::vector<int32_t>{1}, std::vector<int32_t>{1}, 1);
  }
  EXPECT_FALSE(std::filesystem::exists(path()));
  EXPECT_FALSE(std::filesystem::exists(path().string() + ".partial"));
}

TEST_F(TokenCacheTest, ADamagedFileIsNoCache) {
  write("key", 3000);
  const auto size = std::filesystem::file_size(path());
  std::filesystem::resize_file(path(), size / 2);
  EXPECT_FALSE(TokenCache::open(path(), "key").has_value());
  std::ofstream(path(), std::ios::binary) << "not HDF5 at all";
  EXPECT_FALSE(TokenCache::open(path(), "key").has_value());
}

}  // namespace
}  // namespace anneal::datasets
