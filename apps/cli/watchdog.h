#pragma once
#include <functional>
#include <optional>
#include <string>

#include "cli/arguments.h"
#include "io/json.h"

namespace trilith::cli {

enum class Watched { finished, time_limit, interrupted };

/// How long after the limit (or an interrupt) the work may still come back by itself before it is abandoned.
inline constexpr double watchdog_grace_s = 0.5;

/// Runs `work` on a thread of its own and waits for it, at most `limit_s` (none: for ever) plus the grace time. Where the answer is not
/// `finished` the work still runs: write the result and end the process with std::_Exit. An exception of `work` is passed on.
Watched run_watched(std::function<void()> work, std::optional<double> limit_s);

/// --time-limit in seconds, 0 or more.
std::optional<double> read_time_limit(Arguments& arguments);

/// Why there is no answer, for people.
std::string early_end(Watched why);

/// Ends the process with what is known, while the work is left behind. `json`: the result without an answer.
[[noreturn]] void abandon(const Arguments& arguments, const std::string& path, Watched why, const io::Json& json);

}  // namespace trilith::cli
