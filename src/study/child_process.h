#pragma once
#include <cstddef>
#include <string>
#include <vector>

namespace trilith::study {

/// How a child process ended, and what it wrote.
struct ChildReport {
  bool started = false;
  bool killed = false;       ///< by us: the limit came, or an interrupt
  bool interrupted = false;  ///< and that was an interrupt of this process
  bool overflowed = false;   ///< by us: it wrote more than allowed
  int exit_code = -1;        ///< where it ended by itself
  int signal = 0;            ///< where a signal ended it
  std::string output, errors;
  std::string reason;  ///< not started: the system's words
};

/// Runs `words` (the program first, by its path) in a process group of its own, with no standard input, and collects both its outputs: at
/// most `output_limit` bytes (more end it) and the first `error_limit` bytes. The whole group is killed `limit_s` from now.
ChildReport run_child(const std::vector<std::string>& words, double limit_s, std::size_t output_limit, std::size_t error_limit);

}  // namespace trilith::study
