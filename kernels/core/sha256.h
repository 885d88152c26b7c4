#pragma once
// SHA-256 (FIPS 180-4) of bytes, texts and files: names caches, checks checkpoints and exports.

#include <cstddef>
#include <memory>
#include <string>
#include <string_view>

namespace anneal {

class Sha256 {
 public:
  Sha256();
  ~Sha256();
  Sha256(const Sha256&) = delete;
  Sha256& operator=(const Sha256&) = delete;
  void add(const void* data, std::size_t bytes);
  void add(std::string_view text) { add(text.data(), text.size()); }
  std::string hex();  // 64 lower-case digits; nothing may be added afterwards

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string sha256_of(std::string_view text);
// Reads the file in pieces. Throws Error(kInput) when it cannot be read.
std::string sha256_of_file(const std::string& path);

}  // namespace anneal
