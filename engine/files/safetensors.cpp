#include "engine/files/safetensors.h"

#include <algorithm>
#include <bit>
#include <cstring>
#include <utility>

#include "engine/files/safetensors_header.h"
#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal::engine {
namespace {

static_assert(std::endian::native == std::endian::little, "tensors are stored little endian and mapped as they are");

constexpr int64_t kLengthBytes = 8;  // the header's length stands in front of it

std::string_view as_text(std::span<const std::byte> bytes) {
  return {reinterpret_cast<const char*>(bytes.data()), bytes.size()};
}

// What people save under this name by mistake; empty if it looks like nothing known.
std::string_view mistaken_for(std::string_view bytes) {
  const std::string_view start = bytes.substr(0, 512);
  const std::size_t first = start.find_first_not_of(" \t\r\n\xEF\xBB\xBF");
  const std::string_view text = first == std::string_view::npos ? std::string_view{} : start.substr(first);
  if (start.starts_with("version https://git-lfs")) {
    return "this is a git-lfs pointer, not the weights. Run \"git lfs pull\" in its folder, or download the file "
           "itself.";
  }
  if (text.starts_with("<")) return "this is a web page, not the weights. Download the file itself.";
  if (start.starts_with("PK\x03\x04") || start.starts_with("\x80\x02")) {
    return "this is a pickle file under another name, which is never opened. Convert the model to safetensors.";
  }
  if (start.starts_with("GGUF")) return "this is a GGUF file under another name. Rename it to end in .gguf.";
  const bool plain = std::all_of(start.begin(), start.end(),
                                 [](char c) { return (c >= ' ' && c <= '~') || c == '\n' || c == '\r' || c == '\t'; });
  if (plain && !start.empty()) return "this is a text, not the weights. Download the file itself.";
  return {};
}

std::string bytes_early(int64_t count) { return fmt::format("{} byte{} early", count, count == 1 ? "" : "s"); }

// The header's text, after all checks that the first bytes and the file's size allow.
std::string_view header_text(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) throw input_error("{}: the file is empty. Get a complete copy of it.", where);
  uint64_t length = 0;
  if (bytes.size() >= kLengthBytes) std::memcpy(&length, bytes.data(), sizeof length);
  const bool possible = bytes.size() > kLengthBytes && length >= 2 && length <= uint64_t{kLongestSafetensorsHeader} &&
                        bytes[kLengthBytes] == '{';
  if (!possible) {
    if (const std::string_view mistake = mistaken_for(bytes); !mistake.empty()) {
      throw input_error("{}: {}", where, mistake);
    }
  }
  if (bytes.size() < kLengthBytes + 2) {
    throw input_error("{}: is only {} bytes long, too short for weights. Get a complete copy of it.", where,
                      bytes.size());
  }
  if (length > uint64_t{kLongestSafetensorsHeader}) {
    throw input_error(
        "{}: says that its header is {} bytes long, more than the {} allowed. It is damaged or no safetensors "
        "file; get a complete copy of it.",
        where, length, kLongestSafetensorsHeader);
  }
  if (bytes[kLengthBytes] != '{') {
    throw input_error(
        "{}: the header begins with \"{}\" instead of \"{{\". It is damaged or no safetensors file; get a "
        "complete copy of it.",
        where, printable(bytes.substr(kLengthBytes, 1)));
  }
  const auto available = static_cast<int64_t>(bytes.size()) - kLengthBytes;
  if (static_cast<int64_t>(length) > available) {
    throw input_error("{}: file ends within its header, at least {}. Get a complete copy of it.", where,
                      bytes_early(static_cast<int64_t>(length) - available));
  }
  return bytes.substr(kLengthBytes, length);
}

void check_size(int64_t available, int64_t needed, const std::string& where) {
  if (available < needed) {
    throw input_error("{}: file ends {}. Get a complete copy of it.", where, bytes_early(needed - available));
  }
  if (available > needed) {
    throw input_error("{}: {} bytes follow the last tensor and belong to none. Get a complete copy of it.", where,
                      available - needed);
  }
}

