#include "ui/tasks/model_scan.h"

#include <filesystem>

#include "engine/architecture/model_summary.h"
#include "engine/architecture/models_on_disk.h"
#include "kernels/core/error.h"
#include "ui/tasks/words.h"

namespace anneal::ui {
namespace {

QString text_at(const Json& summary, const char* key) {
  const auto value = summary.find(key);
  return value != summary.end() && value->is_string() ? qt(printable(value->get<std::string>(), 400)) : QString();
}

qint64 number_at(const Json& summary, const char* key) {
  const auto value = summary.find(key);
  return value != summary.end() && value->is_number_integer() ? value->get<qint64>() : 0;
}

qint64 bytes_of(const std::filesystem::path& folder) {
  qint64 sum = 0;
  std::error_code failed;
  for (const auto& file : std::filesystem::directory_iterator(folder, failed)) {
    if (file.path().extension() == ".safetensors") sum += static_cast<qint64>(file.file_size(failed));
  }
  return sum;
}

ModelEntry entry_of(const engine::ModelOnDisk& model) {
  const Json& summary = model.summary;
  ModelEntry entry{.name = qt(printable(model.name, 200)),
                   .path = qt(model.path.string()),
                   .family = text_at(summary, "family"),
                   .architecture = text_at(summary, "architecture"),
                   .dtype = text_at(summary, "dtype"),
                   .parameters = number_at(summary, "parameters"),
                   .bytes = number_at(summary, "bytes"),
                   .is_trainable = summary.value("trainable", false),
                   .reason = text_at(summary, "reason")};
  const bool is_file = model.path.extension() == ".gguf";
  entry.format = is_file ? "GGUF" : "safetensors";
  entry.place =
      entry.path.contains("/hub/models--") ? QObject::tr("Hugging Face cache") : qt(model.path.parent_path().string());
  if (entry.bytes == 0 && !is_file) entry.bytes = bytes_of(model.path);
  const auto fact = [&](const QString& name, const QString& value) {
    if (!value.isEmpty()) entry.facts.push_back({name, value});
  };
  const auto number = [&](const char* key) {
    return summary.contains(key) && summary[key].is_number_integer() ? grouped(number_at(summary, key)) : QString();
  };
  fact(QObject::tr("Architecture"), entry.architecture);
  if (summary.contains("layers")) {
    fact(QObject::tr("Layers × width"), number("layers") + " × " + number("hidden_size"));
    fact(QObject::tr("Heads, key/value heads"), number("heads") + ", " + number("kv_heads"));
    fact(QObject::tr("Vocabulary"), number("vocab_size"));
    fact(QObject::tr("Tied embeddings"),
         summary.value("tie_word_embeddings", false) ? QObject::tr("Yes") : QObject::tr("No"));
  }
  if (const QString context = number("context"); !context.isEmpty())
    fact(QObject::tr("Context"), QObject::tr("%1 tokens").arg(context));
  fact(QObject::tr("Tensors"), number("tensors"));
  if (const auto notices = summary.find("notices"); notices != summary.end() && notices->is_array()) {
    for (const Json& notice : *notices) entry.notices.push_back(qt(notice.get<std::string>()));
  }
  return entry;
}

}  // namespace

ModelScan::ModelScan() : tray_(std::make_shared<Tray>()) {
  timer_.setInterval(100);
  connect(&timer_, &QTimer::timeout, this, &ModelScan::hand_over);
}

void ModelScan::start(const QStringList& folders) {
  std::vector<std::filesystem::path> places = engine::usual_model_places();
  for (const QString& folder : folders) places.emplace_back(folder.toStdString());
  places_.clear();
  for (const auto& place : places) places_.push_back(qt(place.string()));
  tray_ = std::make_shared<Tray>();
  is_going_on_ = true;
  timer_.start();
  const auto end = [this] {
    hand_over();
    timer_.stop();
    is_going_on_ = false;
    emit finished();
  };
  walker_.run(
      this,
      [places, tray = tray_](const StopFlag& flag) {
        engine::find_models(places, [&](const engine::ModelOnDisk& model) {
          ModelEntry entry = entry_of(model);
          const std::lock_guard hold(tray->lock);
          tray->entries.push_back(std::move(entry));
          return !flag.is_set();
        });
        return true;
      },
      [end](bool) { end(); }, [end](const QString&) { end(); });
}

void ModelScan::look_at(const QString& path) {
  looker_.run(
      this,
      [path](const StopFlag& flag) {
        QVector<ModelEntry> entries;
        std::filesystem::path place = path.toStdString();
        if (!std::filesystem::is_directory(place) && place.extension() != ".gguf") place = place.parent_path();
        if (place.extension() == ".gguf") {
          entries.push_back(entry_of(
              {.name = place.stem().string(), .path = place, .summary = engine::inspect_gguf(place.string())}));
        } else {
          engine::find_models({place}, [&](const engine::ModelOnDisk& model) {
            entries.push_back(entry_of(model));
            return !flag.is_set();
          });
          if (entries.isEmpty()) engine::inspect_model_folder(place.string());  // says why it is none
        }
        return entries;
      },
      [this](QVector<ModelEntry> entries) { emit found(entries); },
      [this, path](const QString& sentence) { emit not_a_model(path, sentence); });
}

void ModelScan::stop() {
  walker_.stop();
  timer_.stop();
  hand_over();
  if (std::exchange(is_going_on_, false)) emit finished();
}

void ModelScan::hand_over() {
  QVector<ModelEntry> entries;
  {
    const std::lock_guard hold(tray_->lock);
    entries.swap(tray_->entries);
  }
  if (!entries.isEmpty()) emit found(entries);
}

}  // namespace anneal::ui
