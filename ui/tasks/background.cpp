#include "ui/tasks/background.h"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>

#include "kernels/cpu/cpu.h"

namespace anneal::ui {

Background::Background() : thread_([this] { loop(); }) {}

Background::~Background() {
  {
    const std::lock_guard hold(lock_);
    if (flag_) flag_->set();
    is_ending_ = true;
  }
  wakes_.notify_one();
  thread_.join();
}

void Background::post(std::shared_ptr<StopFlag> flag, std::function<void()> work) {
  {
    const std::lock_guard hold(lock_);
    if (flag_) flag_->set();
    flag_ = std::move(flag);
    next_ = std::move(work);
  }
  wakes_.notify_one();
}

void Background::stop() {
  const std::lock_guard hold(lock_);
  if (flag_) flag_->set();
  next_ = {};
}

void Background::loop() {
  be_polite();
  for (;;) {
    std::function<void()> work;
    {
      std::unique_lock hold(lock_);
      wakes_.wait(hold, [this] { return is_ending_ || next_; });
      if (is_ending_) return;
      work = std::exchange(next_, {});
    }
    work();
  }
}

void be_polite() {
  constexpr int kNice = 10;
  setpriority(PRIO_PROCESS, static_cast<id_t>(gettid()), kNice);  // of this thread alone, on Linux
}

int worker_threads() { return std::max(1, cpu_facts().cores - 1); }

}  // namespace anneal::ui
