#include "app/tune/stop_signal.h"

#include <unistd.h>

#include <atomic>
#include <csignal>

#include "app/tune/command.h"

namespace anneal::tune {
namespace {

std::atomic<engine::ControlWord*> g_control{nullptr};  // a signal handler has no other way to reach the run
std::atomic<int> g_signals{0};

extern "C" void on_signal(int) {
  if (g_signals.fetch_add(1) > 0) _exit(kStoppedBySignal);
  if (engine::ControlWord* control = g_control.load()) control->post(engine::ControlRequest::kStop);
}

}  // namespace

StopSignal::StopSignal(engine::ControlWord& control) {
  g_control = &control;
  struct sigaction action {};
  action.sa_handler = on_signal;
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction before {};
    sigaction(signal, nullptr, &before);
    if (before.sa_handler != SIG_IGN) sigaction(signal, &action, nullptr);  // nohup has it ignored: that stays
  }
}

StopSignal::~StopSignal() { g_control = nullptr; }

bool StopSignal::was_sent() { return g_signals.load() > 0; }

}  // namespace anneal::tune
