#pragma once
#include <QLocale>
#include <QString>
#include <string>

namespace anneal::ui {

inline QString qt(const std::string& text) { return QString::fromStdString(text); }
inline QString grouped(qint64 number) { return QLocale(QLocale::English).toString(number); }  // "12,345"

}  // namespace anneal::ui
