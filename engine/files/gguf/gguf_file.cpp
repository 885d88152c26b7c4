#include "engine/files/gguf/gguf_file.h"

#include <bit>
#include <utility>

#include "engine/files/gguf/gguf_header.h"

namespace anneal::engine {

static_assert(std::endian::native == std::endian::little, "tensors are stored little endian and mapped as they are");

GgufFile GgufFile::open(const std::string& path) {
  GgufFile result;
  result.file_ = MappedFile(path);
  const std::span<const std::byte> bytes = result.file_.bytes();
  GgufHeader header = parse_gguf_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()}, shown_path(path));
  result.metadata_ = std::move(header.metadata);
  result.entries_.reserve(header.tensors.size());
  for (GgufHeader::Tensor& tensor : header.tensors) {
    tensor.entry.data = bytes.data() + header.data_begin + tensor.begin;
    result.entries_.push_back(std::move(tensor.entry));
  }
  for (std::size_t i = 0; i < result.entries_.size(); ++i) result.by_name_.emplace(result.entries_[i].name, i);
  return result;
}

const TensorEntry* GgufFile::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

}  // namespace anneal::engine
