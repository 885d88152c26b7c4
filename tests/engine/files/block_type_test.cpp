#include "engine/files/block_type.h"

#include <gtest/gtest.h>

#include <charconv>
#include <cstring>
#include <string>
#include <vector>

#include "engine/files/small_json.h"
#include "engine/files/tensor_entry.h"
#include "kernels/core/json.h"

namespace anneal::engine {
namespace {

std::vector<std::byte> from_hexadecimal(const std::string& text) {
  std::vector<std::byte> bytes(text.size() / 2);
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    unsigned value = 0;
    std::from_chars(text.data() + 2 * i, text.data() + 2 * i + 2, value, 16);
    bytes[i] = static_cast<std::byte>(value);
  }
  return bytes;
}

TEST(BlockType, UnpacksEachToTheBitsOfTheReferenceProgram) {
  const Json fixture = read_small_json(ANNEAL_FIXTURES "/gguf/blocks.json");
  ASSERT_EQ(fixture.size(), 8u);
  for (const auto& [name, made] : fixture.items()) {
    const BlockType* type = block_type_named(name);
    ASSERT_NE(type, nullptr) << name;
    const std::vector<std::byte> blocks = from_hexadecimal(made.at("blocks").get<std::string>());
    const std::vector<std::byte> expected = from_hexadecimal(made.at("values").get<std::string>());
    TensorEntry entry{.name = "w",
                      .shape = {2, type->elements},
                      .data = blocks.data(),
                      .bytes = static_cast<int64_t>(blocks.size()),
                      .block_type = type};
    ASSERT_EQ(entry.bytes, 2 * type->bytes) << name;
    ASSERT_EQ(entry.elements() * 4, static_cast<int64_t>(expected.size())) << name;
    std::vector<std::byte> values(expected.size());
    read_as(entry, DType::kF32, values.data());
    EXPECT_EQ(std::memcmp(values.data(), expected.data(), values.size()), 0) << name;

    std::vector<BFloat16> rounded(static_cast<std::size_t>(entry.elements()));
    read_as(entry, DType::kBF16, rounded.data());
    float last = 0;
    std::memcpy(&last, expected.data() + expected.size() - sizeof last, sizeof last);
    EXPECT_EQ(rounded.back().bits, BFloat16(last).bits) << name;
  }
}

TEST(BlockType, OthersAreUnknown) {
  EXPECT_EQ(block_type_named("IQ2_XS"), nullptr);
  EXPECT_EQ(block_type_named(""), nullptr);
}

}  // namespace
}  // namespace anneal::engine
