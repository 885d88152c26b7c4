#include "engine/architecture/models_on_disk.h"

#include <algorithm>
#include <cstdlib>
#include <set>
#include <utility>

#include "engine/architecture/gguf_model.h"
#include "engine/architecture/model_summary.h"
#include "kernels/core/error.h"
#include "kernels/core/home_folder.h"

namespace anneal::engine {
namespace {

namespace fs = std::filesystem;

constexpr int kDeepest = 8;
constexpr std::string_view kCachedModel = "models--";  // models--owner--name/snapshots/<revision>

fs::path absolute_path_in(const char* variable) {
  const char* value = std::getenv(variable);
  const fs::path path = value == nullptr ? "" : value;
  return path.is_absolute() ? path : fs::path();
}

fs::path hugging_face_cache() {
  if (const fs::path cache = absolute_path_in("HF_HUB_CACHE"); !cache.empty()) return cache;
  if (const fs::path home = absolute_path_in("HF_HOME"); !home.empty()) return home / "hub";
  if (const fs::path cache = absolute_path_in("XDG_CACHE_HOME"); !cache.empty()) return cache / "huggingface/hub";
  if (const fs::path home = absolute_path_in("HOME"); !home.empty()) return home / ".cache/huggingface/hub";
  return {};
}

bool is_file(const fs::path& path) {
  std::error_code error;
  return fs::is_regular_file(path, error);
}

std::string name_of(const fs::path& path) {
  for (const fs::path& part : path) {
    std::string name = part.string();
    if (!name.starts_with(kCachedModel)) continue;
    name.erase(0, kCachedModel.size());
    if (const std::size_t gap = name.find("--"); gap != std::string::npos) name.replace(gap, 2, "/");
    return path.extension() == ".gguf" ? name + "/" + path.filename().string() : name;
  }
  return path.filename().string();
}

// A config.json alone may describe anything; a language model's names what it is.
bool describes_a_model(const Json& summary) { return summary.at("architecture") != ""; }

bool holds_weights(const fs::path& folder) {
  return is_file(folder / "model.safetensors") || is_file(folder / "model.safetensors.index.json");
}

Json damaged(const std::string& reason) {
  return {{"architecture", nullptr}, {"family", nullptr},  {"parameters", nullptr}, {"dtype", nullptr},
          {"tensors", nullptr},      {"context", nullptr}, {"trainable", false},    {"reason", reason}};
}

class Walk {
 public:
  explicit Walk(const std::function<bool(ModelOnDisk)>& found) : found_(found) {}

  // False: the person wants no more.
  bool enter(const fs::path& folder, int depth) {
    std::error_code error;
    const fs::path real = fs::canonical(folder, error);
    if (error || !seen_.insert(real).second || is_file(real / "run.sqlite") || is_file(real / kMadeFromGguf))
      return true;
    if (is_file(real / "config.json") && is_model(real)) return found_(std::move(model_));
    const Content content = content_of(real);
    for (const fs::path& file : content.gguf_files) {
      if (!seen_.insert(file).second) continue;
      if (!found_(gguf_model(file))) return false;
    }
    if (depth == kDeepest) return true;
    for (const fs::path& inner : content.folders) {
      if (!enter(inner, depth + 1)) return false;
    }
    return true;
  }

 private:
  bool is_model(const fs::path& folder) {
    try {
      model_ = {name_of(folder), folder, inspect_model_folder(folder.string())};
    } catch (const Error& error) {
      if (!holds_weights(folder)) return false;  // some other program's config.json
      model_ = {name_of(folder), folder, damaged(error.what())};
      return true;
    }
    return describes_a_model(model_.summary);
  }

  static ModelOnDisk gguf_model(const fs::path& file) {
    try {
      return {name_of(file), file, inspect_gguf(file.string())};
    } catch (const Error& error) {
      return {name_of(file), file, damaged(error.what())};
    }
  }

  struct Content {
    std::vector<fs::path> folders;
    std::vector<fs::path> gguf_files;
  };

  // By name; links to folders are left out, links to files are not: the Hugging Face cache is made of them.
  static Content content_of(const fs::path& folder) {
    Content content;
    std::error_code error;
    for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
      std::error_code unreadable;
      const std::string name = at->path().filename().string();
      if (name.starts_with('.')) continue;
      if (at->is_directory(unreadable) && !at->is_symlink(unreadable)) {
        content.folders.push_back(at->path());
      } else if (name.ends_with(".gguf") && at->is_regular_file(unreadable)) {
        content.gguf_files.push_back(at->path());
      }
    }
    std::sort(content.folders.begin(), content.folders.end());
    std::sort(content.gguf_files.begin(), content.gguf_files.end());
    return content;
  }

  const std::function<bool(ModelOnDisk)>& found_;
  std::set<fs::path> seen_;
  ModelOnDisk model_;
};

}  // namespace

std::vector<fs::path> usual_model_places() {
  std::vector<fs::path> places;
  if (fs::path cache = hugging_face_cache(); !cache.empty()) places.push_back(std::move(cache));
  try {
    places.push_back(home_folder() / "models");
  } catch (const Error&) {
    // No home folder is known: then nothing of ours lies there.
  }
  return places;
}

void find_models(const std::vector<fs::path>& places, const std::function<bool(ModelOnDisk)>& found) {
  Walk walk(found);
  for (const fs::path& place : places) {
    if (!walk.enter(place, 0)) return;
  }
}

}  // namespace anneal::engine
