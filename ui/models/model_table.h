#pragma once
// The models found, by name; one that is found again takes its old place.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>

#include "ui/tasks/model_scan.h"

namespace anneal::ui {

class ModelTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kParameters, kFormat, kType, kSize, kTrainable, kColumns };

  int rowCount(const QModelIndex& parent = {}) const override {
    return parent.isValid() ? 0 : static_cast<int>(entries_.size());
  }
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }
  QVariant data(const QModelIndex& index, int role) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  void add(const QVector<ModelEntry>& entries);
  void clear();
  const ModelEntry& at(int row) const { return entries_[row]; }
  int row_of_path(const QString& path) const;  // -1: not there

 private:
  QVector<ModelEntry> entries_;
};

// By text, and trainable ones alone on request.
class ModelFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit ModelFilter(ModelTable& table);
  void search(const QString& text);
  void show_trainable_only(bool only);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
  bool lessThan(const QModelIndex& left, const QModelIndex& right) const override;

 private:
  ModelTable& table_;
  QString text_;
  bool trainable_only_ = false;
};

QString parameters_text(qint64 parameters);  // "134.5 M", "7.6 B", "–"

}  // namespace anneal::ui
