#include "ui/shell/rail.h"

#include <QPainter>
#include <QStyledItemDelegate>

#include "engine/session/event_text.h"
#include "ui/tasks/device_facts.h"
#include "ui/theme/icons.h"
#include "ui/theme/style.h"

namespace anneal::ui {
namespace {

enum RailRole { kIconRole = Qt::UserRole + 1, kNoteRole, kSignRole, kSectionRole };

class RailDelegate : public QStyledItemDelegate {
 public:
  using QStyledItemDelegate::QStyledItemDelegate;

  QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
    const int section = index.data(kSectionRole).toString().isEmpty() ? 0 : index.row() == 0 ? 26 : 36;
    return {space::kRail, section + (index.data(kNoteRole).toString().isEmpty() ? 34 : 46)};
  }

  void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
    const Theme& t = theme();
    painter->save();
    QRect box = option.rect.adjusted(8, 0, -9, -2);
    const QString section = index.data(kSectionRole).toString();
    if (!section.isEmpty()) {
      const int tall = index.row() == 0 ? 26 : 36;
      painter->setFont(font_of(TextRole::kCaption));
      painter->setPen(t.muted);
      painter->drawText(QRect(18, box.top(), 180, tall - 4), Qt::AlignBottom, section);
      box.setTop(box.top() + tall);
    }
    const bool is_on = option.state & QStyle::State_Selected;
    const bool is_hovered = option.state & QStyle::State_MouseOver;
    if (is_on || is_hovered)
      paint_panel(*painter, box, is_on ? t.selected : t.hover, Qt::transparent, space::kControlRadius);
    if (is_on && option.state & QStyle::State_HasFocus && option.state & QStyle::State_KeyboardFocusChange)
      paint_panel(*painter, box, Qt::transparent, t.info.ink, space::kControlRadius);
    const QString note = index.data(kNoteRole).toString();
    paint_icon(*painter, QRectF(box.left() + 9, box.top() + (note.isEmpty() ? 6 : 4), 20, 20),
               index.data(kIconRole).toString(), is_on ? t.info.ink : t.soft);
    painter->setFont(font_of(TextRole::kStrong));
    painter->setPen(is_on ? t.text : t.soft);
    const int left = box.left() + 38;
    painter->drawText(
        QRect(left, box.top() + (note.isEmpty() ? 0 : 5), box.width() - 66, note.isEmpty() ? box.height() : 18),
        Qt::AlignVCenter, index.data().toString());
    const auto tone = static_cast<ToneName>(index.data(kSignRole).toInt());
    if (tone != ToneName::kNeutral)
      paint_icon(*painter, QRectF(box.right() - 24, box.top() + 7, 15, 15),
                 tone == ToneName::kOk ? "check" : sign_of(tone), t.tone(tone).ink);
    if (!note.isEmpty()) {
      painter->setFont(font_of(TextRole::kCaption));
      painter->setPen(is_on ? t.soft : t.muted);
      painter->drawText(QRect(left, box.top() + 23, box.width() - 48, 16), Qt::AlignVCenter,
                        painter->fontMetrics().elidedText(note, Qt::ElideMiddle, box.width() - 48));
    }
    painter->restore();
  }
};

class Brand : public QWidget {
 public:
  Brand() { setFixedHeight(60); }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paint_brand(painter, QRectF(18, 20, 24, 24));
    painter.setFont(font_of(TextRole::kSection));
    painter.setPen(theme().text);
    painter.drawText(QRect(52, 20, 140, 24), Qt::AlignVCenter, "Anneal");
  }
};

class RunCard : public QAbstractButton {
 public:
  RunCard() {
    setFocusPolicy(Qt::StrongFocus);
    setFixedHeight(68);
  }
  QSize sizeHint() const override { return {space::kRail - 16, 68}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    paint_panel(painter, rect(), theme().card, hasFocus() ? theme().info.ink : theme().border, space::kCardRadius);
  }
};

class DeviceButton : public QAbstractButton {
 public:
  DeviceButton() {
    setFocusPolicy(Qt::StrongFocus);
    setAttribute(Qt::WA_Hover);
    setFixedHeight(56);
  }
  QSize sizeHint() const override { return {space::kRail, 56}; }

 protected:
  void paintEvent(QPaintEvent*) override {
    QPainter painter(this);
    const Theme& t = theme();
    painter.fillRect(QRect(0, 0, width(), 1), t.border);
    if (underMouse()) painter.fillRect(rect().adjusted(0, 1, -1, 0), t.hover);
    if (hasFocus()) paint_panel(painter, rect().adjusted(2, 3, -3, -2), Qt::transparent, t.info.ink, 6);
    paint_icon(painter, QRectF(17, 18, 20, 20), "device", t.soft);
    paint_icon(painter, QRectF(width() - 31, 20, 16, 16), "settings", t.muted);
  }
};

}  // namespace

