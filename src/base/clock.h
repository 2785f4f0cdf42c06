#pragma once
#include <cstdint>

namespace trilith {

/// Seconds of a monotonic clock since an arbitrary start.
double wall_seconds() noexcept;
/// CPU seconds of the calling thread.
double thread_cpu_seconds() noexcept;

/// A point in time after which a solve stops with `SolveStatus::time_limit`. Also stops when the program was interrupted.
class Deadline {
 public:
  /// Never passes on its own.
  Deadline() = default;
  /// Passes `seconds` from now (0 and less: at once).
  static Deadline after(double seconds) noexcept;
  bool passed() const noexcept;
  /// Seconds left, 0 where it has passed, infinity where it never does: for outside solvers that keep their own clock.
  double remaining() const noexcept;

 private:
  double at_ = -1;  // wall_seconds; below 0: none
};

/// Set by the program's signal handler; async-signal-safe. `Deadline::passed` then answers true in every thread.
void request_interrupt() noexcept;
bool interrupt_requested() noexcept;

}  // namespace trilith
