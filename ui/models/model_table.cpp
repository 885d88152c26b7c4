#include "ui/models/model_table.h"

#include "engine/session/event_text.h"
#include "ui/widgets/table_view.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {

QString parameters_text(qint64 parameters) {
  if (parameters <= 0) return "–";
  if (parameters >= 1'000'000'000) return QObject::tr("%1 B").arg(double(parameters) / 1e9, 0, 'f', 1);
  return QObject::tr("%1 M").arg(double(parameters) / 1e6, 0, 'f', parameters < 1'000'000 ? 2 : 1);
}

QVariant ModelTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const ModelEntry& entry = entries_[index.row()];
  const int column = index.column();
  switch (role) {
    case Qt::DisplayRole:
      switch (column) {
        case kName:
          return entry.name;
        case kParameters:
          return parameters_text(entry.parameters);
        case kFormat:
          return entry.format;
        case kType:
          return entry.dtype.isEmpty() ? "–" : entry.dtype;
        case kSize:
          return entry.bytes > 0 ? qt(engine::bytes_text(entry.bytes)) : "–";
        default:
          return entry.is_trainable ? tr("Yes") : tr("No");
      }
    case kSubRole:
      return column == kName ? entry.place + (entry.family.isEmpty() ? "" : " · " + entry.family) : QVariant();
    case kToneRole:
      return column == kTrainable ? static_cast<int>(entry.is_trainable ? ToneName::kOk : ToneName::kWarn) : 0;
    case kStrongRole:
      return column == kName;
    case kMonoRole:
      return column == kType;
    case Qt::TextAlignmentRole:
      return int((column == kParameters || column == kSize ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    case Qt::ToolTipRole:
      return entry.reason.isEmpty() ? entry.path : entry.reason;
    default:
      return {};
  }
}

QVariant ModelTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole)
    return int((section == kParameters || section == kSize ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Name"), tr("Parameters"), tr("Format"), tr("Type"), tr("Size"), tr("Trainable")};
  return names[section];
}

void ModelTable::add(const QVector<ModelEntry>& entries) {
  for (const ModelEntry& entry : entries) {
    if (const int row = row_of_path(entry.path); row >= 0) {
      entries_[row] = entry;
      emit dataChanged(index(row, 0), index(row, kColumns - 1));
      continue;
    }
    const int end = static_cast<int>(entries_.size());
    beginInsertRows({}, end, end);
    entries_.push_back(entry);
    endInsertRows();
  }
}

void ModelTable::clear() {
  beginResetModel();
  entries_.clear();
  endResetModel();
}

int ModelTable::row_of_path(const QString& path) const {
  for (int row = 0; row < entries_.size(); ++row) {
    if (entries_[row].path == path) return row;
  }
  return -1;
}

ModelFilter::ModelFilter(ModelTable& table) : table_(table) {
  setSourceModel(&table);
  sort(ModelTable::kName);
}

void ModelFilter::search(const QString& text) {
  text_ = text.trimmed();
  invalidateFilter();
}

void ModelFilter::show_trainable_only(bool only) {
  trainable_only_ = only;
  invalidateFilter();
}

bool ModelFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  const ModelEntry& entry = table_.at(row);
  if (trainable_only_ && !entry.is_trainable) return false;
  return text_.isEmpty() || (entry.name + " " + entry.family + " " + entry.path).contains(text_, Qt::CaseInsensitive);
}

// What can be trained first, then by name.
bool ModelFilter::lessThan(const QModelIndex& left, const QModelIndex& right) const {
  const ModelEntry& a = table_.at(left.row());
  const ModelEntry& b = table_.at(right.row());
  if (a.is_trainable != b.is_trainable) return a.is_trainable;
  return QString::compare(a.name, b.name, Qt::CaseInsensitive) < 0;
}

}  // namespace anneal::ui
