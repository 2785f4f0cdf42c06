#pragma once
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "io/json.h"
#include "trilith/status.h"

namespace trilith::study {

/// `trilith check` on a file in a process of its own: what goes wrong there (a crash, no memory, no end) does not reach the caller.
struct CheckProcess {
  std::string program;               ///< path of the program `trilith`
  std::string assembly;              ///< path of the assembly
  std::vector<std::string> options;  ///< of `trilith check`, word by word: {"--friction", "0.7"}; not --json, --quiet or --time-limit
  double limit_s = 60;               ///< the process is told to stop by then
  double kill_after_s = 0.8;         ///< and is killed so long after it, with all its children
};

/// How the process ended.
enum class ProcessEnd : std::uint8_t {
  answered,     ///< with a verdict, `undecided` included; `json` is the whole answer
  refused,      ///< it took the words, the data or the files for wrong, or its answer was lost; `errors` says why
  time_limit,   ///< it had to be killed
  interrupted,  ///< the caller was interrupted; it was killed
  crashed,      ///< a signal ended it
  bad_output,   ///< what it wrote is not an answer of `trilith check`
  not_started,  ///< it could not be started
};

struct CheckProcessResult {
  ProcessEnd end = ProcessEnd::not_started;
  Verdict verdict = Verdict::undecided;  ///< of an answer; undecided in every other case
  io::Json json;                         ///< answered
  std::optional<int> exit_code;          ///< of a process that ended by itself
  int signal = 0;                        ///< crashed
  std::string errors;                    ///< what it wrote to standard error: warnings, refusals; the first part of it
  std::string reason;                    ///< one sentence, where there is no answer
  double seconds = 0;
};

/// Runs the process and waits for it. Returns within limit_s + kill_after_s and the time the system takes to end it. Leaves no file and no
/// process behind: the answer comes through a pipe, and the process is always waited for. Thread safe.
CheckProcessResult run_check_process(const CheckProcess& process);

std::string_view name(ProcessEnd end) noexcept;

}  // namespace trilith::study
