#pragma once
// The data doctor and the preview of a row, in the background; results are plain values.

#include <QObject>
#include <QStringList>
#include <QVector>
#include <optional>

#include "engine/recipe/recipe.h"
#include "ui/tasks/background.h"

namespace anneal::ui {

struct FindingGroup {
  qint64 count = 0;
  QString name;     // "too long"
  QString meaning;  // what becomes of such a row
  QString first;    // where the first one is, and what it is
  qint64 first_row = 0;
};

struct DataReport {
  QString format;
  QStringList reasons;   // what each file was taken for, and why
  QStringList problems;  // files that cannot be read
  qint64 rows = 0, usable = 0;
  QVector<FindingGroup> findings;
  bool has_tokens = false;
  qint64 tokens = 0, label_tokens = 0, longest = 0, median = 0, limit = 0, over_limit = 0;
  QVector<std::pair<qint64, qint64>> lengths;  // length in tokens, rows
};

struct ShownToken {
  QString text;
  bool is_learned = false;
  bool is_template = false;  // a control token
};

struct ShownRow {
  qint64 number = 0;
  QString source;    // "data.jsonl:7 (row 6)"
  QString raw;       // what the file says
  QString rendered;  // as the template writes it
  QVector<ShownToken> tokens;
  QString cut;           // "none", "prompt_trimmed", …
  QStringList findings;  // sentences
};

class DataCheck : public QObject {
  Q_OBJECT
 public:
  DataCheck();
  // Without a model the rows are read and not turned into tokens.
  void check(const engine::Recipe& recipe);
  void show_row(const engine::Recipe& recipe, qint64 number);
  void stop();
  bool is_going_on() const { return is_going_on_; }

 signals:
  void checked(const DataReport& report);
  void check_failed(const QString& sentence);
  void row_ready(const ShownRow& row);
  void row_failed(const QString& sentence);

 private:
  struct Reading;  // what rows are shown with, kept from one row to the next; the reader's thread only
  static ShownRow row_at(Reading& reading, const engine::Recipe& recipe, qint64 number);

  bool is_going_on_ = false;
  std::shared_ptr<Reading> reading_;
  Background checker_;
  Background reader_;
};

}  // namespace anneal::ui
