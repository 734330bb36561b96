// While one lives, what asks the process to end waits: Ctrl-C between two files leaves nothing behind. A thread that is
// started meanwhile never takes such a signal, so that the other threads of the process (crew.h) leave it to the one
// that writes.
#pragma once

#include <csignal>

namespace ptofix::text {

class HeldSignals {
  public:
    HeldSignals() {
        sigset_t held;
        sigemptyset(&held);
        for (const int signal : {SIGINT, SIGTERM, SIGHUP, SIGQUIT}) sigaddset(&held, signal);
        pthread_sigmask(SIG_BLOCK, &held, &before_);
    }
    HeldSignals(const HeldSignals&) = delete;
    HeldSignals& operator=(const HeldSignals&) = delete;
    ~HeldSignals() { pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

  private:
    sigset_t before_{};
};

}  // namespace ptofix::text
