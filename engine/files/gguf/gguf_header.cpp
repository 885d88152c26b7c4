#include "engine/files/gguf/gguf_header.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <set>
#include <utility>

#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

constexpr int64_t kDefaultAlignment = 32;
constexpr int64_t kLargestAlignment = 1 << 20;
constexpr int64_t kMostDimensions = 4;
constexpr int64_t kLongestName = 65535;
constexpr int64_t kMostEntries = int64_t{1} << 22;  // of a list: several times the largest vocabularies
constexpr const char* kGetCopy = "Get a complete copy of it.";

// What a value is, by the number in the file.
enum class Kind : uint32_t { kU8, kI8, kU16, kI16, kU32, kI32, kF32, kBool, kString, kArray, kU64, kI64, kF64 };

int64_t least_bytes(Kind kind) {  // of one value
  constexpr std::array<int64_t, 13> kBytes{1, 1, 2, 2, 4, 4, 4, 1, 8, 12, 8, 8, 8};
  return kBytes[static_cast<std::size_t>(kind)];
}

// By their number in the file; an empty name was never given out or is withdrawn.
constexpr std::array<std::string_view, 41> kTypeNames{
    "F32",   "F16",    "Q4_0",  "Q4_1", "",     "",        "Q5_0",   "Q5_1",    "Q8_0",  "Q8_1",   "Q2_K",
    "Q3_K",  "Q4_K",   "Q5_K",  "Q6_K", "Q8_K", "IQ2_XXS", "IQ2_XS", "IQ3_XXS", "IQ1_S", "IQ4_NL", "IQ3_S",
    "IQ2_S", "IQ4_XS", "I8",    "I16",  "I32",  "I64",     "F64",    "IQ1_M",   "BF16",  "",       "",
    "",      "TQ1_0",  "TQ2_0", "",     "",     "",        "MXFP4",  "NVFP4"};

class Cursor {
 public:
  Cursor(std::string_view bytes, const std::string& where) : bytes_(bytes), where_(where) {}

  int64_t left() const { return static_cast<int64_t>(bytes_.size()) - at_; }
  int64_t at() const { return at_; }

  std::string_view take(uint64_t count) {
    if (count > static_cast<uint64_t>(left())) {
      throw input_error("{}: file ends within its header, in {}. {}", where_, part_, kGetCopy);
    }
    const std::string_view taken = bytes_.substr(static_cast<std::size_t>(at_), static_cast<std::size_t>(count));
    at_ += static_cast<int64_t>(count);
    return taken;
  }

  template <class T>
  T number() {
    T value;
    std::memcpy(&value, take(sizeof(T)).data(), sizeof(T));
    return value;
  }

  std::string text() { return std::string(take(number<uint64_t>())); }

  // A key or a tensor's name.
  std::string name() {
    std::string name = text();
    if (name.empty() || static_cast<int64_t>(name.size()) > kLongestName || name.find('\0') != std::string::npos) {
      throw input_error("{}: {} has an impossible name. It is damaged; get a complete copy of it.", where_, part_);
    }
    return name;
  }

  // How many things of at least so many bytes follow.
  int64_t count(int64_t least) {
    const auto value = number<uint64_t>();
    if (value > static_cast<uint64_t>(left() / least)) {
      throw input_error(
          "{}: {} counts {} entries, more than the file has room for. It is damaged or cut short; get a "
          "complete copy of it.",
          where_, part_, value);
    }
    return static_cast<int64_t>(value);
  }

  void enter(std::string part) { part_ = std::move(part); }  // what is being read, for sentences

 private:
  std::string_view bytes_;
  const std::string& where_;
  int64_t at_ = 0;
  std::string part_ = "its beginning";
};

Kind read_kind(Cursor& cursor, const std::string& key, const std::string& where) {
  const auto number = cursor.number<uint32_t>();
  if (number > static_cast<uint32_t>(Kind::kF64)) {
    throw input_error(
        "{}: the value of \"{}\" is of a kind ({}) that GGUF does not have. It is damaged; get a complete "
        "copy of it.",
        where, printable(key), number);
  }
  return static_cast<Kind>(number);
}

