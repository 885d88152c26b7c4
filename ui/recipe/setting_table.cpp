#include "ui/recipe/setting_table.h"

#include "ui/widgets/table_view.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {
namespace {
const Field& field_at(int row) { return engine::recipe_fields().fields()[static_cast<std::size_t>(row)]; }
}  // namespace

SettingTable::SettingTable(Draft& draft) : draft_(draft) {
  connect(&draft_, &Draft::changed, this,
          [this] { emit dataChanged(index(0, 0), index(rowCount() - 1, kColumns - 1)); });
}

int SettingTable::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(engine::recipe_fields().fields().size());
}

QString SettingTable::name_at(int row) const { return qt(field_at(row).name); }
bool SettingTable::is_changed(int row) const { return draft_.is_changed(name_at(row)); }

QVariant SettingTable::data(const QModelIndex& index, int role) const {
  if (!index.isValid()) return {};
  const Field& field = field_at(index.row());
  const QString value = draft_.text(qt(field.name));
  const QString unset = qt(field.unset.empty() ? field_text(field, field.default_value) : field.unset);
  switch (role) {
    case Qt::DisplayRole:
      switch (index.column()) {
        case kName:
          return qt(field.name);
        case kValue:
          return value.isEmpty() ? unset : value;
        case kDefault:
          return unset;
        default:
          return qt(field.help);
      }
    case Qt::EditRole:
      return value;
    case Qt::ToolTipRole: {
      const QString range = qt(describe_values(field));
      return tr("<p>%1</p><p>Takes %2. Default: %3.</p>")
          .arg(qt(field.help).toHtmlEscaped(), range.toHtmlEscaped(), unset.toHtmlEscaped());
    }
    case kMonoRole:
      return index.column() == kValue || index.column() == kDefault;
    case kStrongRole:
      return (index.column() == kName || index.column() == kValue) && is_changed(index.row());
    case kFaintRole:
      return index.column() >= kDefault || (index.column() == kValue && value.isEmpty());
    case Qt::UserRole: {  // what an editor has to offer
      QStringList choices;
      if (field.kind == FieldKind::kBool) choices = {"true", "false"};
      for (const std::string& choice : field.choices) choices.push_back(qt(choice));
      return choices;
    }
    default:
      return {};
  }
}

bool SettingTable::setData(const QModelIndex& index, const QVariant& value, int role) {
  if (role != Qt::EditRole || index.column() != kValue) return false;
  if (const auto problem = draft_.set(name_at(index.row()), value.toString())) {
    emit refused(qt(to_sentence(*problem)));
    return false;
  }
  return true;
}

QVariant SettingTable::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal) return {};
  if (role == Qt::TextAlignmentRole) return int(Qt::AlignLeft | Qt::AlignVCenter);
  if (role != Qt::DisplayRole) return {};
  const QString names[] = {tr("Setting"), tr("Value"), tr("Default"), tr("What it does")};
  return names[section];
}

Qt::ItemFlags SettingTable::flags(const QModelIndex& index) const {
  Qt::ItemFlags flags = QAbstractTableModel::flags(index);
  return index.column() == kValue ? flags | Qt::ItemIsEditable : flags;
}

SettingFilter::SettingFilter(SettingTable& table) : table_(table) {
  setSourceModel(&table);
  setDynamicSortFilter(true);
}

void SettingFilter::search(const QString& text) {
  text_ = text.trimmed();
  invalidateFilter();
}

void SettingFilter::show_changed_only(bool only) {
  changed_only_ = only;
  invalidateFilter();
}

bool SettingFilter::filterAcceptsRow(int row, const QModelIndex&) const {
  if (changed_only_ && !table_.is_changed(row)) return false;
  if (text_.isEmpty()) return true;
  const Field& field = field_at(row);
  const QString all = qt(field.name + " " + field.group + " " + field.help);
  return all.contains(text_, Qt::CaseInsensitive) ||
         all.contains(QString(text_).replace(' ', '_'), Qt::CaseInsensitive);
}

}  // namespace anneal::ui
