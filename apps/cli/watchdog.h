#pragma once
#include <functional>
#include <optional>

namespace trilith::cli {

enum class Watched { finished, time_limit, interrupted };

/// How long after the limit (or an interrupt) the work may still come back by itself before it is abandoned.
inline constexpr double watchdog_grace_s = 0.5;

/// Runs `work` on a thread of its own and waits for it, at most `limit_s` (none: for ever) plus the grace time. Where the answer is not
/// `finished` the work still runs: write the result and end the process with std::_Exit. An exception of `work` is passed on.
Watched run_watched(std::function<void()> work, std::optional<double> limit_s);

}  // namespace trilith::cli
