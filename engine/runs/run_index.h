#pragma once
// Where the runs of this machine are: a list of folders in ANNEAL_HOME/runs.jsonl, one JSON object a line. It holds
// nothing that the folders do not say themselves, so it may be deleted, and rebuilt from a walk through a folder.
// Several processes may use it at once; each call opens the file anew.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "engine/runs/run_record.h"

namespace anneal::engine {

struct ListedRun {
  std::string id;
  std::string name;
  std::filesystem::path folder;
  std::optional<RunFacts> facts = {};  // empty: see trouble
  std::string trouble = {};            // why there are no facts: the folder is gone, the record is damaged
};

class RunIndex {
 public:
  explicit RunIndex(std::filesystem::path home) : home_(std::move(home)) {}  // usually home_folder()

  // Remembers a run's folder; one that is known already stays once. Throws Error(kInput) if the folder holds no run or
  // the index cannot be written: worth a notice, never worth a run.
  void add(const std::filesystem::path& run_folder);
  // Newest first. A folder that is gone is listed with its trouble, unless the same run is found elsewhere.
  std::vector<ListedRun> list() const;
  // The folder of a run: a folder that holds one, or an id, or the beginning of an id that only one run has.
  std::filesystem::path find(const std::string& id_or_folder) const;
  // Drops folders that are gone; the number of them.
  int64_t forget_missing();
  // Adds every run found in `root`, at most eight folders deep, without following links; the number of them.
  int64_t rebuild_from(const std::filesystem::path& root);

 private:
  struct Entry {
    std::string id;
    std::string name;
    std::filesystem::path folder;
  };
  std::vector<Entry> read() const;
  void write(const std::vector<Entry>& entries) const;

  std::filesystem::path home_;
};

}  // namespace anneal::engine
