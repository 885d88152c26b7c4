#include "kernels/core/sha256.h"

#include <gtest/gtest.h>

#include "kernels/core/error.h"
#include "tests/support/temporary_folder.h"

namespace anneal {
namespace {

// FIPS 180-4's example.
constexpr const char* kAbc = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad";

TEST(Sha256, GivesThePublishedDigest) {
  EXPECT_EQ(sha256_of("abc"), kAbc);
  Sha256 pieces;
  pieces.add("a");
  pieces.add("bc");
  EXPECT_EQ(pieces.hex(), kAbc);
}

TEST(Sha256, OfAFileIsThatOfItsBytes) {
  const tests::TemporaryFolder folder;
  EXPECT_EQ(sha256_of_file(folder.write("x", "abc")), kAbc);
  const std::string large(3'000'000, 'z');
  EXPECT_EQ(sha256_of_file(folder.write("y", large)), sha256_of(large));
  EXPECT_THROW(sha256_of_file((folder.path() / "none").string()), Error);
}

}  // namespace
}  // namespace anneal
