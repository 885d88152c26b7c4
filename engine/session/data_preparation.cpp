#include "engine/session/data_preparation.h"

#include <algorithm>

#include "datasets/encoding/dataset_encoding.h"
#include "kernels/core/json.h"
#include "kernels/core/sha256.h"

namespace anneal::engine {
namespace {

constexpr const char* kCacheVersion = "token cache 1";

// Everything that decides the tokens.
std::string cache_key(const std::vector<std::string>& files, const datasets::ReadOptions& reading,
                      const datasets::RowEncoder& encoder) {
  Sha256 hash;
  const auto add = [&](std::string_view text) {
    hash.add(text);
    hash.add("\n");
  };
  add(kCacheVersion);
  add(encoder.content_key());
  for (const auto& [role, column] : reading.columns) add(fmt::format("{}={}", role, column));
  add(fmt::format("split {} bad rows {}", static_cast<int>(reading.text_split), static_cast<int>(reading.bad_rows)));
  for (const std::string& file : files)
    add(std::filesystem::path(file).filename().string() + " " + sha256_of_file(file));
  return hash.hex();
}

// "12 × too long; the first: data.jsonl:7: …."
void add_sentences(const datasets::Findings& findings, std::vector<std::string>& sentences) {
  for (std::size_t kind = 0; kind < datasets::kFindingKinds; ++kind) {
    const int64_t count = findings.count(static_cast<datasets::FindingKind>(kind));
    if (count == 0) continue;
    const auto first = std::find_if(findings.kept().begin(), findings.kept().end(), [&](const auto& finding) {
      return static_cast<std::size_t>(finding.kind) == kind;
    });
    sentences.push_back(fmt::format("{} × {}; the first: {}.", count,
                                    datasets::spoken_name(static_cast<datasets::FindingKind>(kind)),
                                    first == findings.kept().end() ? "-" : datasets::describe(*first)));
  }
}

Json to_json(const DataFacts& facts) {
  return Json{{"format", facts.format},
              {"rows", facts.rows},
              {"encoded", facts.encoded},
              {"tokens", facts.tokens},
              {"label_tokens", facts.label_tokens},
              {"longest", facts.longest},
              {"sentences", facts.sentences}};
}

DataFacts facts_from(const std::string& text) {
  const Json json = parse_json(text, "token cache");
  DataFacts facts;
  facts.format = json.at("format").get<std::string>();
  facts.rows = json.at("rows").get<int64_t>();
  facts.encoded = json.at("encoded").get<int64_t>();
  facts.tokens = json.at("tokens").get<int64_t>();
  facts.label_tokens = json.at("label_tokens").get<int64_t>();
  facts.longest = json.at("longest").get<int64_t>();
  facts.sentences = json.at("sentences").get<std::vector<std::string>>();
  return facts;
}

void build_cache(const std::vector<std::string>& paths, const datasets::ReadOptions& reading,
                 const datasets::RowEncoder& encoder, const std::filesystem::path& path, const std::string& key,
                 int threads, const DataProgress& progress) {
  DataFacts facts;
  datasets::TokenCacheWriter writer(path, key);
  const datasets::EncodingReport report = datasets::encode_dataset(
      paths, reading, encoder, threads, [&](datasets::EncodedRow&& row, const datasets::Source& source) {
        writer.append(row.ids, row.labels, source.row);
        ++facts.encoded;
        facts.tokens += row.size();
        facts.label_tokens += row.label_count();
        facts.longest = std::max(facts.longest, row.size());
        if (progress) progress("Reading the data", facts.encoded);
      });
  facts.rows = report.reading.rows;
  facts.format = report.reading.format();
  for (const datasets::FileReading& file : report.reading.files) facts.sentences.push_back(file.reason);
  facts.sentences.insert(facts.sentences.end(), report.reading.notices.begin(), report.reading.notices.end());
  add_sentences(report.reading.findings, facts.sentences);
  add_sentences(report.findings, facts.sentences);
  writer.finish(to_text(to_json(facts)));
}

// Files that cannot be read are no files of a key: what is wrong with each of them is said.
std::string key_of_readable(const std::vector<std::string>& paths, const datasets::ReadOptions& reading,
                            const datasets::RowEncoder& encoder) {
  datasets::FileSelection selection = datasets::select_files(paths);
  std::string key;
  selection.errors.collect([&] { key = cache_key(selection.files, reading, encoder); });
  if (!selection.errors.empty()) {
    datasets::for_each_row(paths, reading, [](datasets::Row&&) {});
    selection.errors.throw_if_any();
  }
  return key;
}

}  // namespace

PreparedData prepare_data(const std::vector<std::string>& paths, const datasets::ReadOptions& reading,
                          const datasets::RowEncoder& encoder, const std::filesystem::path& cache_folder, int threads,
                          const DataProgress& progress) {
  const std::string key = key_of_readable(paths, reading, encoder);
  const std::filesystem::path path = cache_folder / (key.substr(0, 32) + ".h5");
  auto cache = datasets::TokenCache::open(path, key);
  if (!cache) {
    build_cache(paths, reading, encoder, path, key, threads, progress);
    cache = datasets::TokenCache::open(path, key);
  }
  if (!cache)
    throw device_error("{}: the token cache cannot be read back. Check that disk, or set ANNEAL_HOME to another one.",
                       path.string());
  DataFacts facts = facts_from(cache->summary());
  return {std::move(*cache), std::move(facts), key, path};
}

}  // namespace anneal::engine
