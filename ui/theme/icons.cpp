#include "ui/theme/icons.h"

#include <QFile>
#include <QHash>
#include <QIconEngine>
#include <QPainterPath>
#include <QPixmap>
#include <QSvgRenderer>
#include <memory>

static void load_icons() { Q_INIT_RESOURCE(icons); }  // outside of the namespace: a macro of Qt

namespace anneal::ui {
namespace {

QByteArray drawing(const QString& name) {
  static const bool is_loaded = [] {
    load_icons();
    return true;
  }();
  Q_UNUSED(is_loaded);
  QFile file(":/icons/" + name + ".svg");
  if (!file.open(QIODevice::ReadOnly)) qWarning("there is no icon \"%s\"", qPrintable(name));
  return file.readAll();
}

// Asks the theme each time.
class StrokeIcon : public QIconEngine {
 public:
  StrokeIcon(QString name, InkOf ink) : name_(std::move(name)), ink_(ink) {}

  void paint(QPainter* painter, const QRect& box, QIcon::Mode mode, QIcon::State) override {
    const QRectF square(box.left(), box.top(), box.height(), box.height());
    paint_icon(*painter, square, name_, mode == QIcon::Disabled ? theme().muted : ink_(theme()));
  }
  QPixmap pixmap(const QSize& size, QIcon::Mode mode, QIcon::State state) override {
    QPixmap made(size);
    made.fill(Qt::transparent);
    QPainter painter(&made);
    paint(&painter, QRect(QPoint(), size), mode, state);
    return made;
  }
  QIconEngine* clone() const override { return new StrokeIcon(*this); }

 private:
  QString name_;
  InkOf ink_;
};

}  // namespace

void paint_icon(QPainter& painter, const QRectF& box, const QString& name, const QColor& ink) {
  static QHash<QString, std::shared_ptr<QSvgRenderer>> ready;  // shared: a QHash wants values that can be copied
  std::shared_ptr<QSvgRenderer>& renderer = ready[name + ink.name()];
  if (!renderer) {
    renderer = std::make_shared<QSvgRenderer>(drawing(name).replace("#000", ink.name().toLatin1()));
  }
  renderer->render(&painter, box);
}

QIcon icon(const QString& name, InkOf ink) { return QIcon(new StrokeIcon(name, ink)); }

QString sign_of(ToneName tone) {
  switch (tone) {
    case ToneName::kOk:
      return "ok";
    case ToneName::kWarn:
      return "warn";
    case ToneName::kBad:
      return "bad";
    case ToneName::kInfo:
    case ToneName::kNeutral:
      break;
  }
  return "info";
}

// A cooling curve on the colours that steel takes when it is tempered.
void paint_brand(QPainter& painter, const QRectF& box) {
  painter.save();
  painter.setRenderHint(QPainter::Antialiasing);
  QLinearGradient temper(box.bottomLeft(), box.topRight());
  temper.setColorAt(0.00, QColor("#E3B23C"));
  temper.setColorAt(0.38, QColor("#C4572F"));
  temper.setColorAt(0.68, QColor("#7B3F8C"));
  temper.setColorAt(1.00, QColor("#2457C5"));
  painter.setPen(Qt::NoPen);
  painter.setBrush(temper);
  painter.drawRoundedRect(box, box.width() * 0.28, box.width() * 0.28);
  const double unit = box.width() / 24;
  QPainterPath curve(box.topLeft() + QPointF(5.5, 6.5) * unit);
  curve.cubicTo(box.topLeft() + QPointF(7.5, 15.5) * unit, box.topLeft() + QPointF(11.5, 17) * unit,
                box.topLeft() + QPointF(18.5, 17.5) * unit);
  painter.setBrush(Qt::NoBrush);
  painter.setPen(QPen(Qt::white, 2.6 * unit, Qt::SolidLine, Qt::RoundCap));
  painter.drawPath(curve);
  painter.restore();
}

}  // namespace anneal::ui