Rail::Rail(int pages) {
  setFixedWidth(space::kRail);
  struct Entry {
    const char* icon;
    QString name;
    QString section;
  };
  const Entry entries[] = {{"models", tr("Models"), tr("Prepare")},
                           {"data", tr("Data"), {}},
                           {"recipe", tr("Recipe"), {}},
                           {"run", tr("Run"), tr("Train")},
                           {"compare", tr("Compare"), {}},
                           {"playground", tr("Playground"), tr("Use")},
                           {"export", tr("Export"), {}}};
  int number = 0;
  for (const Entry& entry : entries) {
    if (number == pages) break;
    auto* item = new QStandardItem(entry.name);
    item->setEditable(false);
    item->setData(entry.icon, kIconRole);
    item->setData(entry.section, kSectionRole);
    item->setToolTip(tr("Ctrl+%1").arg(++number));
    pages_.appendRow(item);
  }
  list_ = new QListView;
  list_->setModel(&pages_);
  list_->setItemDelegate(new RailDelegate(list_));
  list_->setAccessibleName(tr("Pages"));
  list_->setFrameShape(QFrame::NoFrame);
  list_->setMouseTracking(true);
  list_->setVerticalScrollMode(QListView::ScrollPerPixel);
  list_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
  connect(list_->selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& now) {
    if (now.isValid()) emit page_chosen(static_cast<PageId>(now.row()));
  });

  auto* card = new RunCard;
  run_card_ = card;
  run_name_ = new ElidedLabel(TextRole::kStrong);
  run_note_ = new ElidedLabel(TextRole::kCaption, "muted");
  run_bar_ = new QProgressBar;
  run_bar_->setTextVisible(false);
  run_bar_->setRange(0, 1000);
  auto* inside = new QVBoxLayout(card);
  inside->setContentsMargins(12, 9, 12, 9);
  inside->setSpacing(5);
  inside->addWidget(run_name_);
  inside->addWidget(run_bar_);
  inside->addWidget(run_note_);
  for (QWidget* part :
       {static_cast<QWidget*>(run_name_), static_cast<QWidget*>(run_bar_), static_cast<QWidget*>(run_note_)})
    part->setAttribute(Qt::WA_TransparentForMouseEvents);
  card->hide();
  connect(card, &QAbstractButton::clicked, this, [this] { emit page_chosen(PageId::kRun); });

  device_ = new DeviceButton;
  device_name_ = new ElidedLabel(TextRole::kStrong);
  device_note_ = new ElidedLabel(TextRole::kCaption, "muted");
  auto* foot = new QVBoxLayout(device_);
  foot->setContentsMargins(46, 9, 40, 9);
  foot->setSpacing(2);
  foot->addWidget(device_name_);
  foot->addWidget(device_note_);
  for (QWidget* part : {device_name_, device_note_}) part->setAttribute(Qt::WA_TransparentForMouseEvents);
  device_->setToolTip(tr("Settings and devices"));
  connect(device_, &QAbstractButton::clicked, this, &Rail::settings_wanted);

  auto* all = new QVBoxLayout(this);
  all->setSpacing(0);
  all->addWidget(new Brand);
  all->addWidget(list_, 1);
  auto* held = new QVBoxLayout;
  held->setContentsMargins(8, 0, 9, space::kRow);
  held->addWidget(card);
  all->addLayout(held);
  all->addWidget(device_);
  show_device();
  connect(&device_timer_, &QTimer::timeout, this, &Rail::show_device);
  device_timer_.start(2000);
}

void Rail::choose(PageId page) { list_->setCurrentIndex(pages_.index(static_cast<int>(page), 0)); }

void Rail::show_note(PageId page, const QString& note, ToneName tone) {
  QStandardItem* item = pages_.item(static_cast<int>(page));
  if (item->data(kNoteRole).toString() == note && item->data(kSignRole).toInt() == static_cast<int>(tone)) return;
  item->setData(note, kNoteRole);
  item->setData(static_cast<int>(tone), kSignRole);
  item->setData(note.isEmpty() ? item->text() : item->text() + ": " + note, Qt::AccessibleTextRole);
}

void Rail::show_run(const QString& name, double share, const QString& note, bool is_bad) {
  run_card_->setVisible(!name.isEmpty());
  if (name.isEmpty()) return;
  run_card_->setAccessibleName(tr("Run %1, %2").arg(name, note));
  run_name_->show_text(name);
  run_note_->show_text(note);
  set_ink(run_note_, is_bad ? "bad" : "muted");
  run_bar_->setValue(static_cast<int>(share * 1000));
  run_bar_->setAccessibleName(tr("Progress of the run"));
  run_bar_->setAccessibleDescription(note);
}

void Rail::show_device() {
  const DeviceFacts facts = device_facts();
  device_name_->show_text(facts.name);
  const auto gigabytes = [](qint64 bytes) { return QString::number(double(bytes) / 1e9, 'f', 1); };
  device_note_->show_text(tr("%1 of %2 GB free").arg(gigabytes(facts.free_bytes), gigabytes(facts.total_bytes)));
  device_->setAccessibleName(tr("Settings and devices: %1, %2").arg(facts.name, device_note_->text()));
}

void Rail::paintEvent(QPaintEvent*) {
  QPainter painter(this);
  painter.fillRect(rect(), theme().window);
  painter.fillRect(QRect(width() - 1, 0, 1, height()), theme().border);
}

}  // namespace anneal::ui
