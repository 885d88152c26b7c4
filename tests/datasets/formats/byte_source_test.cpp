#include "datasets/formats/byte_source.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <zlib.h>
#include <zstd.h>

#include "tests/datasets/formats/reading.h"

namespace anneal::datasets::tests {
namespace {

using testing::HasSubstr;

std::string gzip(std::string_view text) {
  z_stream state{};
  deflateInit2(&state, 9, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY);
  std::string packed(deflateBound(&state, text.size()) + 64, '\0');
  state.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(text.data()));
  state.avail_in = static_cast<uInt>(text.size());
  state.next_out = reinterpret_cast<Bytef*>(packed.data());
  state.avail_out = static_cast<uInt>(packed.size());
  deflate(&state, Z_FINISH);
  packed.resize(state.total_out);
  deflateEnd(&state);
  return packed;
}

std::string zstd(std::string_view text) {
  std::string packed(ZSTD_compressBound(text.size()), '\0');
  packed.resize(ZSTD_compress(packed.data(), packed.size(), text.data(), text.size(), 3));
  return packed;
}

std::string many_rows() {
  std::string text;
  for (int i = 0; i < 20'000; ++i) text += "{\"text\":\"row " + std::to_string(i * 7919 % 20011) + "\"}\n";
  return text;
}

TEST(ByteSource, PackedFilesGiveTheSameRows) {
  const std::string text = many_rows();
  const Reading plain = read_text("a.jsonl", text);
  ASSERT_EQ(plain.rows.size(), 20'000u);
  EXPECT_EQ(contents_of(read_text("a.jsonl.gz", gzip(text)).rows), contents_of(plain.rows));
  EXPECT_EQ(contents_of(read_text("a.jsonl.zst", zstd(text)).rows), contents_of(plain.rows));
  EXPECT_EQ(read_text("wrong_name.csv", gzip(text)).rows.size(), 20'000u);
  EXPECT_EQ(read_text("a.csv.gz", gzip("prompt,completion\na,b\n")).report.format(), "prompt_completion");
}

TEST(ByteSource, MembersOneAfterAnotherAreOneText) {
  const std::string half = "{\"text\":\"a\"}\n";
  EXPECT_EQ(read_text("a.gz", gzip(half) + gzip(half) + std::string(3, '\0')).rows.size(), 2u);
  EXPECT_EQ(read_text("a.zst", zstd(half) + zstd(half)).rows.size(), 2u);
}

TEST(ByteSource, CutAndDamagedFilesAreNamed) {
  const std::string text = many_rows();
  const std::string gz = gzip(text);
  const std::string zst = zstd(text);
  EXPECT_THAT(failure_of("a.gz", gz.substr(0, gz.size() / 2)), HasSubstr("ends early, in the middle of packed data."));
  EXPECT_THAT(failure_of("a.zst", zst.substr(0, zst.size() / 2)),
              HasSubstr("ends early, in the middle of packed data."));
  std::string damaged = gz;
  damaged[gz.size() - 6] = static_cast<char>(damaged[gz.size() - 6] ^ 1);  // in the checksum
  EXPECT_THAT(failure_of("a.gz", damaged), HasSubstr("is damaged (incorrect data check)"));
  EXPECT_THAT(failure_of("a.gz", gz + "junk"), HasSubstr("is damaged"));
}

TEST(ByteSource, AFloodIsStopped) {
  const std::string flood = zstd(std::string(std::size_t{40} << 20, ' '));
  EXPECT_THAT(failure_of("a.txt.zst", flood), HasSubstr("unpacks to more than 250 times its size"));
  ReadOptions options;
  options.limits.expanded_bytes = 1000;
  EXPECT_THAT(failure_of("a.jsonl.gz", gzip(many_rows()), options), HasSubstr("unpacks to more than 1000 bytes"));
}

TEST(ByteSource, OtherKindsOfFilesAreNamed) {
  using namespace std::string_literals;
  EXPECT_THAT(failure_of("a.csv", "PK\x03\x04rest"), HasSubstr("a.csv: is a zip archive or an Excel workbook."));
  EXPECT_THAT(failure_of("a.jsonl", "PAR1\x15\x04"), HasSubstr("is a Parquet file"));
  EXPECT_THAT(failure_of("a.jsonl", "version https://git-lfs.github.com/spec/v1\n"), HasSubstr("git lfs pull"));
  EXPECT_THAT(failure_of("a.json", "<!DOCTYPE html><html>"), HasSubstr("is a web page"));
  EXPECT_THAT(failure_of("a.jsonl", "{\"text\":\"a\0\0\0\"}"s), HasSubstr("holds zero bytes, so it is no text"));
  EXPECT_THAT(failure_of("a.jsonl.gz", gzip("PAR1xx")), HasSubstr("is a Parquet file"));
}

TEST(ByteSource, MissingFilesAndDevicesAreRefused) {
  EXPECT_THROW(open_bytes("/nowhere/a.jsonl", {}), Error);
  EXPECT_THROW(open_bytes("/dev/zero", {}), Error);
}

}  // namespace
}  // namespace anneal::datasets::tests