// Put together as text: a model has many tensors, and members of a Json object are looked up one after another.
std::string header_of(const std::vector<const TensorSpec*>& order) {
  std::string header = R"({"__metadata__":{"format":"pt"})";
  int64_t begin = 0;
  for (const TensorSpec* tensor : order) {
    const int64_t end = begin + tensor->bytes();
    header += fmt::format(R"(,{}:{{"dtype":"{}","shape":{},"data_offsets":[{},{}]}})", to_text(Json(tensor->name)),
                          name_of(tensor->dtype), to_text(Json(tensor->shape)), begin, end);
    begin = end;
  }
  header += '}';
  header.resize((header.size() + kLengthBytes - 1) / kLengthBytes * kLengthBytes, ' ');
  return header;
}

}  // namespace

SafetensorsFile SafetensorsFile::open(const std::string& path) {
  SafetensorsFile result;
  result.file_ = MappedFile(path);
  const std::string where = shown_path(path);
  const std::string_view bytes = as_text(result.file_.bytes());
  const std::string_view text = header_text(bytes, where);
  SafetensorsHeader header = parse_safetensors_header(text, where);
  const int64_t data_begin = kLengthBytes + static_cast<int64_t>(text.size());
  check_size(static_cast<int64_t>(bytes.size()) - data_begin, header.data_bytes, where);

  result.metadata_ = std::move(header.metadata);
  result.entries_.reserve(header.tensors.size());
  for (SafetensorsHeader::Tensor& tensor : header.tensors) {
    result.entries_.push_back({.name = std::move(tensor.name),
                               .dtype = tensor.dtype,
                               .shape = std::move(tensor.shape),
                               .data = result.file_.bytes().data() + data_begin + tensor.begin,
                               .bytes = tensor.end - tensor.begin});
  }
  for (std::size_t i = 0; i < result.entries_.size(); ++i) result.by_name_.emplace(result.entries_[i].name, i);
  return result;
}

const TensorEntry* SafetensorsFile::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : &entries_[found->second];
}

int64_t TensorSpec::bytes() const {
  int64_t count = size_of(dtype);
  for (const int64_t size : shape) count *= size;
  return count;
}

SafetensorsWriter::SafetensorsWriter(std::string path, const std::vector<TensorSpec>& tensors, FileWriter& writer)
    : file_(std::move(path), writer) {
  std::vector<const TensorSpec*> order;
  order.reserve(tensors.size());
  for (const TensorSpec& tensor : tensors) order.push_back(&tensor);
  std::stable_sort(order.begin(), order.end(),
                   [](const TensorSpec* a, const TensorSpec* b) { return size_of(a->dtype) > size_of(b->dtype); });
  const std::string header = header_of(order);
  int64_t next = kLengthBytes + static_cast<int64_t>(header.size());
  for (const TensorSpec* tensor : order) {
    const bool is_new = places_.emplace(tensor->name, Place{next, next + tensor->bytes()}).second;
    ensure(is_new, "two tensors of one file have the same name");
    next += tensor->bytes();
  }
  const uint64_t length = header.size();
  file_.append(&length, sizeof length);
  file_.append(header.data(), static_cast<int64_t>(header.size()));
}

void SafetensorsWriter::write(std::string_view name, const void* data, int64_t bytes) {
  const auto found = places_.find(name);
  ensure(found != places_.end(), "a tensor is written that was not announced");
  Place& place = found->second;
  ensure(bytes >= 0 && bytes <= place.end - place.next, "more bytes are written than the tensor has");
  file_.write_at(place.next, data, bytes);
  place.next += bytes;
}

void SafetensorsWriter::finish() {
  for (const auto& [name, place] : places_) ensure(place.next == place.end, "a tensor was not written whole");
  file_.commit();
}

}  // namespace anneal::engine
