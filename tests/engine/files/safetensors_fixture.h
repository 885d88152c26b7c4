#pragma once
// Safetensors files built byte by byte, so that a test can make exactly the fault it is about.

#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace anneal::tests {

inline std::string length_bytes(uint64_t length) {
  std::string bytes(8, '\0');
  std::memcpy(bytes.data(), &length, 8);
  return bytes;
}

// The file with this header, followed by these bytes.
inline std::string safetensors(std::string_view header, std::string_view data) {
  return length_bytes(header.size()) + std::string(header) + std::string(data);
}

template <class T>
std::string bytes_of(const std::vector<T>& values) {
  std::string bytes(values.size() * sizeof(T), '\0');
  if (!values.empty()) std::memcpy(bytes.data(), values.data(), bytes.size());
  return bytes;
}

}  // namespace anneal::tests
