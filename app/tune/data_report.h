#pragma once
// What `anneal data` prints for people: a data set's summary, a row with what is learned of it.

#include <string>

#include "datasets/doctor/dataset_summary.h"
#include "datasets/doctor/row_preview.h"
#include "engine/session/row_encoding.h"

namespace anneal::tune {

// `encoding` is null without a model: then no tokens were counted.
void show_summary(const datasets::DatasetSummary& summary, const engine::RowEncoding* encoding);

// Learned tokens stand between « and », on a terminal in green as well.
void show_row(const datasets::Row& row, const datasets::RowPreviews& previews);

// Why there is nothing to train on; empty if there is something.
std::string nothing_usable(const datasets::DatasetSummary& summary, const std::string& data);

}  // namespace anneal::tune
