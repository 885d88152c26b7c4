#include "engine/files/weight_folder.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <filesystem>
#include <set>
#include <utility>

#include "engine/files/open_file.h"
#include "engine/files/problem_list.h"
#include "engine/files/small_json.h"
#include "kernels/core/error.h"
#include "kernels/core/json.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;

constexpr const char* kSingle = "model.safetensors";
constexpr const char* kIndex = "model.safetensors.index.json";

struct Index {
  std::vector<std::string> files;                           // in the order of their names
  std::vector<std::pair<std::string, std::string>> places;  // tensor, file
};

// A shard is a file in the folder or below it; nothing else may be reached through a name in the index.
void check_shard_name(const std::string& name, const std::string& where) {
  const fs::path path(name);
  const bool climbs = std::any_of(path.begin(), path.end(), [](const fs::path& part) { return part == ".."; });
  if (name.empty() || path.is_absolute() || climbs || name.find('\0') != std::string::npos) {
    throw input_error(
        "{}: names \"{}\", which is not a file in its own folder. Do not use this model; it may be meant to "
        "read other files of yours.",
        where, printable(name));
  }
  if (!name.ends_with(".safetensors")) {
    throw input_error("{}: names \"{}\", which is no safetensors file. Convert the model to safetensors.", where,
                      printable(name));
  }
}

Index read_index(const std::string& path) {
  const std::string where = shown_path(path);
  const Json json = read_small_json(path);
  const auto map = json.is_object() ? json.find("weight_map") : json.end();
  if (map == json.end() || !map->is_object() || map->empty()) {
    throw input_error("{}: has no \"weight_map\" that says which file holds which tensor. Get a complete copy of it.",
                      where);
  }
  Index index;
  std::set<std::string> files;
  for (const auto& [tensor, file] : map->items()) {
    if (!file.is_string()) {
      throw input_error("{}: \"weight_map\" gives no file name for \"{}\". Get a complete copy of it.", where,
                        printable(tensor));
    }
    auto name = file.get<std::string>();
    if (files.insert(name).second) check_shard_name(name, where);
    index.places.emplace_back(tensor, std::move(name));
  }
  index.files.assign(files.begin(), files.end());
  return index;
}

// Why a folder without safetensors has none: a sentence for what lies there instead.
Error no_weights(const fs::path& folder) {
  const std::string where = shown_path(folder.string());
  std::error_code error;
  bool has_gguf = false;
  for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
    const std::string name = file->path().filename().string();
    if ((name.starts_with("pytorch_model") && name.ends_with(".bin")) || name.ends_with(".pt") ||
        name.ends_with(".pth")) {
      return input_error(
          "{}: its weights are in a pickle file ({}), which can run code when it is opened, so it is never "
          "opened here. Convert the model to safetensors.",
          where, printable(name));
    }
    has_gguf = has_gguf || name.ends_with(".gguf");
  }
  if (error) return input_error("{}: cannot be looked into ({}). Check its permissions.", where, error.message());
  if (has_gguf) return input_error("{}: has no {}, but a GGUF file. Give the path of that file.", where, kSingle);
  return input_error("{}: has neither {} nor {}. Get a complete copy of the model.", where, kSingle, kIndex);
}

std::vector<Problem> missing_files(const fs::path& base, const Index& index) {
  std::vector<Problem> missing;
  for (const std::string& name : index.files) {
    if (is_there((base / name).string())) continue;
    missing.push_back({shown_path((base / name).string()), "this part of the weights is missing",
                       "Copy or download it into the folder."});
  }
  return missing;
}

}  // namespace

WeightFolder WeightFolder::open(const std::string& folder) {
  WeightFolder weights;
  const fs::path base(folder);
  if (is_there((base / kSingle).string())) {
    weights.files_.push_back(SafetensorsFile::open((base / kSingle).string()));
    throw_if_any(weights.collect_entries());
    return weights;
  }
  if (!is_there((base / kIndex).string())) throw no_weights(base);
  const Index index = read_index((base / kIndex).string());
  throw_if_any(missing_files(base, index));
  for (const std::string& name : index.files) weights.files_.push_back(SafetensorsFile::open((base / name).string()));
  std::vector<Problem> problems = weights.collect_entries();
  for (const auto& [tensor, file] : index.places) {
    const auto found = weights.by_name_.find(tensor);
    const std::string path = (base / file).string();
    if (found != weights.by_name_.end() && weights.files_[weights.files_of_[found->second]].path() == path) continue;
    problems.push_back({printable(tensor),
                        fmt::format("the index places this tensor in {}, which does not hold it", shown_path(path)),
                        "Get a complete copy of the model."});
  }
  throw_if_any(std::move(problems));
  return weights;
}

