#pragma once
// A disk with room for so many bytes, and other ways in which writing fails.

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <string>
#include <vector>

#include "engine/files/durable_file.h"

namespace anneal::tests {

class FailingFiles : public engine::FileWriter {
 public:
  int64_t room = INT64_MAX;  // bytes that may still be written
  int64_t most_at_once = INT64_MAX;
  int flush_error = 0;  // errno of flush()
  int create_error = 0;
  std::vector<std::string> calls;  // "create NAME", "flush", "close", "rename NAME", "flush_folder", "remove NAME"

  int create(const std::string& path) override {
    calls.push_back("create " + name_of(path));
    return create_error != 0 ? -create_error : FileWriter::create(path);
  }
  int64_t write_at(int file, int64_t offset, const void* data, int64_t bytes) override {
    if (room <= 0) return -ENOSPC;
    const int64_t written = FileWriter::write_at(file, offset, data, std::min({bytes, room, most_at_once}));
    if (written > 0) room -= written;
    return written;
  }
  int flush(int file) override {
    calls.push_back("flush");
    return flush_error != 0 ? -flush_error : FileWriter::flush(file);
  }
  int close(int file) override {
    calls.push_back("close");
    return FileWriter::close(file);
  }
  int rename(const std::string& from, const std::string& to) override {
    calls.push_back("rename " + name_of(to));
    return FileWriter::rename(from, to);
  }
  int flush_folder(const std::string& path) override {
    calls.push_back("flush_folder");
    return FileWriter::flush_folder(path);
  }
  int remove(const std::string& path) override {
    calls.push_back("remove " + name_of(path));
    return FileWriter::remove(path);
  }

 private:
  static std::string name_of(const std::string& path) { return path.substr(path.rfind('/') + 1); }
};

}  // namespace anneal::tests
