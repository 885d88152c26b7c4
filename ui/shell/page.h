#pragma once
// A page of the window: a header with title, detail and actions, a message bar, and a body that scrolls where it must.

#include <QScrollArea>
#include <QVBoxLayout>

#include "ui/widgets/message_bar.h"
#include "ui/widgets/signs.h"
#include "ui/widgets/texts.h"

namespace anneal::ui {

enum class PageId { kModels, kData, kRecipe, kRun, kCompare, kPlayground, kExport };

class Page : public QWidget {
  Q_OBJECT
 public:
  explicit Page(const QString& title);
  virtual void opened() {}  // the person came here

 signals:
  void open_page(PageId page);

 protected:
  void set_title(const QString& title) { title_->show_text(title); }
  void set_detail(const QString& detail) { detail_->show_text(detail); }
  void set_reason(const QString& reason) { reason_->show_text(reason); }  // why the primary action waits
  Chip& chip() { return *chip_; }
  MessageBar& message() { return *message_; }
  QPushButton* add_action(QPushButton* action);  // from left to right; the primary one last
  QVBoxLayout* body() { return body_; }

 private:
  ElidedLabel* title_;
  ElidedLabel* detail_;
  ElidedLabel* reason_;
  Chip* chip_;
  MessageBar* message_;
  QHBoxLayout* header_;
  QVBoxLayout* body_;
};

}  // namespace anneal::ui
