#pragma once
// Finds the models on this disk in the background; what is met is handed over ten times a second.

#include <QObject>
#include <QStringList>
#include <QTimer>
#include <QVector>
#include <mutex>

#include "ui/tasks/background.h"

namespace anneal::ui {

// A model as lists show it.
struct ModelEntry {
  QString name;
  QString path;
  QString place;  // "Hugging Face cache", or the folder it lies in
  QString family, architecture, format, dtype;
  qint64 parameters = 0;  // 0: not known
  qint64 bytes = 0;
  bool is_trainable = false;
  QString reason;                              // why not
  QVector<std::pair<QString, QString>> facts;  // "Layers × width": "30 × 576"
  QStringList notices;
};

class ModelScan : public QObject {
  Q_OBJECT
 public:
  ModelScan();
  // Looks again, in the usual places and in `folders`.
  void start(const QStringList& folders);
  // One folder or file that a person named; found() or not_a_model() follows.
  void look_at(const QString& path);
  void stop();
  bool is_going_on() const { return is_going_on_; }
  const QStringList& places() const { return places_; }

 signals:
  void found(const QVector<ModelEntry>& entries);
  void not_a_model(const QString& path, const QString& sentence);
  void finished();

 private:
  void hand_over();

  struct Tray {  // where the thread lays down what it has met
    std::mutex lock;
    QVector<ModelEntry> entries;
  };
  std::shared_ptr<Tray> tray_;  // shared with the thread
  QStringList places_;
  QTimer timer_;
  bool is_going_on_ = false;
  Background walker_;
  Background looker_;
};

}  // namespace anneal::ui
