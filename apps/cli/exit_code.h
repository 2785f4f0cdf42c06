#pragma once

namespace trilith::cli {

/// What the program says to the shell (docs/conventions.md).
enum Exit : int {
  yes = 0,         ///< stands, solved, answered
  no = 1,          ///< falls, infeasible
  undecided = 2,   ///< marginal or undecided
  usage = 64,      ///< the command line cannot be understood
  bad_input = 65,  ///< the data is refused
  bug = 70,        ///< our mistake
  io_failed = 74,  ///< a file could not be read or written
  resumable = 75,  ///< work was lost but can be resumed
  interrupted = 130,
};

}  // namespace trilith::cli