// Views of the files, which must not move any more. Returns a Problem for each tensor that two files hold.
std::vector<Problem> WeightFolder::collect_entries() {
  std::vector<Problem> problems;
  for (std::size_t i = 0; i < files_.size(); ++i) {
    for (const TensorEntry& entry : files_[i].entries()) {
      const auto [place, is_new] = by_name_.emplace(entry.name, entries_.size());
      if (is_new) {
        entries_.push_back(&entry);
        files_of_.push_back(i);
      } else {
        problems.push_back(
            {printable(entry.name),
             fmt::format("this tensor stands in two files, {} and {}",
                         shown_path(files_[files_of_[place->second]].path()), shown_path(files_[i].path())),
             "Get a clean copy of the model."});
      }
    }
  }
  return problems;
}

const TensorEntry* WeightFolder::find(std::string_view name) const {
  const auto found = by_name_.find(name);
  return found == by_name_.end() ? nullptr : entries_[found->second];
}

const TensorEntry& WeightFolder::at(std::string_view name) const {
  const TensorEntry* entry = find(name);
  if (entry == nullptr) {
    throw input_error("tensor \"{}\" is missing from the weights. Get a complete copy of the model.", printable(name));
  }
  return *entry;
}

int64_t WeightFolder::bytes() const {
  int64_t sum = 0;
  for (const TensorEntry* entry : entries_) sum += entry->bytes;
  return sum;
}

WeightFolder WeightFolder::of_gguf(GgufFile file, std::vector<TensorEntry> entries) {
  WeightFolder weights;
  weights.gguf_.push_back(std::move(file));
  weights.renamed_ = std::move(entries);
  for (const TensorEntry& entry : weights.renamed_) {
    ensure(weights.by_name_.emplace(entry.name, weights.entries_.size()).second, "two tensors got one name");
    weights.entries_.push_back(&entry);
    weights.files_of_.push_back(0);
  }
  return weights;
}

const MappedFile& WeightFolder::file_of(const TensorEntry& entry) const {
  const auto found = by_name_.find(entry.name);
  ensure(found != by_name_.end() && entries_[found->second] == &entry, "a tensor is read through another folder");
  return gguf_.empty() ? files_[files_of_[found->second]].file() : gguf_.front().file();
}

const std::string& WeightFolder::path_of(const TensorEntry& entry) const { return file_of(entry).path(); }

void WeightFolder::read_as(const TensorEntry& entry, DType target, void* out) const {
  file_of(entry).check_unchanged();
  engine::read_as(entry, target, out);
}

std::string WeightFolder::fingerprint() const {
  constexpr int64_t kSamples = 8;
  constexpr int64_t kSampleBytes = 512;
  std::vector<const TensorEntry*> by_name = entries_;  // the same whether in shards or not
  std::sort(by_name.begin(), by_name.end(), [](const auto* a, const auto* b) { return a->name < b->name; });
  Sha256 hash;
  for (const TensorEntry* entry : by_name) {
    const std::string_view type = entry->block_type == nullptr ? name_of(entry->dtype) : entry->block_type->name;
    hash.add(fmt::format("{} {} {}\n", entry->name, type, fmt::join(entry->shape, "x")));
    const int64_t bytes = static_cast<int64_t>(entry->bytes);
    const int64_t sample = std::min(bytes, kSampleBytes);
    for (int64_t i = 0; i < kSamples; ++i) {
      const int64_t begin = (bytes - sample) * i / (kSamples - 1);
      hash.add(std::string_view(reinterpret_cast<const char*>(entry->data) + begin, static_cast<std::size_t>(sample)));
      if (bytes <= kSampleBytes) break;
    }
  }
  return hash.hex();
}

void WeightFolder::release() const {
  for (const SafetensorsFile& file : files_) file.file().release();
  for (const GgufFile& file : gguf_) file.file().release();
}

std::optional<Problem> find_non_finite(const WeightFolder& weights) {
  for (const TensorEntry* entry : weights.entries()) {
    std::optional<int64_t> place;
    if (entry->block_type == nullptr) {
      place = first_non_finite(entry->data, entry->dtype, entry->elements());
    } else {
      std::vector<float> values(static_cast<std::size_t>(entry->elements()));
      weights.read_as(*entry, DType::kF32, values.data());
      place = first_non_finite(values.data(), DType::kF32, entry->elements());
    }
    if (!place) continue;
    return Problem{fmt::format("{}, tensor \"{}\"", shown_path(weights.path_of(*entry)), printable(entry->name)),
                   fmt::format("element {} is not a finite number", *place),
                   "Get a clean copy of the model, or an earlier checkpoint."};
  }
  return std::nullopt;
}

}  // namespace anneal::engine
