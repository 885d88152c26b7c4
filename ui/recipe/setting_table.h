#pragma once
// Every setting of a recipe as a table, made from the recipe's own list of fields: name, value, default, what it does.

#include <QAbstractTableModel>
#include <QSortFilterProxyModel>
#include <QStyledItemDelegate>

#include "ui/recipe/draft.h"

namespace anneal::ui {

class SettingTable : public QAbstractTableModel {
  Q_OBJECT
 public:
  enum Column { kName, kValue, kDefault, kHelp, kColumns };
  explicit SettingTable(Draft& draft);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override { return parent.isValid() ? 0 : kColumns; }
  QVariant data(const QModelIndex& index, int role) const override;
  bool setData(const QModelIndex& index, const QVariant& value, int role) override;
  QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
  Qt::ItemFlags flags(const QModelIndex& index) const override;

  QString name_at(int row) const;
  bool is_changed(int row) const;

 signals:
  void refused(const QString& sentence);  // an input that is not a value of its setting

 private:
  Draft& draft_;
};

// Rows whose name, group or help holds the search text; only changed ones on request.
class SettingFilter : public QSortFilterProxyModel {
  Q_OBJECT
 public:
  explicit SettingFilter(SettingTable& table);
  void search(const QString& text);
  void show_changed_only(bool only);

 protected:
  bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

 private:
  SettingTable& table_;
  QString text_;
  bool changed_only_ = false;
};

}  // namespace anneal::ui
