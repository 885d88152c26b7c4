#include "ui/theme/style.h"

#include <QApplication>
#include <QPainter>
#include <QStyleFactory>
#include <QStyleOption>
#include <QToolTip>

#include "ui/theme/icons.h"

namespace anneal::ui {
namespace {

QPalette palette_of(const Theme& t) {
  QPalette made(t.text, t.card, t.hover, t.outline, t.border, t.text, t.text, t.card, t.page);
  made.setColor(QPalette::AlternateBase, t.sunken);
  made.setColor(QPalette::Highlight, t.accent);
  made.setColor(QPalette::HighlightedText, t.on_accent);
  made.setColor(QPalette::PlaceholderText, t.muted);
  made.setColor(QPalette::Link, t.info.ink);
  made.setColor(QPalette::ToolTipBase, t.popup);
  made.setColor(QPalette::ToolTipText, t.text);
  for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
    made.setColor(QPalette::Disabled, role, t.muted);
  return made;
}

void paint_check_box(QPainter* painter, const QStyleOption* option) {
  const Theme& t = theme();
  const bool is_enabled = option->state & QStyle::State_Enabled;
  const bool is_on = option->state & (QStyle::State_On | QStyle::State_NoChange);
  const QColor edge = !is_enabled                                ? t.control
                      : (option->state & QStyle::State_HasFocus) ? t.text
                      : is_on                                    ? t.accent
                                                                 : t.outline;
  const QColor ground = !is_on ? t.card : is_enabled ? t.accent : t.outline;
  paint_panel(*painter, option->rect, ground, edge, 4);
  if (is_on) paint_icon(*painter, QRectF(option->rect).adjusted(1, 1, -1, -1), "check", t.on_accent);
}

void paint_radio(QPainter* painter, const QStyleOption* option) {
  const Theme& t = theme();
  const bool is_on = option->state & QStyle::State_On;
  paint_panel(*painter, option->rect, is_on ? t.accent : t.card, is_on ? t.accent : t.outline, 8);
  if (!is_on) return;
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(t.on_accent);
  painter->drawEllipse(QRectF(option->rect).center(), 3, 3);
  painter->restore();
}

void paint_slider(QPainter* painter, const QStyleOptionSlider* slider, const QRectF& handle) {
  const Theme& t = theme();
  const bool has_focus = slider->state & QStyle::State_HasFocus;
  QRectF groove(slider->rect.left() + 2, slider->rect.center().y() - 1, slider->rect.width() - 4, 4);
  painter->save();
  painter->setRenderHint(QPainter::Antialiasing);
  painter->setPen(Qt::NoPen);
  painter->setBrush(t.track);
  painter->drawRoundedRect(groove, 2, 2);
  groove.setRight(handle.center().x());
  painter->setBrush(slider->state & QStyle::State_Enabled ? t.info.ink : t.control);
  painter->drawRoundedRect(groove, 2, 2);
  painter->setPen(QPen(has_focus ? t.info.ink : t.outline, has_focus ? 2 : 1));
  painter->setBrush(t.is_dark ? t.text : t.card);
  painter->drawEllipse(QPointF(handle.center().x(), groove.center().y()), 6.5, 6.5);
  painter->restore();
}

bool is_system_dark() {
  static const QPalette system = QApplication::palette();  // before any theme of ours
  return system.color(QPalette::Window).lightness() < 128;
}

}  // namespace

void paint_panel(QPainter& painter, const QRectF& box, const QColor& ground, const QColor& edge, double radius) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  const bool has_edge = edge.alpha() > 0;
  painter.setPen(has_edge ? QPen(edge, 1) : QPen(Qt::NoPen));
  painter.setBrush(ground);
  const double inset = has_edge ? 0.5 : 0;
  painter.drawRoundedRect(box.adjusted(inset, inset, -inset, -inset), radius, radius);
  painter.restore();
}

Style::Style() : QProxyStyle(QStyleFactory::create("Fusion")) {}

int Style::pixelMetric(PixelMetric metric, const QStyleOption* option, const QWidget* widget) const {
  switch (metric) {
    case PM_IndicatorWidth:
    case PM_IndicatorHeight:
    case PM_ExclusiveIndicatorWidth:
    case PM_ExclusiveIndicatorHeight:
    case PM_SliderThickness:
    case PM_SliderControlThickness:
    case PM_SliderLength:
    case PM_ButtonIconSize:
    case PM_SmallIconSize:
      return 16;
    case PM_CheckBoxLabelSpacing:
    case PM_RadioButtonLabelSpacing:
      return space::kTight;
    case PM_LayoutLeftMargin:
    case PM_LayoutTopMargin:
    case PM_LayoutRightMargin:
    case PM_LayoutBottomMargin:
    case PM_ButtonShiftHorizontal:
    case PM_ButtonShiftVertical:
      return 0;
    case PM_LayoutHorizontalSpacing:
    case PM_LayoutVerticalSpacing:
      return space::kTight;
    default:
      return QProxyStyle::pixelMetric(metric, option, widget);
  }
}

