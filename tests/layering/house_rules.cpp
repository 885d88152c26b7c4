#include "tests/layering/house_rules.h"

namespace anneal::tests {
namespace {

const std::vector<std::string> kCore{"kernels/core/"};

std::vector<Layer> layers() {
  return {
      // Numbers.
      {"kernels/core/", kCore},
      {"*.cu", {"kernels/core/", "kernels/ops/", "kernels/cuda/", "kernels/backend.", "kernels/op_list."}},
      {"*.cuh", {"kernels/core/", "kernels/ops/", "kernels/cuda/"}},
      {"*.cpu.cpp", {"kernels/core/", "kernels/ops/", "kernels/cpu/"}},
      {"*-inl.h", {"kernels/core/", "kernels/ops/", "kernels/cpu/"}},  // parts of a .cpu.cpp
      {"*.ref.cpp", {"kernels/core/", "kernels/ops/", "kernels/reference/"}},
      {"kernels/ops/", {"kernels/core/", "kernels/ops/"}},
      {"kernels/", {"kernels/"}},  // the backends see the ops; the plugin of cards is opened at run time

      // A person's files.
      {"datasets/", {"kernels/core/", "datasets/"}},

      // The engine. What stands below the rest of it uses only the vocabulary.
      {"engine/recipe/", {"kernels/core/", "engine/recipe/"}},
      {"engine/runs/", {"kernels/core/", "engine/runs/"}},
      {"engine/files/", {"kernels/core/", "engine/files/"}},
      {"engine/downloads/", {"kernels/core/", "engine/downloads/"}},
      {"engine/", {"kernels/", "datasets/", "engine/"}},

      // Front ends.
      {"app/tune/", {"kernels/", "datasets/", "engine/", "app/tune/"}},
      {"ui/tasks/", {"kernels/", "datasets/", "engine/", "ui/tasks/"}},  // off the window's thread; the rest sees values
      {"ui/",
       {"kernels/core/", "engine/session/event_text.", "engine/recipe/", "engine/runs/run_record.",
        "engine/training/events.", "ui/"}},
      {"app/studio/", {"kernels/core/", "datasets/", "engine/", "ui/", "app/studio/"}},

      {"tests/", {"kernels/", "datasets/", "engine/", "app/", "ui/", "tests/"}},
  };
}

std::vector<Library> libraries() {
  return {
      {"{fmt}", {"fmt/"}, {""}},
      {"nlohmann-json", {"nlohmann/"}, {""}},
      {"GoogleTest", {"gtest/", "gmock/"}, {"tests/"}},
      {"OpenMP", {"omp.h"}, {"kernels/", "datasets/"}},
      {"vector intrinsics", {"immintrin.h", "xmmintrin.h", "arm_neon.h", "cpuid.h"}, {"kernels/cpu/", "*.cpu.cpp"}},
      {"Highway", {"hwy/"}, {"kernels/cpu/", "*.cpu.cpp"}},
      {"CUDA",
       {"cuda", "cublas", "cudnn", "nccl", "nvml", "nvrtc", "cooperative_groups", "cub/", "thrust/"},
       {"kernels/cuda/", "*.cu", "*.cuh"}},
      {"HDF5", {"hdf5", "H5"}, {"datasets/cache/"}},
      {"PCRE2", {"pcre2"}, {"datasets/tokenizers/"}},
      {"ICU", {"unicode/"}, {"datasets/tokenizers/"}},
      {"utf8proc", {"utf8proc"}, {"datasets/tokenizers/", "datasets/templates/"}},
      {"SentencePiece", {"sentencepiece"}, {"datasets/tokenizers/"}},
      {"zlib", {"zlib.h", "zconf.h"}, {"datasets/formats/"}},
      {"zstd", {"zstd"}, {"datasets/formats/"}},
      {"Arrow", {"arrow/", "parquet/"}, {"datasets/parquet/"}},
      {"SQLite", {"sqlite3"}, {"engine/runs/", "tests/engine/runs/"}},
      {"OpenSSL", {"openssl/"}, {"kernels/core/"}},
      {"libcurl", {"curl/"}, {"engine/downloads/"}},
      {"MPI", {"mpi.h"}, {"kernels/mpi/"}},
      {"Qt Charts",
       {"QtCharts", "QChart", "QAbstractSeries", "QAbstractAxis", "QXYSeries", "QLineSeries", "QAreaSeries",
        "QScatterSeries", "QBarSe", "QBarCategory", "QValueAxis", "QLogValueAxis"},
       {"ui/charts/"}},
      {"Qt", {"Q"}, {"ui/", "app/studio/"}},
  };
}

// Written in two pieces, so that this file passes its own test.
std::vector<std::string> forbidden_texts() {
  const auto joined = [](const char* first, const char* second) { return std::string(first) + second; };
  return {joined("/wo", "rk/"),
          joined("/fa", "rm/"),
          joined("/ro", "ot/"),
          joined("/ho", "me/"),
          joined("deb.deb", "ian.org"),
          joined("py", "pi.org"),
          joined("files.python", "hosted"),
          joined("registry.np", "mjs")};
}

std::vector<std::string> unfinished_words() {
  const auto joined = [](const char* first, const char* second) { return std::string(first) + second; };
  return {joined("TO", "DO"), joined("FIX", "ME"), joined("XX", "X"), joined("HA", "CK")};
}

}  // namespace

bool is_at(std::string_view path, std::string_view place) {
  return place.starts_with('*') ? path.ends_with(place.substr(1)) : path.starts_with(place);
}

const HouseRules& house_rules() {
  static const HouseRules rules{
      .top_folders = {"app", "datasets", "engine", "installers", "kernels", "resources", "tests", "ui"},
      .layers = layers(),
      .libraries = libraries(),
      .system_headers = {"dlfcn.h", "fcntl.h", "fenv.h", "glob.h", "grp.h", "poll.h", "pthread.h", "pwd.h", "sched.h",
                         "signal.h", "spawn.h", "strings.h", "sys/", "termios.h", "unistd.h", "cxxabi.h", "execinfo.h",
                         "linux/", "sanitizer/"},
      .forbidden_texts = forbidden_texts(),
      .unfinished_words = unfinished_words(),
  };
  return rules;
}

}  // namespace anneal::tests
