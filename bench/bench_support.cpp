#include "bench_support.h"

#include <fcntl.h>
#include <malloc.h>
#include <spawn.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>

#include "base/clock.h"
#include "base/isa.h"

namespace trilith::bench {

Seconds least_time(int repetitions, double budget_s, const std::function<bool()>& work) {
  Seconds least{1e300, 1e300};
  const double begin = wall_seconds();
  for (int i = 0; i < repetitions && (i < 2 || wall_seconds() - begin < budget_s); ++i) {
    const double cpu = thread_cpu_seconds(), wall = wall_seconds();
    const bool right = work();
    least.cpu = std::min(least.cpu, thread_cpu_seconds() - cpu);
    least.wall = std::min(least.wall, wall_seconds() - wall);
    if (!right) {
      std::printf("WRONG ANSWER\n");
      std::exit(1);
    }
  }
  return least;
}

double machine_load() {
  double load[1] = {0};
  return getloadavg(load, 1) == 1 ? load[0] : 0;
}

void Table::head(const std::string& title) const {
  std::printf("\n%s   (load of the machine %.1f)\n  %-58s %11s %11s %7s %9s\n", title.c_str(), machine_load(), "", "ours", "peer", "ratio",
              "bar");
}

void Table::judge(const std::string& what, double ours, double bar) {
  if (bar <= 0) {
    std::printf(" %9s %-4s", "", "");
    return;
  }
  ++bars_;
  const bool kept = ours <= bar;
  std::printf(" %9.4g %-4s", bar, kept ? "PASS" : "MISS");
  if (kept) return;
  char text[200];
  std::snprintf(text, sizeof text, "%s (%.3g for %.3g)", what.c_str(), ours, bar);
  missed_.emplace_back(text);
}

void Table::time(const std::string& what, double ours_s, double bar_s, double peer_s, const std::string& note) {
  std::printf("  %-58s %9.6f s", what.c_str(), ours_s);
  if (peer_s > 0)
    std::printf(" %9.6f s %7.3f", peer_s, ours_s / peer_s);
  else
    std::printf(" %11s %7s", "", "");
  judge(what, ours_s, bar_s);
  std::printf("  %s\n", note.c_str());
  std::fflush(stdout);
}

void Table::number(const std::string& what, double ours, double bar, const std::string& unit, const std::string& note) {
  std::printf("  %-58s %9.4g %-21s", what.c_str(), ours, unit.c_str());
  judge(what, ours, bar);
  std::printf("  %s\n", note.c_str());
  std::fflush(stdout);
}

void Table::fact(const std::string& what, bool right, const std::string& note) {
  std::printf("  %-58s %s  %s\n", what.c_str(), right ? "yes" : "WRONG ANSWER", note.c_str());
  std::fflush(stdout);
  wrong_ = wrong_ || !right;
}

std::string Table::summary() const {
  if (missed_.empty()) return "all " + std::to_string(bars_) + " bars are kept";
  std::string text = std::to_string(missed_.size()) + " of " + std::to_string(bars_) + " bars are missed:";
  for (const std::string& name : missed_) text += "\n  " + name;
  return text;
}

Child run_child(const std::vector<std::string>& words) {
  std::vector<char*> argv;
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t actions;
  posix_spawn_file_actions_init(&actions);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO}) posix_spawn_file_actions_addopen(&actions, stream, "/dev/null", O_WRONLY, 0);

  Child child;
  pid_t pid = -1;
  const double start = wall_seconds();
  const int failed = posix_spawn(&pid, argv[0], &actions, nullptr, argv.data(), environ);
  posix_spawn_file_actions_destroy(&actions);
  if (failed != 0) return child;
  int status = 0;
  rusage usage{};
  if (wait4(pid, &status, 0, &usage) != pid) return child;
  child.wall_s = wall_seconds() - start;
  const auto seconds = [](const timeval& t) { return double(t.tv_sec) + 1e-6 * double(t.tv_usec); };
  child.cpu_s = seconds(usage.ru_utime) + seconds(usage.ru_stime);
  child.peak_byte = 1024 * double(usage.ru_maxrss);
  if (WIFEXITED(status)) child.exit = WEXITSTATUS(status);
  return child;
}

ScratchFolder::ScratchFolder() {
  std::string path = (std::filesystem::temp_directory_path() / "trilith_bench_XXXXXX").string();
  if (mkdtemp(path.data()) == nullptr) {
    std::printf("no temporary folder can be made\n");
    std::exit(1);
  }
  path_ = path;
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  std::filesystem::remove_all(path_, ignored);
}

void keep_memory() {
  constexpr int most = 1 << 30;  // bytes
  mallopt(M_MMAP_THRESHOLD, most);
  mallopt(M_TRIM_THRESHOLD, most);
}

void choose_blas_kernels(char** argv) {
  constexpr const char* mark = "TRILITH_BENCH_KEEPS_BLAS";
  if (!has_isa(Isa::v4) || std::getenv(mark) != nullptr) return;
  setenv(mark, "1", 1);
  setenv("OPENBLAS_CORETYPE", "SkylakeX", 1);
  execv("/proc/self/exe", argv);
}

}  // namespace trilith::bench
