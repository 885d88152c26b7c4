#include "datasets/formats/reader.h"

#include <deque>

#include "datasets/formats/recognition.h"
#include "datasets/formats/record_reader.h"
#include "datasets/formats/text_source.h"
#include "kernels/core/error.h"

namespace anneal::datasets {
namespace {

// The format is chosen from the first records: so many, or as many as so many bytes of text hold.
constexpr std::size_t kFirstRecords = 32;
constexpr int64_t kFirstBytes = int64_t{4} << 20;

using RowSink = std::function<void(Row&&)>;

class FileRows {
 public:
  FileRows(const std::string& path, const ReadOptions& options, ReadReport& report, int64_t& row_number)
      : options_(options), report_(report), row_number_(row_number), text_(path, options.limits) {
    reading_.path = path;
  }

  void read(const RowSink& on_row) {
    ContainerFinding container = recognise_container(text_.head(), text_.path());
    if (options_.container) container.container = *options_.container;
    reading_.container = container.container;
    reading_.reason = fmt::format("{}: {}, as {}", printable(text_.path(), 400), name_of(container.container),
                                  options_.container ? "was asked for" : container.reason);
    records_ = open_records(text_, container, options_.text_split, options_.limits);
    read_first_records();
    if (!first_.empty()) read_all(on_row);
    reading_.reason += '.';
    report_.files.push_back(std::move(reading_));
  }

 private:
  void read_first_records() {
    const int64_t begin = text_.position();
    while (first_.size() < kFirstRecords && (first_.empty() || text_.position() - begin < kFirstBytes)) {
      std::optional<RecordItem> item = records_->next();
      if (!item) return;
      if (auto* bad = std::get_if<BadRecord>(&*item); bad != nullptr && first_.empty()) {
        report_bad(std::move(*bad));
      } else {
        first_.push_back(*std::move(item));
      }
    }
  }

  void read_all(const RowSink& on_row) {
    std::vector<const Record*> good;
    for (const RecordItem& item : first_) {
      if (const auto* record = std::get_if<Record>(&item)) good.push_back(record);
    }
    const Recognition recognition =
        recognise_format(good, options_.columns, reading_.container == Container::kDelimited, text_.path());
    reading_.format = recognition.format->name;
    reading_.reason += fmt::format("; {}: {}", recognition.format->name, recognition.reason);
    for (; !first_.empty(); first_.pop_front()) take(std::move(first_.front()), recognition, on_row);
    while (std::optional<RecordItem> item = records_->next()) take(*std::move(item), recognition, on_row);
  }

  void take(RecordItem&& item, const Recognition& recognition, const RowSink& on_row) {
    if (auto* bad = std::get_if<BadRecord>(&item)) return report_bad(std::move(*bad));
    const Record& record = std::get<Record>(item);
    Row row;
    try {
      row.content = recognition.format->read(RowFields(record.columns, recognition.binding));
    } catch (const BadRow& problem) {
      return report_bad(BadRecord{record.line, 0, problem.what()}, FindingKind::kBadRow);
    }
    row.source = Source{text_.path(), record.line, ++row_number_};
    ++reading_.rows;
    ++report_.rows;
    on_row(std::move(row));
  }

  void report_bad(BadRecord bad, FindingKind kind = FindingKind::kBadLine) {
    if (options_.bad_rows == BadRows::kStop) stop_at(bad);
    report_.findings.add(
        Finding{Source{text_.path(), bad.line, ++row_number_}, kind, std::move(bad.message), bad.column});
  }

  [[noreturn]] void stop_at(const BadRecord& bad) const {
    const Finding finding{Source{text_.path(), bad.line, 0}, FindingKind::kBadLine, bad.message, bad.column};
    throw input_error("{}. Correct it, or choose to skip bad rows (bad_rows=skip).", describe(finding));
  }

  const ReadOptions& options_;
  ReadReport& report_;
  int64_t& row_number_;
  TextSource text_;
  std::unique_ptr<RecordReader> records_;
  std::deque<RecordItem> first_;  // from the first good record on: already read, not yet handed on
  FileReading reading_;
};

void refuse_empty(const ReadReport& report, const std::vector<std::string>& paths) {
  const std::string name = paths.size() == 1 ? printable(paths.front(), 400) : fmt::format("{} paths", paths.size());
  if (report.findings.total() == 0) {
    throw input_error("{}: holds no rows. Give a file with at least one.", name);
  }
  throw input_error("{}: no row is usable, {} are bad. The first: {}.", name, report.findings.total(),
                    describe(report.findings.kept().front()));
}

}  // namespace

std::string ReadReport::format() const {
  std::string name;
  for (const FileReading& file : files) {
    if (file.format.empty()) continue;
    if (!name.empty() && name != file.format) return "mixed";
    name = file.format;
  }
  return name;
}

ReadReport for_each_row(const std::vector<std::string>& paths, const ReadOptions& options,
                        const std::function<void(Row&&)>& on_row) {
  if (paths.empty()) throw input_error("data: no file is given. Name at least one file or folder.");
  check_mapping(options.columns);
  FileSelection selection = select_files(paths);
  ReadReport report;
  report.notices = std::move(selection.notices);
  CollectedErrors errors = std::move(selection.errors);
  bool is_handing_on = false;  // an exception then is the caller's own
  const auto hand_on = [&](Row&& row) {
    if (!errors.empty() && !options.lists_bad_files) return;
    is_handing_on = true;
    on_row(std::move(row));
    is_handing_on = false;
  };
  int64_t row_number = 0;
  for (const std::string& file : selection.files) {
    try {
      FileRows(file, options, report, row_number).read(hand_on);
    } catch (const Error& error) {
      if (is_handing_on || error.kind() != ErrorKind::kInput) throw;
      errors.add(error.what());
    }
  }
  if (!options.lists_bad_files) errors.throw_if_any();
  report.problems = errors.sentences();
  if (report.rows == 0 && !options.may_be_empty) refuse_empty(report, paths);
  return report;
}

}  // namespace anneal::datasets