Json read_value(Cursor& cursor, Kind kind, const std::string& key, const std::string& where) {
  switch (kind) {
    case Kind::kU8:
      return cursor.number<uint8_t>();
    case Kind::kI8:
      return cursor.number<int8_t>();
    case Kind::kU16:
      return cursor.number<uint16_t>();
    case Kind::kI16:
      return cursor.number<int16_t>();
    case Kind::kU32:
      return cursor.number<uint32_t>();
    case Kind::kI32:
      return cursor.number<int32_t>();
    case Kind::kF32:
      return cursor.number<float>();
    case Kind::kBool:
      return cursor.number<uint8_t>() != 0;
    case Kind::kString:
      return cursor.text();
    case Kind::kU64:
      return cursor.number<uint64_t>();
    case Kind::kI64:
      return cursor.number<int64_t>();
    case Kind::kF64:
      return cursor.number<double>();
    case Kind::kArray:
      break;
  }
  const Kind inner = read_kind(cursor, key, where);
  if (inner == Kind::kArray) {
    throw input_error("{}: \"{}\" is a list of lists, which no known model needs. {}", where, printable(key), kGetCopy);
  }
  const int64_t count = cursor.count(least_bytes(inner));
  if (count > kMostEntries) {
    throw input_error("{}: \"{}\" is a list of {} entries; at most {} are read. {}", where, printable(key), count,
                      kMostEntries, kGetCopy);
  }
  Json::array_t values;
  values.reserve(static_cast<std::size_t>(count));
  for (int64_t i = 0; i < count; ++i) values.push_back(read_value(cursor, inner, key, where));
  return values;
}

void check_beginning(std::string_view bytes, const std::string& where) {
  if (bytes.empty()) throw input_error("{}: the file is empty. {}", where, kGetCopy);
  if (bytes.starts_with("version https://git-lfs")) {
    throw input_error(
        "{}: this is a git-lfs pointer, not the model. Run \"git lfs pull\" in its folder, or download the "
        "file itself.",
        where);
  }
  if (!bytes.starts_with("GGUF")) {
    throw input_error("{}: does not begin as a GGUF file does. Download the file itself.", where);
  }
}

void check_version(uint32_t version, const std::string& where) {
  if (version == 2 || version == 3) return;
  if ((version & 0xFFFFu) == 0 && version != 0) {
    throw input_error("{}: is written for big-endian machines. Get the file for ordinary (little-endian) ones.", where);
  }
  throw input_error("{}: is GGUF of version {}; versions 2 and 3 are read. Convert the model anew.", where, version);
}

Json read_metadata(Cursor& cursor, int64_t count, const std::string& where) {
  Json::object_t metadata;
  std::set<std::string, std::less<>> known;
  for (int64_t i = 0; i < count; ++i) {
    cursor.enter(fmt::format("key {} of {}", i + 1, count));
    std::string key = cursor.name();
    cursor.enter(fmt::format("the value of \"{}\"", printable(key)));
    if (!known.insert(key).second) {
      throw input_error("{}: \"{}\" stands in it twice. {}", where, printable(key), kGetCopy);
    }
    Json value = read_value(cursor, read_kind(cursor, key, where), key, where);
    metadata.emplace_back(std::move(key), std::move(value));
  }
  return metadata;
}

void set_type(TensorEntry& entry, uint32_t number, const std::string& where) {
  const std::string_view name = number < kTypeNames.size() ? kTypeNames[number] : std::string_view();
  if (const BlockType* type = block_type_named(name)) {
    entry.block_type = type;
  } else if (const std::optional<DType> dtype = name.empty() ? std::nullopt : dtype_from_name(name)) {
    entry.dtype = *dtype;
  } else {
    throw input_error(
        "{}: tensor \"{}\" is stored as {}, which is not read here. Get the model in F32, F16, BF16, Q8_0, "
        "Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K or Q6_K.",
        where, printable(entry.name), name.empty() ? fmt::format("type {}", number) : std::string(name));
  }
}

// Shape, outermost first, and the bytes that it takes.
void read_shape(Cursor& cursor, TensorEntry& entry, const std::string& where) {
  const auto dimensions = cursor.number<uint32_t>();
  if (dimensions > kMostDimensions) {
    throw input_error(
        "{}: tensor \"{}\" has {} dimensions; at most {} are possible. It is damaged; get a complete copy "
        "of it.",
        where, printable(entry.name), dimensions, kMostDimensions);
  }
  for (uint32_t i = 0; i < dimensions; ++i) {
    const auto size = cursor.number<uint64_t>();
    if (size == 0 || size > uint64_t{std::numeric_limits<int64_t>::max()}) {
      throw input_error("{}: tensor \"{}\" has the impossible size {}. It is damaged; get a complete copy of it.",
                        where, printable(entry.name), size);
    }
    entry.shape.insert(entry.shape.begin(), static_cast<int64_t>(size));
  }
}

void set_bytes(TensorEntry& entry, const std::string& where) {
  const int64_t per_block = entry.block_type == nullptr ? 1 : entry.block_type->elements;
  const int64_t row = entry.shape.empty() ? 1 : entry.shape.back();
  if (row % per_block != 0) {
    throw input_error("{}: tensor \"{}\" has rows of {}, which blocks of {} ({}) do not fill. {}", where,
                      printable(entry.name), row, per_block, entry.block_type->name, kGetCopy);
  }
  int64_t bytes = entry.block_type == nullptr ? size_of(entry.dtype) : entry.block_type->bytes;
  bool is_too_much = __builtin_mul_overflow(bytes, row / per_block, &bytes);
  for (std::size_t i = 0; i + 1 < entry.shape.size(); ++i) {
    is_too_much = is_too_much || __builtin_mul_overflow(bytes, entry.shape[i], &bytes);
  }
  if (is_too_much) {
    throw input_error(
        "{}: tensor \"{}\" of shape {} is larger than any memory. It is damaged; get a complete copy of it.", where,
        printable(entry.name), shape_text(entry.shape));
  }
  entry.bytes = bytes;
}

