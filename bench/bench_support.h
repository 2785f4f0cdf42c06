#pragma once
#include <sys/types.h>

#include <functional>
#include <string>
#include <vector>

/// What the benches with bars share: least times, the table, child processes.
namespace trilith::bench {

/// Seconds of one run, or the least of several (each column by itself).
struct Seconds {
  double cpu = 0;   ///< of the calling thread
  double wall = 0;  ///< of the clock: waits for other programs are in it
};

/// Least times of `work`, which runs until `repetitions` or `budget_s` of wall time are over, but at least twice (once where `repetitions`
/// is 1). `work` returns false where its answer is wrong; the process then ends with exit code 1.
Seconds least_time(int repetitions, double budget_s, const std::function<bool()>& work);

/// The one-minute load of the machine.
double machine_load();

/// Lines of "what, ours, peer, ratio, bar, PASS or MISS".
class Table {
 public:
  void head(const std::string& title) const;
  /// `bar_s` 0: no bar, only recorded. `peer_s` 0: no peer.
  void time(const std::string& what, double ours_s, double bar_s, double peer_s = 0, const std::string& note = "");
  /// A number that is at most `bar` (`fraction` digits).
  void number(const std::string& what, double ours, double bar, const std::string& unit, const std::string& note = "");
  /// Something that is right or wrong; wrong makes `wrong()` true.
  void fact(const std::string& what, bool right, const std::string& note = "");
  bool wrong() const { return wrong_; }
  /// "3 bars missed: ..." or "every bar is kept".
  std::string summary() const;

 private:
  void judge(const std::string& what, double ours, double bar);

  std::vector<std::string> missed_;
  int bars_ = 0;
  bool wrong_ = false;
};

/// A finished program.
struct Child {
  int exit = -1;         ///< exit code; -1: it could not be run or was killed
  double cpu_s = 0;      ///< user and system, all threads
  double wall_s = 0;     ///< from start to end
  double peak_byte = 0;  ///< largest resident set
};

/// Runs a program with its output thrown away and waits for it. words[0] is its path.
Child run_child(const std::vector<std::string>& words);

/// A folder of this process under the system's temporary folder, removed at the end.
class ScratchFolder {
 public:
  ScratchFolder();
  ~ScratchFolder();
  ScratchFolder(const ScratchFolder&) = delete;
  ScratchFolder& operator=(const ScratchFolder&) = delete;
  std::string file(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

/// Freed memory stays with this process, so that repeated runs measure work and not the clearing of pages, ours and the peers' alike. Runs
/// of the program in a process of its own count everything.
void keep_memory();

/// Starts this program again with the OpenBLAS kernels for AVX-512 where the CPU has it, unless TRILITH_BENCH_KEEPS_BLAS is set: OpenBLAS
/// reads OPENBLAS_CORETYPE only at start, and takes newer CPUs for old ones, which makes CHOLMOD look slow.
void choose_blas_kernels(char** argv);

}  // namespace trilith::bench
