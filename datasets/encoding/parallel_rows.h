#pragma once
// Rows read by one thread, worked on by many, and handed on in their order.

#include <functional>
#include <string>
#include <vector>

#include "datasets/formats/reader.h"

namespace anneal::datasets {

// Calls work(i) for i in [0, count) on `threads` threads, this one among them. The first exception is thrown
// afterwards.
void run_in_parallel(std::size_t count, int threads, const std::function<void(std::size_t)>& work);

// Reads rows as for_each_row() does. work(row) runs on any thread, consume(row, result) on the calling one and in
// order. Memory holds one stretch of rows at a time.
template <class Result>
ReadReport for_each_row_in_parallel(const std::vector<std::string>& paths, const ReadOptions& options, int threads,
                                    const std::function<Result(const Row&)>& work,
                                    const std::function<void(const Row&, Result&&)>& consume) {
  constexpr std::size_t kStretch = 512;
  std::vector<Row> rows;
  std::vector<Result> results;
  const auto finish_stretch = [&] {
    results.clear();
    results.resize(rows.size());
    run_in_parallel(rows.size(), threads, [&](std::size_t i) { results[i] = work(rows[i]); });
    for (std::size_t i = 0; i < rows.size(); ++i) consume(rows[i], std::move(results[i]));
    rows.clear();
  };
  ReadReport report = for_each_row(paths, options, [&](Row&& row) {
    // A document may be large; it is not kept waiting for others.
    const auto* document = std::get_if<Document>(&row.content);
    const bool is_large = document != nullptr && document->text.size() > (std::size_t{1} << 20);
    rows.push_back(std::move(row));
    if (rows.size() == kStretch || is_large) finish_stretch();
  });
  finish_stretch();
  return report;
}

}  // namespace anneal::datasets
