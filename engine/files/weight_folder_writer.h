#pragma once
// The counterpart of WeightFolder: a model's weights into a folder, whole or in shards. One thread.

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "engine/files/safetensors.h"

namespace anneal::engine {

// Writes model.safetensors, or shards of at most `shard_bytes` of tensors each and their index. Shards are begun and
// finished as their tensors come, so tensors given in the order of `tensors` keep one file open at a time.
class WeightFolderWriter {
 public:
  WeightFolderWriter(std::string folder, std::vector<TensorSpec> tensors, int64_t shard_bytes = 5'000'000'000,
                     FileWriter& writer = system_files());

  void write(std::string_view name, const void* data, int64_t bytes);  // as SafetensorsWriter::write
  void finish();                                                       // the index comes last
  std::vector<std::string> file_names() const;                         // what is written, without the folder

 private:
  struct Shard {
    std::string name;
    std::vector<TensorSpec> tensors;
    int64_t bytes = 0;
    int64_t missing = 0;  // bytes not yet given
    std::unique_ptr<SafetensorsWriter> writer;
    bool is_finished = false;
  };
  void finish(Shard& shard);

  std::string folder_;
  FileWriter& files_;
  std::vector<Shard> shards_;
  std::unordered_map<std::string, std::size_t> shard_of_;
};

}  // namespace anneal::engine
