#pragma once
// Work off the window's thread. Each Background has one thread and does the newest thing asked of it: a newer request
// tells the older to stop, and only the newest one's result is delivered, on the window's thread.

#include <QCoreApplication>
#include <QObject>
#include <QPointer>
#include <atomic>
#include <condition_variable>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <utility>
#include <variant>

namespace anneal::ui {

// Shared by the asker and the work at hand: work looks at it now and then and leaves when it is set.
class StopFlag {
 public:
  void set() { is_set_.store(true); }
  bool is_set() const { return is_set_.load(); }

 private:
  std::atomic<bool> is_set_{false};
};

// Thrown by work that saw its flag.
struct WorkStopped {};

class Background {
 public:
  Background();
  ~Background();  // tells the work to stop and waits for it
  Background(const Background&) = delete;
  Background& operator=(const Background&) = delete;

  // work(flag) runs on the thread and returns a value; done(value) or failed(sentence) is called on the thread of
  // `receiver`, unless a newer request came or the receiver is gone. The flag is shared: both sides look at it.
  template <class Work, class Done>
  void run(QObject* receiver, Work work, Done done, std::function<void(const QString&)> failed) {
    const auto flag = std::make_shared<StopFlag>();
    const QPointer<QObject> target = receiver;
    const auto deliver = [flag, target](std::function<void()> call) {
      QMetaObject::invokeMethod(
          qApp,
          [flag, target, call = std::move(call)] {
            if (!flag->is_set() && target) call();
          },
          Qt::QueuedConnection);
    };
    post(flag, [flag, deliver, work = std::move(work), done = std::move(done), failed = std::move(failed)] {
      try {
        auto result = std::make_shared<decltype(work(*flag))>(work(*flag));  // shared: std::function copies
        deliver([result, done] { done(std::move(*result)); });
      } catch (const WorkStopped&) {
      } catch (const std::exception& error) {
        deliver([sentence = QString::fromUtf8(error.what()), failed] { failed(sentence); });
      }
    });
  }
  // The work at hand is told to stop; its result is not delivered.
  void stop();

 private:
  void post(std::shared_ptr<StopFlag> flag, std::function<void()> work);
  void loop();

  std::mutex lock_;
  std::condition_variable wakes_;
  std::function<void()> next_;
  std::shared_ptr<StopFlag> flag_;
  bool is_ending_ = false;
  std::thread thread_;
};

// Engine threads give way to the window's: call first on a thread that computes. Threads begun by it do so too.
void be_polite();

// Threads for work beside the window: all cores but one, at least one.
int worker_threads();

}  // namespace anneal::ui