int64_t alignment_of(const Json& metadata, const std::string& where) {
  const auto found = metadata.find("general.alignment");
  if (found == metadata.end()) return kDefaultAlignment;
  const bool is_number = found->is_number_unsigned() && found->get<uint64_t>() <= uint64_t{kLargestAlignment};
  const int64_t alignment = is_number ? found->get<int64_t>() : 0;
  if (alignment < 1 || (alignment & (alignment - 1)) != 0) {
    throw input_error(
        "{}: \"general.alignment\" is no power of two up to {}. It is damaged; get a complete copy of it.", where,
        kLargestAlignment);
  }
  return alignment;
}

void check_is_whole_model(const Json& metadata, const std::string& where) {
  const auto split = metadata.find("split.count");
  if (split == metadata.end() || !split->is_number_integer() || split->get<int64_t>() <= 1) return;
  throw input_error(
      "{}: is one of {} parts of a model. Join them with llama.cpp's gguf-split --merge, or get the model as "
      "one file.",
      where, split->get<int64_t>());
}

// Sorted by place: within the file, aligned, and none over another.
void check_places(const GgufHeader& header, int64_t file_bytes, int64_t alignment, const std::string& where) {
  const GgufHeader::Tensor* before = nullptr;
  for (const GgufHeader::Tensor& tensor : header.tensors) {
    const std::string name = printable(tensor.entry.name);
    if (tensor.begin % alignment != 0) {
      throw input_error(
          "{}: tensor \"{}\" does not lie at a multiple of {} bytes. It is damaged; get a complete copy of "
          "it.",
          where, name, alignment);
    }
    if (before != nullptr && tensor.begin < before->begin + before->entry.bytes) {
      throw input_error("{}: the tensors \"{}\" and \"{}\" overlap. It is damaged; get a complete copy of it.", where,
                        printable(before->entry.name), name);
    }
    const int64_t room = file_bytes - header.data_begin;
    if (tensor.begin > room || tensor.entry.bytes > room - tensor.begin) {
      throw input_error("{}: file ends before the end of tensor \"{}\". {}", where, name, kGetCopy);
    }
    before = &tensor;
  }
}

}  // namespace

GgufHeader parse_gguf_header(std::string_view bytes, const std::string& where) {
  constexpr int64_t kLeastTensor = 8 + 4 + 4 + 8;  // name's length, dimensions, type, place
  constexpr int64_t kLeastKey = 8 + 4 + 1;         // name's length, kind, a small value
  check_beginning(bytes, where);
  Cursor cursor(bytes, where);
  cursor.take(4);
  check_version(cursor.number<uint32_t>(), where);
  cursor.enter("the number of tensors");
  const int64_t tensors = cursor.count(kLeastTensor);
  cursor.enter("the number of keys");
  const int64_t keys = cursor.count(kLeastKey);

  GgufHeader header;
  header.metadata = read_metadata(cursor, keys, where);
  check_is_whole_model(header.metadata, where);
  const int64_t alignment = alignment_of(header.metadata, where);
  std::set<std::string, std::less<>> known;
  for (int64_t i = 0; i < tensors; ++i) {
    cursor.enter(fmt::format("tensor {} of {}", i + 1, tensors));
    GgufHeader::Tensor tensor;
    tensor.entry.name = cursor.name();
    if (!known.insert(tensor.entry.name).second) {
      throw input_error("{}: tensor \"{}\" stands in it twice. {}", where, printable(tensor.entry.name), kGetCopy);
    }
    read_shape(cursor, tensor.entry, where);
    set_type(tensor.entry, cursor.number<uint32_t>(), where);
    set_bytes(tensor.entry, where);
    const auto place = cursor.number<uint64_t>();
    if (place > bytes.size()) {
      throw input_error("{}: tensor \"{}\" lies beyond the file's end. {}", where, printable(tensor.entry.name),
                        kGetCopy);
    }
    tensor.begin = static_cast<int64_t>(place);
    header.tensors.push_back(std::move(tensor));
  }
  header.data_begin = (cursor.at() + alignment - 1) / alignment * alignment;
  std::sort(header.tensors.begin(), header.tensors.end(),
            [](const auto& a, const auto& b) { return a.begin < b.begin; });
  check_places(header, static_cast<int64_t>(bytes.size()), alignment, where);
  return header;
}

}  // namespace anneal::engine
