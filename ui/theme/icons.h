#pragma once
// The drawings of resources/icons: strokes on a grid of 20 × 20, in any ink.

#include <QColor>
#include <QIcon>
#include <QPainter>
#include <QString>

#include "ui/theme/theme.h"

namespace anneal::ui {

// `name` is a file of resources/icons without its ending.
void paint_icon(QPainter& painter, const QRectF& box, const QString& name, const QColor& ink);

// Which ink of the theme an icon takes when it is painted.
using InkOf = QColor (*)(const Theme&);
inline QColor soft_ink(const Theme& t) { return t.soft; }
inline QColor text_ink(const Theme& t) { return t.text; }
inline QColor accent_ink(const Theme& t) { return t.on_accent; }
inline QColor info_ink(const Theme& t) { return t.info.ink; }

// Follows a change of theme and of scale.
QIcon icon(const QString& name, InkOf ink = soft_ink);

// check, warning triangle, octagon, circle: the shape that goes with a tone.
QString sign_of(ToneName tone);

// The program's mark.
void paint_brand(QPainter& painter, const QRectF& box);

}  // namespace anneal::ui
