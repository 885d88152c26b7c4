#pragma once
// Fusion with the shapes of the theme: check boxes, sliders, combo boxes and focus are drawn here; the rest is a style
// sheet made from the theme's colours.

#include <QPalette>
#include <QProxyStyle>

#include "ui/theme/theme.h"

namespace anneal::ui {

class Style : public QProxyStyle {
 public:
  Style();
  int pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const override;
  int styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget,
                QStyleHintReturn* data) const override;
  QRect subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                       const QWidget* widget) const override;
  void drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                     const QWidget* widget) const override;
  void drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                   const QWidget* widget) const override;
  void drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                          const QWidget* widget) const override;
};

// A rounded panel with an edge of one pixel; either may be transparent.
void paint_panel(QPainter& painter, const QRectF& box, const QColor& ground, const QColor& edge, double radius);

enum class ThemeChoice { kSystem, kLight, kDark };
// Gives the application its style, palette, fonts and sheet. May be called again at any time.
void apply_theme(ThemeChoice choice);

QString style_sheet(const Theme& theme);

}  // namespace anneal::ui
