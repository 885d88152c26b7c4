#include "engine/runs/run_index.h"

#include <algorithm>
#include <fstream>
#include <set>

#include "engine/runs/file_lock.h"
#include "engine/runs/run_reader.h"
#include "kernels/core/error.h"

namespace anneal::engine {
namespace {

constexpr const char* kIndexFile = "runs.jsonl";
constexpr const char* kLockFile = "runs.lock";
constexpr std::size_t kMostEntries = 100000;
constexpr int kDeepest = 8;

// The same folder by another name is one run, not two.
std::filesystem::path settled(const std::filesystem::path& folder) {
  std::error_code error;
  const std::filesystem::path real = std::filesystem::canonical(folder, error);
  return error ? std::filesystem::absolute(folder).lexically_normal() : real;
}

std::string shown(const std::filesystem::path& path) { return printable(path.string(), 1000); }

}  // namespace

std::vector<RunIndex::Entry> RunIndex::read() const {
  std::ifstream file(home_ / kIndexFile, std::ios::binary);
  std::vector<Entry> entries;
  for (std::string line; entries.size() < kMostEntries && std::getline(file, line);) {
    try {
      const Json entry = parse_json(line, kIndexFile, {.depth = 4});
      entries.push_back({require<std::string>(entry, "id", kIndexFile), require<std::string>(entry, "name", kIndexFile),
                         require<std::string>(entry, "folder", kIndexFile)});
    } catch (const Error&) {
      // A broken line costs one entry, which a rebuild brings back.
    }
  }
  return entries;
}

void RunIndex::write(const std::vector<Entry>& entries) const {
  const std::filesystem::path file = home_ / kIndexFile;
  const std::filesystem::path beside = home_ / "runs.jsonl.partial";
  {
    std::ofstream out(beside, std::ios::binary | std::ios::trunc);
    for (const Entry& entry : entries) {
      out << to_text({{"id", entry.id}, {"name", entry.name}, {"folder", entry.folder.string()}}) << '\n';
    }
    out.flush();
    if (!out) throw input_error("{}: cannot be written. Make room, or set ANNEAL_HOME to another folder.", shown(file));
  }
  std::filesystem::rename(beside, file);
}

void RunIndex::add(const std::filesystem::path& run_folder) {
  const RunFacts facts = RunReader(run_folder).facts();
  const Entry entry{facts.id, facts.name, settled(run_folder)};
  const FileLock lock(home_ / kLockFile);
  std::vector<Entry> entries = read();
  std::erase_if(entries, [&](const Entry& known) { return known.folder == entry.folder; });
  entries.push_back(entry);
  if (entries.size() > kMostEntries) entries.erase(entries.begin());
  write(entries);
}

std::vector<ListedRun> RunIndex::list() const {
  std::vector<ListedRun> runs;
  std::set<std::string> present;
  for (const Entry& entry : read()) {
    ListedRun run{entry.id, entry.name, entry.folder};
    try {
      if (holds_a_run(entry.folder)) {
        run.facts = RunReader(entry.folder).facts();
        run.id = run.facts->id;
        run.name = run.facts->name;
        present.insert(run.id);
      } else {
        run.trouble = fmt::format("{}: the folder is gone or was moved. Name its new place.", shown(entry.folder));
      }
    } catch (const Error& error) {
      run.trouble = error.what();
      present.insert(run.id);
    }
    runs.push_back(std::move(run));
  }
  std::erase_if(
      runs, [&](const ListedRun& run) { return !run.facts && !holds_a_run(run.folder) && present.contains(run.id); });
  std::stable_sort(runs.begin(), runs.end(), [](const ListedRun& a, const ListedRun& b) {
    return (a.facts ? a.facts->created_ms : 0) > (b.facts ? b.facts->created_ms : 0);
  });
  return runs;
}

std::filesystem::path RunIndex::find(const std::string& id_or_folder) const {
  if (holds_a_run(id_or_folder)) return settled(id_or_folder);
  std::vector<std::filesystem::path> found;
  std::vector<std::string> ids;
  std::string trouble;
  for (const ListedRun& run : list()) {
    ids.push_back(run.id);
    if (id_or_folder.size() < 2 || !run.id.starts_with(id_or_folder)) continue;
    if (run.facts) {
      found.push_back(run.folder);
    } else {
      trouble = run.trouble;
    }
  }
  if (found.size() == 1) return found.front();
  if (found.empty() && !trouble.empty()) throw input_error("{}", trouble);
  if (found.empty()) {
    const std::string nearest = nearest_name(id_or_folder, ids);
    throw input_error("{}: no run has this id or folder. {}", printable(id_or_folder),
                      nearest.empty() ? "anneal runs list shows them." : fmt::format("Did you mean {}?", nearest));
  }
  std::vector<std::string> places;
  for (const auto& folder : found) places.push_back(shown(folder));
  throw input_error("{}: stands for {} runs: {}. Name the folder.", printable(id_or_folder), found.size(),
                    fmt::join(places, ", "));
}

int64_t RunIndex::forget_missing() {
  const FileLock lock(home_ / kLockFile);
  std::vector<Entry> entries = read();
  const auto dropped = std::erase_if(entries, [](const Entry& entry) { return !holds_a_run(entry.folder); });
  if (dropped > 0) write(entries);
  return static_cast<int64_t>(dropped);
}

int64_t RunIndex::rebuild_from(const std::filesystem::path& root) {
  namespace fs = std::filesystem;
  int64_t added = 0;
  const auto take = [&](const fs::path& folder) {
    try {
      if (!holds_a_run(folder)) return;
      add(folder);
      ++added;
    } catch (const DatabaseError&) {
      // Damaged: not a run that could be shown.
    }
  };
  take(root);
  std::error_code error;
  fs::recursive_directory_iterator at(root, fs::directory_options::skip_permission_denied, error);
  for (; !error && at != fs::recursive_directory_iterator(); at.increment(error)) {
    if (at.depth() >= kDeepest) at.disable_recursion_pending();
    std::error_code none;
    if (at->is_directory(none) && !at->is_symlink(none)) take(at->path());
  }
  return added;
}

}  // namespace anneal::engine
