#include "ui/theme/theme.h"

#include <algorithm>
#include <cmath>

namespace anneal::ui {
namespace {

const Theme* used_theme = nullptr;

double linear_light(double channel) {
  return channel <= 0.04045 ? channel / 12.92 : std::pow((channel + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
  return 0.2126 * linear_light(color.redF()) + 0.7152 * linear_light(color.greenF()) +
         0.0722 * linear_light(color.blueF());
}

}  // namespace

const Theme& light_theme() {
  static const Theme made{
      .is_dark = false,
      .window = "#F1F2F5",
      .page = "#F9FAFB",
      .card = "#FFFFFF",
      .sunken = "#F4F5F7",
      .popup = "#FFFFFF",
      .hover = "#ECEEF2",
      .selected = "#E2E6ED",
      .chosen_row = "#EDF2FC",
      .border = "#E1E4E9",
      .control = "#C6CBD4",
      .outline = "#858C99",
      .text = "#16181D",
      .soft = "#474D58",
      .muted = "#5F6672",
      .accent = "#2457C5",
      .accent_hover = "#1E4BAE",
      .accent_pressed = "#194095",
      .on_accent = "#FFFFFF",
      .neutral = {"#474D58", "#EEF0F3", "#DDE1E7"},
      .info = {"#2457C5", "#E8EFFC", "#C3D4F5"},
      .ok = {"#0B6B4F", "#E3F4EC", "#B7DFCD"},
      .warn = {"#8A5300", "#FDF1DA", "#EFD49B"},
      .bad = {"#B3261E", "#FCE9E7", "#F1BFBA"},
      .track = "#E4E7EC",
      .grid = "#ECEEF1",
      .series = {"#0740D0", "#A23513", "#089676", "#951E90", "#CB8201", "#2D313C"},
  };
  return made;
}

const Theme& dark_theme() {
  static const Theme made{
      .is_dark = true,
      .window = "#121316",
      .page = "#17181C",
      .card = "#1D1F24",
      .sunken = "#15161A",
      .popup = "#262930",
      .hover = "#25282E",
      .selected = "#2B2F37",
      .chosen_row = "#222A3B",
      .border = "#2B2E35",
      .control = "#3D424C",
      .outline = "#7C8390",
      .text = "#ECEDF0",
      .soft = "#B1B7C1",
      .muted = "#9299A5",
      .accent = "#3A69DB",
      .accent_hover = "#3F6DDE",
      .accent_pressed = "#325CC4",
      .on_accent = "#FFFFFF",
      .neutral = {"#B1B7C1", "#2A2D34", "#3A3E47"},
      .info = {"#8AB0FF", "#1E2A45", "#33477A"},
      .ok = {"#4FD0A5", "#162A25", "#22493F"},
      .warn = {"#F0B954", "#2D2514", "#584620"},
      .bad = {"#FF9489", "#321C1D", "#633231"},
      .track = "#30343C",
      .grid = "#282B31",
      .series = {"#417CFD", "#E24E1F", "#21CE8F", "#D16BB2", "#F8CF4E", "#E5E8EE"},
  };
  return made;
}

const Theme& theme() { return used_theme != nullptr ? *used_theme : light_theme(); }
void use_theme(const Theme& chosen) { used_theme = &chosen; }

const Tone& Theme::tone(ToneName name) const {
  switch (name) {
    case ToneName::kInfo:
      return info;
    case ToneName::kOk:
      return ok;
    case ToneName::kWarn:
      return warn;
    case ToneName::kBad:
      return bad;
    case ToneName::kNeutral:
      break;
  }
  return neutral;
}

QFont font_of(TextRole role) {
  struct Row {
    bool is_mono;
    int pixels;
    QFont::Weight weight;
  };
  static constexpr Row kRows[] = {
      {false, 11, QFont::Normal},   {false, 11, QFont::Medium},   {false, 12, QFont::Normal},
      {false, 12, QFont::Medium},   {false, 13, QFont::Normal},   {false, 13, QFont::Medium},
      {false, 14, QFont::DemiBold}, {false, 18, QFont::DemiBold}, {false, 20, QFont::DemiBold},
      {true, 12, QFont::Normal},    {true, 12, QFont::Medium},
  };
  const Row& row = kRows[static_cast<std::size_t>(role)];
  QFont made(row.is_mono ? QStringList{"JetBrains Mono", "DejaVu Sans Mono"} : QStringList{"Inter", "DejaVu Sans"});
  made.setPixelSize(row.pixels);
  made.setWeight(row.weight);
  made.setHintingPreference(QFont::PreferNoHinting);  // the same layout at every scale
  if (row.pixels >= 18) made.setLetterSpacing(QFont::PercentageSpacing, 98);
  if (row.is_mono) made.setStyleHint(QFont::Monospace);
  return made;
}

QColor blend(const QColor& over, const QColor& under, double share) {
  const auto mixed = [share](double a, double b) { return b + (a - b) * share; };
  return QColor::fromRgbF(static_cast<float>(mixed(over.redF(), under.redF())),
                          static_cast<float>(mixed(over.greenF(), under.greenF())),
                          static_cast<float>(mixed(over.blueF(), under.blueF())));
}

double contrast(const QColor& a, const QColor& b) {
  const double one = luminance(a);
  const double two = luminance(b);
  return (std::max(one, two) + 0.05) / (std::min(one, two) + 0.05);
}

}  // namespace anneal::ui
