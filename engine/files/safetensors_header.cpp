#include "engine/files/safetensors_header.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <utility>

#include "engine/files/tensor_entry.h"
#include "kernels/core/error.h"
#include "kernels/core/json.h"

namespace anneal::engine {
namespace {

constexpr const char* kDamaged = "The file is damaged; get a complete copy of it.";

using Tensor = SafetensorsHeader::Tensor;

std::string tensor_at(std::string_view where, const std::string& name) {
  return fmt::format("{}: tensor \"{}\"", where, printable(name));
}

std::vector<int64_t> whole_numbers(const Json& entry, const char* key, const std::string& at) {
  const auto found = entry.find(key);
  std::vector<int64_t> numbers;
  bool good = found != entry.end() && found->is_array();
  if (good) {
    for (const Json& item : *found) {
      good = good && json_detail::holds<int64_t>(item) && item.get<int64_t>() >= 0;
      if (good) numbers.push_back(item.get<int64_t>());
    }
  }
  if (!good) throw input_error("{}: \"{}\" is not a list of whole numbers from 0. {}", at, key, kDamaged);
  return numbers;
}

int64_t bytes_of(const Tensor& tensor, const std::string& at) {
  int64_t bytes = size_of(tensor.dtype);
  // A zero anywhere makes the tensor empty, but the other sizes must still be countable.
  bool too_large = false;
  bool is_empty = false;
  for (const int64_t size : tensor.shape) {
    if (size == 0)
      is_empty = true;
    else
      too_large = __builtin_mul_overflow(bytes, size, &bytes) || too_large;
  }
  if (too_large) {
    throw input_error("{}: shape {} is larger than any file can be. {}", at, shape_text(tensor.shape), kDamaged);
  }
  return is_empty ? 0 : bytes;
}

DType dtype_of(const Json& entry, const std::string& at) {
  const auto found = entry.find("dtype");
  if (found == entry.end() || !found->is_string()) throw input_error("{}: has no \"dtype\". {}", at, kDamaged);
  const auto name = found->get<std::string>();
  if (const std::optional<DType> dtype = dtype_from_name(name)) return *dtype;
  throw input_error("{}: element type \"{}\" is not known here. Get the model in F32, F16 or BF16.", at,
                    printable(name));
}

Tensor tensor_from(const std::string& name, const Json& entry, std::string_view where) {
  const std::string at = tensor_at(where, name);
  if (!entry.is_object()) throw input_error("{}: is not described by an object. {}", at, kDamaged);
  Tensor tensor{.name = name, .dtype = dtype_of(entry, at), .shape = whole_numbers(entry, "shape", at)};
  const std::vector<int64_t> place = whole_numbers(entry, "data_offsets", at);
  if (place.size() != 2 || place[0] > place[1]) {
    throw input_error("{}: \"data_offsets\" is {}, expected begin and end. {}", at, shape_text(place), kDamaged);
  }
  tensor.begin = place[0];
  tensor.end = place[1];
  const int64_t needed = bytes_of(tensor, at);
  if (needed != tensor.end - tensor.begin) {
    throw input_error("{}: shape {} of {} needs {} bytes, its place in the file has {}. {}", at,
                      shape_text(tensor.shape), name_of(tensor.dtype), needed, tensor.end - tensor.begin, kDamaged);
  }
  return tensor;
}

void read_metadata(const Json& object, SafetensorsHeader& header, std::string_view where) {
  if (!object.is_object()) throw input_error("{}: \"__metadata__\" is not an object. {}", where, kDamaged);
  for (const auto& [key, value] : object.items()) {
    if (!value.is_string()) {
      throw input_error("{}: \"__metadata__\" holds \"{}\", which is not a text. {}", where, printable(key), kDamaged);
    }
    header.metadata.emplace(key, value.get<std::string>());
  }
}

// Each tensor must begin where the one before it ends: a hole could hide something, an overlap would share memory.
void check_places(const std::vector<Tensor>& tensors, std::string_view where) {
  int64_t end = 0;
  const Tensor* before = nullptr;
  for (const Tensor& tensor : tensors) {
    if (tensor.begin < end) {
      throw input_error("{} begins at byte {}, but \"{}\" ends at byte {}: they overlap. {}",
                        tensor_at(where, tensor.name), tensor.begin, printable(before->name), end, kDamaged);
    }
    if (tensor.begin > end) {
      throw input_error("{} begins at byte {}, but what stands before it ends at byte {}: there is a gap. {}",
                        tensor_at(where, tensor.name), tensor.begin, end, kDamaged);
    }
    end = tensor.end;
    before = &tensor;
  }
}

}  // namespace

SafetensorsHeader parse_safetensors_header(std::string_view text, std::string_view where) {
  const Json object = parse_json(text, fmt::format("{}, header", where), {.depth = 4, .remedy = kDamaged});
  if (!object.is_object()) throw input_error("{}: the header is not an object. {}", where, kDamaged);
  SafetensorsHeader header;
  header.tensors.reserve(object.size());
  for (const auto& [name, entry] : object.items()) {
    if (name == "__metadata__") {
      read_metadata(entry, header, where);
    } else {
      header.tensors.push_back(tensor_from(name, entry, where));
    }
  }
  // Empty tensors share their place with the next one, so the end decides between equal begins.
  std::stable_sort(header.tensors.begin(), header.tensors.end(), [](const Tensor& a, const Tensor& b) {
    return std::pair(a.begin, a.end) < std::pair(b.begin, b.end);
  });
  check_places(header.tensors, where);
  header.data_bytes = header.tensors.empty() ? 0 : header.tensors.back().end;
  return header;
}

}  // namespace anneal::engine
