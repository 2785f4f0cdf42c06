#include "cli/watchdog.h"

#include <chrono>
#include <condition_variable>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <memory>
#include <mutex>
#include <thread>

#include "base/clock.h"
#include "cli/output.h"

namespace trilith::cli {
namespace {

constexpr std::chrono::milliseconds poll_interval{20};  // signal handlers cannot wake a condition variable

struct Shared {
  std::mutex mutex;
  std::condition_variable done;
  bool finished = false;
  std::exception_ptr failure;
};

}  // namespace

Watched run_watched(std::function<void()> work, std::optional<double> limit_s) {
  auto shared = std::make_shared<Shared>();
  std::thread([shared, work = std::move(work)] {
    std::exception_ptr failure;
    try {
      work();
    } catch (...) {
      failure = std::current_exception();
    }
    const std::lock_guard lock(shared->mutex);
    shared->failure = failure;
    shared->finished = true;
    shared->done.notify_one();
  }).detach();

  const double start = wall_seconds();
  double interrupted_at = -1;
  std::unique_lock lock(shared->mutex);
  while (!shared->done.wait_for(lock, poll_interval, [&] { return shared->finished; })) {
    const double now = wall_seconds();
    if (interrupt_requested() && interrupted_at < 0) interrupted_at = now;
    if (interrupted_at >= 0 && now > interrupted_at + watchdog_grace_s) return Watched::interrupted;
    if (limit_s && now > start + *limit_s + watchdog_grace_s) return Watched::time_limit;
  }
  if (shared->failure) std::rethrow_exception(shared->failure);
  return Watched::finished;
}

std::optional<double> read_time_limit(Arguments& arguments) {
  const auto limit = arguments.number("--time-limit");
  if (limit && !(*limit >= 0)) arguments.refuse("--time-limit", "must be 0 or more seconds");
  return limit;
}

std::string early_end(Watched why) {
  return why == Watched::time_limit ? "the time limit came before an answer" : "interrupted before an answer";
}

void abandon(const Arguments& arguments, const std::string& path, Watched why, const io::Json& json) {
  const std::string reason = early_end(why);
  std::fprintf(stderr, "trilith: %s: %s\n", path.c_str(), reason.c_str());
  const Exit answer = why == Watched::time_limit ? Exit::undecided : Exit::interrupted;
  const Exit exit = write_result(arguments, json, "UNDECIDED. " + reason + ".\n", answer);
  std::fflush(nullptr);
  std::_Exit(exit);
}

}  // namespace trilith::cli
