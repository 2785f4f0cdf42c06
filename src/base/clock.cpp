#include "base/clock.h"

#include <ctime>

#include <atomic>
#include <limits>

namespace trilith {
namespace {

double seconds_of(clockid_t clock) noexcept {
  timespec t{};
  clock_gettime(clock, &t);
  return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec);
}

// a signal handler may store to a lock-free atomic
std::atomic<bool> interrupted{false};
static_assert(std::atomic<bool>::is_always_lock_free);

}  // namespace

double wall_seconds() noexcept { return seconds_of(CLOCK_MONOTONIC); }
double thread_cpu_seconds() noexcept { return seconds_of(CLOCK_THREAD_CPUTIME_ID); }

Deadline Deadline::after(double seconds) noexcept {
  Deadline deadline;
  // a sum that is not a number means: at once
  const double at = wall_seconds() + (seconds > 0 ? seconds : 0);
  deadline.at_ = at;
  return deadline;
}

bool Deadline::passed() const noexcept { return interrupt_requested() || (at_ >= 0 && wall_seconds() >= at_); }

double Deadline::remaining() const noexcept {
  if (passed()) return 0;
  return at_ >= 0 ? at_ - wall_seconds() : std::numeric_limits<double>::infinity();
}

void request_interrupt() noexcept { interrupted.store(true, std::memory_order_relaxed); }
bool interrupt_requested() noexcept { return interrupted.load(std::memory_order_relaxed); }

}  // namespace trilith
