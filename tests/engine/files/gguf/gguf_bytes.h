#pragma once
// GGUF files for tests, put together byte by byte so that each may be wrong in its own way.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace anneal::tests {

template <class T>
std::string raw(T value) {
  std::string bytes(sizeof(T), '\0');
  std::memcpy(bytes.data(), &value, sizeof(T));
  return bytes;
}

inline std::string gguf_text(std::string_view text) { return raw<uint64_t>(text.size()) + std::string(text); }

// Kinds of values, by their number in the file.
enum GgufKind : uint32_t {
  kGgufU8 = 0,
  kGgufU32 = 4,
  kGgufF32 = 6,
  kGgufBool = 7,
  kGgufString = 8,
  kGgufArray = 9,
  kGgufU64 = 10
};
// Types of tensors, by their number in the file.
enum GgufType : uint32_t {
  kGgufTypeF32 = 0,
  kGgufTypeF16 = 1,
  kGgufTypeQ4_1 = 3,
  kGgufTypeQ8_0 = 8,
  kGgufTypeIq2Xs = 17
};

struct GgufBytes {
  uint32_t version = 3;
  std::vector<std::string> keys;     // key, kind and value
  std::vector<std::string> tensors;  // name, dimensions, type and place
  std::string data;

  GgufBytes& key(std::string_view name, uint32_t kind, std::string_view value) {
    keys.push_back(gguf_text(name) + raw<uint32_t>(kind) + std::string(value));
    return *this;
  }
  GgufBytes& text(std::string_view name, std::string_view value) { return key(name, kGgufString, gguf_text(value)); }
  // `sizes` as in the file: the length of a row first. The bytes follow those of the tensors before, aligned to 32.
  GgufBytes& tensor(std::string_view name, const std::vector<uint64_t>& sizes, uint32_t type, std::string_view bytes) {
    data.resize((data.size() + 31) / 32 * 32, '\0');
    place_tensor(name, sizes, type, data.size());
    data += bytes;
    return *this;
  }
  GgufBytes& place_tensor(std::string_view name, const std::vector<uint64_t>& sizes, uint32_t type, uint64_t place) {
    std::string info = gguf_text(name) + raw<uint32_t>(static_cast<uint32_t>(sizes.size()));
    for (const uint64_t size : sizes) info += raw(size);
    tensors.push_back(info + raw(type) + raw(place));
    return *this;
  }
  std::string bytes() const {
    std::string file = "GGUF" + raw(version) + raw<uint64_t>(tensors.size()) + raw<uint64_t>(keys.size());
    for (const std::string& key : keys) file += key;
    for (const std::string& tensor : tensors) file += tensor;
    file.resize((file.size() + 31) / 32 * 32, '\0');
    return file + data;
  }
};

}  // namespace anneal::tests