int Style::styleHint(StyleHint hint, const QStyleOption* option, const QWidget* widget, QStyleHintReturn* data) const {
  switch (hint) {
    case SH_EtchDisabledText:
    case SH_DitherDisabledText:
    case SH_ItemView_ShowDecorationSelected:
    case SH_ComboBox_Popup:
      return 0;
    case SH_Slider_AbsoluteSetButtons:
      return Qt::LeftButton;
    default:
      return QProxyStyle::styleHint(hint, option, widget, data);
  }
}

QRect Style::subControlRect(ComplexControl control, const QStyleOptionComplex* option, SubControl part,
                            const QWidget* widget) const {
  constexpr int kArrow = 26;
  if (control == CC_ComboBox && part == SC_ComboBoxEditField) return option->rect.adjusted(6, 1, -kArrow - 2, -1);
  if (control == CC_ComboBox && part == SC_ComboBoxArrow)
    return QRect(option->rect.right() - kArrow, option->rect.top(), kArrow, option->rect.height());
  return QProxyStyle::subControlRect(control, option, part, widget);
}

void Style::drawPrimitive(PrimitiveElement element, const QStyleOption* option, QPainter* painter,
                          const QWidget* widget) const {
  switch (element) {
    case PE_IndicatorCheckBox:
      return paint_check_box(painter, option);
    case PE_IndicatorRadioButton:
      return paint_radio(painter, option);
    case PE_FrameFocusRect: {
      painter->save();
      painter->setRenderHint(QPainter::Antialiasing);
      painter->setPen(QPen(theme().info.ink, 1.5));
      painter->setBrush(Qt::NoBrush);
      painter->drawRoundedRect(QRectF(option->rect).adjusted(0.75, 0.75, -0.75, -0.75), 5, 5);
      painter->restore();
      return;
    }
    default:
      QProxyStyle::drawPrimitive(element, option, painter, widget);
  }
}

void Style::drawControl(ControlElement element, const QStyleOption* option, QPainter* painter,
                        const QWidget* widget) const {
  const auto* combo = qstyleoption_cast<const QStyleOptionComboBox*>(option);
  if (element == CE_ComboBoxLabel && combo != nullptr) {
    const QRect box = subControlRect(CC_ComboBox, combo, SC_ComboBoxEditField, widget).adjusted(4, 0, 0, 0);
    painter->setPen(combo->state & State_Enabled ? theme().text : theme().muted);
    painter->drawText(box, Qt::AlignVCenter | Qt::AlignLeft,
                      painter->fontMetrics().elidedText(combo->currentText, Qt::ElideRight, box.width()));
    return;
  }
  QProxyStyle::drawControl(element, option, painter, widget);
}

void Style::drawComplexControl(ComplexControl control, const QStyleOptionComplex* option, QPainter* painter,
                               const QWidget* widget) const {
  const Theme& t = theme();
  if (control == CC_ComboBox) {
    const QColor edge = option->state & State_HasFocus ? t.info.ink : t.control;
    paint_panel(*painter, option->rect, option->state & State_MouseOver ? t.hover : t.card, edge,
                space::kControlRadius);
    const QRect arrow = subControlRect(control, option, SC_ComboBoxArrow, widget);
    paint_icon(*painter, QRectF(arrow.center().x() - 7, arrow.center().y() - 6, 14, 14), "down",
               option->state & State_Enabled ? t.soft : t.muted);
    return;
  }
  const auto* slider = qstyleoption_cast<const QStyleOptionSlider*>(option);
  if (control == CC_Slider && slider != nullptr && slider->orientation == Qt::Horizontal)
    return paint_slider(painter, slider, proxy()->subControlRect(CC_Slider, slider, SC_SliderHandle, widget));
  QProxyStyle::drawComplexControl(control, option, painter, widget);
}

void apply_theme(ThemeChoice choice) {
  const bool is_dark = choice == ThemeChoice::kDark || (choice == ThemeChoice::kSystem && is_system_dark());
  use_theme(is_dark ? dark_theme() : light_theme());
  if (dynamic_cast<Style*>(QApplication::style()) == nullptr) QApplication::setStyle(new Style);  // Qt owns it
  QApplication::setFont(font_of(TextRole::kBody));
  QApplication::setPalette(palette_of(theme()));
  QToolTip::setFont(font_of(TextRole::kSmall));
  qApp->setStyleSheet(style_sheet(theme()));
}

}  // namespace anneal::ui
