#include "study/child_process.h"

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstring>

#include "base/clock.h"

namespace trilith::study {
namespace {

constexpr useconds_t wait_us = 1000;  // between two looks at a child that has closed its streams
constexpr int poll_ms = 50;           // an interrupt of this process is seen so often

/// Both ends of a pipe that no other child inherits.
class Pipe {
 public:
  Pipe() { open_ = pipe2(ends_, O_CLOEXEC) == 0; }
  Pipe(const Pipe&) = delete;
  Pipe& operator=(const Pipe&) = delete;
  ~Pipe() {
    close_end(0);
    close_end(1);
  }
  bool open() const { return open_; }
  int end(int i) const { return ends_[i]; }
  void close_end(int i) {
    if (ends_[i] >= 0) close(ends_[i]);
    ends_[i] = -1;
  }

 private:
  int ends_[2] = {-1, -1};
  bool open_ = false;
};

/// 0, or the error number of the system.
int start(const std::vector<std::string>& words, const Pipe& output, const Pipe& errors, pid_t& child) {
  std::vector<char*> argv;
  argv.reserve(words.size() + 1);
  for (const std::string& word : words) argv.push_back(const_cast<char*>(word.c_str()));
  argv.push_back(nullptr);
  posix_spawn_file_actions_t files;
  posix_spawnattr_t attributes;
  posix_spawn_file_actions_init(&files);
  posix_spawnattr_init(&attributes);
  posix_spawn_file_actions_addopen(&files, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, output.end(1), STDOUT_FILENO);
  posix_spawn_file_actions_adddup2(&files, errors.end(1), STDERR_FILENO);
  posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
  posix_spawnattr_setpgroup(&attributes, 0);
  const int failure = posix_spawn(&child, argv[0], &files, &attributes, argv.data(), environ);
  posix_spawnattr_destroy(&attributes);
  posix_spawn_file_actions_destroy(&files);
  return failure;
}

/// Appends what is there to read, up to `limit` bytes in all. False at the end of the stream.
bool read_some(int file, std::string& text, std::size_t limit, bool& more) {
  char buffer[65536];
  const ssize_t count = read(file, buffer, sizeof buffer);
  if (count < 0) return errno == EINTR || errno == EAGAIN;
  const std::size_t kept = std::min(static_cast<std::size_t>(count), limit - std::min(limit, text.size()));
  text.append(buffer, kept);
  more = more || kept < static_cast<std::size_t>(count);
  return count > 0;
}

/// Reads both streams until they end or the child has to go.
void listen(Pipe& output, Pipe& errors, double deadline, std::size_t output_limit, std::size_t error_limit, ChildReport& report) {
  bool ignored = false;
  while (output.end(0) >= 0 || errors.end(0) >= 0) {
    report.interrupted = interrupt_requested();
    if (report.interrupted || report.overflowed || wall_seconds() >= deadline) {
      report.killed = true;
      return;
    }
    pollfd files[2] = {{output.end(0), POLLIN, 0}, {errors.end(0), POLLIN, 0}};
    const double left_ms = 1000 * (deadline - wall_seconds());
    if (poll(files, 2, static_cast<int>(std::clamp(left_ms, 1.0, static_cast<double>(poll_ms)))) <= 0) continue;
    if (files[0].revents != 0 && !read_some(output.end(0), report.output, output_limit, report.overflowed)) output.close_end(0);
    if (files[1].revents != 0 && !read_some(errors.end(0), report.errors, error_limit, ignored)) errors.close_end(0);
  }
}

/// Waits for a child whose streams have ended, until `deadline`; then kills its whole group, itself included, and takes its status. The
/// group is killed before the child is taken, so that its number cannot belong to anybody else.
int wait_for(pid_t child, double deadline, ChildReport& report) {
  siginfo_t info{};
  while (!report.killed) {
    const bool asked = waitid(P_PID, static_cast<id_t>(child), &info, WEXITED | WNOHANG | WNOWAIT) == 0;
    if (asked && info.si_pid == child) break;
    if (wall_seconds() >= deadline) report.killed = true;
    if (!report.killed) usleep(wait_us);
  }
  kill(-child, SIGKILL);
  int status = 0;
  while (waitpid(child, &status, 0) < 0 && errno == EINTR) {
  }
  return status;
}

}  // namespace

ChildReport run_child(const std::vector<std::string>& words, double limit_s, std::size_t output_limit, std::size_t error_limit) {
  ChildReport report;
  const double deadline = wall_seconds() + limit_s;
  Pipe output, errors;
  pid_t child = 0;
  const int failure = output.open() && errors.open() ? start(words, output, errors, child) : errno;
  if (failure != 0) {
    report.reason = std::strerror(failure);
    return report;
  }
  report.started = true;
  output.close_end(1);
  errors.close_end(1);
  listen(output, errors, deadline, output_limit, error_limit, report);
  const int status = wait_for(child, deadline, report);
  if (WIFEXITED(status)) report.exit_code = WEXITSTATUS(status);
  if (WIFSIGNALED(status)) report.signal = WTERMSIG(status);
  return report;
}

}  // namespace trilith::study
