#pragma once
// The one place that names a colour, a size or a font of the window. Two themes, light and dark; everything that is
// drawn asks theme() when it paints, so that a change of theme needs no new widgets.

#include <QColor>
#include <QFont>
#include <QList>
#include <QString>

namespace anneal::ui {

// What says one thing in three ways: its ink, the ground behind it and the edge of that ground.
struct Tone {
  QColor ink;
  QColor tint;
  QColor edge;
};

enum class ToneName { kNeutral, kInfo, kOk, kWarn, kBad };

struct Theme {
  bool is_dark = false;
  QColor window, page, card, sunken, popup;                // grounds: rail, body, panels, code, menus
  QColor hover, selected, chosen_row;                      // grounds of what the pointer or the keyboard is on
  QColor border, control, outline;                         // lines: panels, inputs, check boxes
  QColor text, soft, muted;                                // inks: values, labels, notes
  QColor accent, accent_hover, accent_pressed, on_accent;  // primary buttons
  Tone neutral, info, ok, warn, bad;
  QColor track, grid;  // the rest of a progress bar, the lines of charts and tables
  QList<QColor> series;

  const Tone& tone(ToneName name) const;
};

const Theme& light_theme();
const Theme& dark_theme();

// The theme in use: light until use_theme() says otherwise. The window's thread only.
const Theme& theme();
void use_theme(const Theme& chosen);

namespace space {
inline constexpr int kTight = 8;   // within a group
inline constexpr int kRow = 12;    // between rows
inline constexpr int kGap = 16;    // between cards, and inside them
inline constexpr int kPage = 24;   // around a page
inline constexpr int kRail = 216;  // width of the list of pages
inline constexpr int kHeader = 64;
inline constexpr int kChipRadius = 4, kControlRadius = 6, kCardRadius = 8;
inline constexpr int kControlHeight = 28, kHeaderControlHeight = 32, kTableRow = 32, kTallTableRow = 44;
}  // namespace space

enum class TextRole {
  kCaption,
  kTag,
  kSmall,
  kSmallStrong,
  kBody,
  kStrong,
  kSection,
  kTitle,
  kFigure,
  kMono,
  kMonoStrong,
};

// Inter and JetBrains Mono where the system has them, else DejaVu.
QFont font_of(TextRole role);

// `share` of `over`, the rest of `under`.
QColor blend(const QColor& over, const QColor& under, double share);

// WCAG's contrast ratio, from 1 to 21.
double contrast(const QColor& a, const QColor& b);

}  // namespace anneal::ui
