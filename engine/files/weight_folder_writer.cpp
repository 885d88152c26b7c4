#include "engine/files/weight_folder_writer.h"

#include <filesystem>
#include <utility>

#include "engine/files/open_file.h"
#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal::engine {

WeightFolderWriter::WeightFolderWriter(std::string folder, std::vector<TensorSpec> tensors, int64_t shard_bytes,
                                       FileWriter& writer)
    : folder_(std::move(folder)), files_(writer) {
  for (TensorSpec& tensor : tensors) {
    const int64_t bytes = tensor.bytes();
    if (shards_.empty() || (shards_.back().bytes > 0 && bytes > 0 && shards_.back().bytes + bytes > shard_bytes)) {
      shards_.emplace_back();
    }
    shard_of_.emplace(tensor.name, shards_.size() - 1);
    shards_.back().bytes += bytes;
    shards_.back().missing += bytes;
    shards_.back().tensors.push_back(std::move(tensor));
  }
  ensure(!shards_.empty(), "a model without tensors is written");
  for (std::size_t i = 0; i < shards_.size(); ++i) {
    shards_[i].name = shards_.size() == 1 ? "model.safetensors"
                                          : fmt::format("model-{:05}-of-{:05}.safetensors", i + 1, shards_.size());
  }
  // A single file left from before would win over the new index.
  if (shards_.size() > 1 && std::filesystem::exists(std::filesystem::path(folder_) / "model.safetensors")) {
    throw input_error("{}: already holds a model.safetensors. Choose another folder.", shown_path(folder_));
  }
}

void WeightFolderWriter::write(std::string_view name, const void* data, int64_t bytes) {
  const auto found = shard_of_.find(std::string(name));
  ensure(found != shard_of_.end(), "a tensor is written that was not announced");
  Shard& shard = shards_[found->second];
  if (bytes == 0) return;  // an empty tensor; its shard may be finished already
  ensure(!shard.is_finished, "a tensor is written twice");
  if (!shard.writer) {
    shard.writer = std::make_unique<SafetensorsWriter>((std::filesystem::path(folder_) / shard.name).string(),
                                                       shard.tensors, files_);
  }
  shard.writer->write(name, data, bytes);
  shard.missing -= bytes;
  if (shard.missing == 0) finish(shard);
}

void WeightFolderWriter::finish(Shard& shard) {
  if (!shard.writer) {  // only empty tensors, which nobody has to write
    shard.writer = std::make_unique<SafetensorsWriter>((std::filesystem::path(folder_) / shard.name).string(),
                                                       shard.tensors, files_);
  }
  shard.writer->finish();
  shard.writer.reset();
  shard.is_finished = true;
}

void WeightFolderWriter::finish() {
  int64_t total = 0;
  Json map = Json::object();
  auto& members = map.get_ref<Json::object_t&>();
  for (Shard& shard : shards_) {
    if (!shard.is_finished) finish(shard);
    total += shard.bytes;
    for (const TensorSpec& tensor : shard.tensors) members.push_back({tensor.name, Json(shard.name)});
  }
  if (shards_.size() == 1) return;
  const Json index = {{"metadata", {{"total_size", total}}}, {"weight_map", std::move(map)}};
  write_text_durably((std::filesystem::path(folder_) / "model.safetensors.index.json").string(), index.dump(2) + "\n",
                     files_);
}

std::vector<std::string> WeightFolderWriter::file_names() const {
  std::vector<std::string> names;
  for (const Shard& shard : shards_) names.push_back(shard.name);
  if (shards_.size() > 1) names.push_back("model.safetensors.index.json");
  return names;
}

}  // namespace anneal::engine
