// The part of the look that Qt's style sheets say best. Names after @ are colours of the theme.
#include <utility>

#include "ui/theme/style.h"

namespace anneal::ui {
namespace {

constexpr const char* kSheet = R"(
QLabel[ink="soft"] { color: @soft; }
QLabel[ink="muted"] { color: @muted; }
QLabel[ink="info"] { color: @info_ink; }
QLabel[ink="ok"] { color: @ok_ink; }
QLabel[ink="warn"] { color: @warn_ink; }
QLabel[ink="bad"] { color: @bad_ink; }
QWidget[ground="window"] { background: @window; }
QWidget[ground="page"] { background: @page; }
QFrame[line="true"] { background: @border; border: none; }
QPushButton { min-height: 26px; max-height: 26px; padding: 0 11px; border: 1px solid @control; border-radius: 6px;
  background: @card; color: @text; }
QPushButton[tall="true"] { min-height: 30px; max-height: 30px; padding: 0 13px; }
QPushButton:hover { background: @hover; }
QPushButton:pressed { background: @selected; }
QPushButton:focus { border-color: @info_ink; }
QPushButton:disabled { background: @page; border-color: @border; color: @muted; }
QPushButton[kind="primary"] { background: @accent; border-color: @accent; color: @on_accent; }
QPushButton[kind="primary"]:hover { background: @accent_hover; border-color: @accent_hover; }
QPushButton[kind="primary"]:pressed { background: @accent_pressed; border-color: @accent_pressed; }
QPushButton[kind="primary"]:focus { border-color: @text; }
QPushButton[kind="primary"]:disabled { background: @track; border-color: @track; color: @muted; }
QPushButton[kind="quiet"] { background: transparent; border-color: transparent; color: @soft; padding: 0 7px; }
QPushButton[kind="quiet"]:hover { background: @hover; color: @text; }
QPushButton[kind="quiet"]:pressed { background: @selected; }
QPushButton[kind="quiet"]:focus { border-color: @info_ink; }
QPushButton[kind="link"] { background: transparent; border-color: transparent; color: @info_ink; padding: 0 7px; }
QPushButton[kind="link"]:hover { background: @info_tint; }
QPushButton[kind="link"]:focus { border-color: @info_ink; }
QPushButton[kind="quiet"]:disabled, QPushButton[kind="link"]:disabled { background: transparent;
  border-color: transparent; color: @muted; }
QPushButton[kind="segment"] { min-height: 22px; max-height: 22px; padding: 0 10px; border: 1px solid transparent;
  border-radius: 5px; background: transparent; color: @soft; }
QPushButton[kind="segment"]:hover { color: @text; }
QPushButton[kind="segment"]:checked { background: @segment_on; border-color: @control; color: @text; }
QPushButton[kind="segment"]:focus { border-color: @info_ink; }
QPushButton[kind="segment"]:disabled { background: transparent; border-color: transparent; color: @muted; }
QLineEdit { min-height: 26px; max-height: 26px; padding: 0 8px; border: 1px solid @control; border-radius: 6px;
  background: @card; selection-background-color: @accent; selection-color: @on_accent; }
QLineEdit:focus, QPlainTextEdit:focus { border-color: @info_ink; }
QLineEdit[wrong="true"] { border-color: @bad_ink; }
QLineEdit:disabled { background: @page; border-color: @border; color: @muted; }
QTableView QLineEdit, QTableView QComboBox { min-height: 22px; max-height: 26px; padding: 0 4px; border-radius: 4px; }
QPlainTextEdit { padding: 6px 8px; border: 1px solid @control; border-radius: 6px; background: @card;
  selection-background-color: @accent; selection-color: @on_accent; }
QPlainTextEdit[look="code"] { background: @sunken; border-color: @border; color: @soft; }
QPlainTextEdit[look="bare"] { background: transparent; border: 1px solid transparent; padding: 0; }
QPlainTextEdit[look="bare"]:focus, QPlainTextEdit[look="code"]:focus { border-color: @info_ink; }
QAbstractItemView { background: transparent; border: none; outline: none; }
QComboBox QAbstractItemView { background: @popup; border: 1px solid @control; color: @text;
  selection-background-color: @selected; selection-color: @text; }
QHeaderView { background: transparent; border: none; }
QHeaderView::section { background: transparent; border: none; border-bottom: 1px solid @border; color: @muted;
  padding: 0 12px; font-size: 11px; font-weight: 500; }
QHeaderView::section:first, QHeaderView::section:only-one { padding-left: 16px; }
QScrollArea, QScrollArea > QWidget > QWidget[page="true"] { background: transparent; border: none; }
QScrollBar:vertical { width: 10px; background: transparent; margin: 0; }
QScrollBar:horizontal { height: 10px; background: transparent; margin: 0; }
QScrollBar::handle { background: @control; border-radius: 3px; margin: 2px; min-height: 32px; min-width: 32px; }
QScrollBar::handle:hover { background: @outline; }
QScrollBar::add-line, QScrollBar::sub-line { width: 0; height: 0; }
QScrollBar::add-page, QScrollBar::sub-page { background: none; }
QProgressBar { min-height: 4px; max-height: 4px; border: none; border-radius: 2px; background: @track; }
QProgressBar::chunk { border-radius: 2px; background: @info_ink; }
QProgressBar[tone="bad"]::chunk { background: @bad_ink; }
QToolTip { background: @popup; color: @text; border: 1px solid @control; padding: 4px 8px; }
QMenu { background: @popup; border: 1px solid @control; padding: 4px; }
QMenu::item { padding: 6px 24px 6px 12px; border-radius: 4px; }
QMenu::item:selected { background: @selected; color: @text; }
)";

}  // namespace

QString style_sheet(const Theme& t) {
  // Longer names first: none is the beginning of a later one.
  const std::pair<const char*, QColor> colors[] = {{"@accent_hover", t.accent_hover},
                                                   {"@accent_pressed", t.accent_pressed},
                                                   {"@accent", t.accent},
                                                   {"@on_accent", t.on_accent},
                                                   {"@info_ink", t.info.ink},
                                                   {"@info_tint", t.info.tint},
                                                   {"@ok_ink", t.ok.ink},
                                                   {"@warn_ink", t.warn.ink},
                                                   {"@bad_ink", t.bad.ink},
                                                   {"@segment_on", t.is_dark ? t.control : t.card},
                                                   {"@card", t.card},
                                                   {"@control", t.control},
                                                   {"@hover", t.hover},
                                                   {"@selected", t.selected},
                                                   {"@page", t.page},
                                                   {"@window", t.window},
                                                   {"@border", t.border},
                                                   {"@sunken", t.sunken},
                                                   {"@popup", t.popup},
                                                   {"@outline", t.outline},
                                                   {"@track", t.track},
                                                   {"@text", t.text},
                                                   {"@soft", t.soft},
                                                   {"@muted", t.muted}};
  QString sheet = kSheet;
  for (const auto& [name, color] : colors) sheet.replace(name, color.name());
  return sheet;
}

}  // namespace anneal::ui
