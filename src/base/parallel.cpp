#include "base/parallel.h"

#include <sched.h>

#include <condition_variable>
#include <mutex>
#include <stop_token>
#include <system_error>
#include <thread>
#include <vector>

#include "base/check.h"

namespace trilith {
namespace {

/// One parallel_for call: part i covers [i n / parts, (i + 1) n / parts).
struct Job {
  std::int64_t n = 0;
  int parts = 0;
  pool::Body body = nullptr;
  void* context = nullptr;

  std::int64_t begin_of(int part) const {
    const std::int64_t share = n / parts, rest = n % parts;
    return share * part + (part < rest ? part : rest);
  }
  void run(int part) const { body(context, begin_of(part), begin_of(part + 1), part); }
};

thread_local bool inside_part = false;

/// Threads that wait for jobs. Worker i runs part i + 1 of each job; the caller runs part 0, and every part that has no worker.
class Pool {
 public:
  ~Pool() {
    for (std::jthread& worker : workers_) worker.request_stop();
    // a worker that is about to wait must see the request
    {
      const std::scoped_lock lock(mutex_);
    }
    wake_.notify_all();
  }

  /// False where another thread holds the pool; nothing was run then.
  bool try_run(const Job& job) {
    const std::unique_lock owner(owner_, std::try_to_lock);
    if (!owner.owns_lock()) return false;
    grow(job.parts - 1);
    const int helpers = start(job);
    inside_part = true;
    job.run(0);
    for (int part = helpers + 1; part < job.parts; ++part) job.run(part);
    inside_part = false;
    std::unique_lock lock(mutex_);
    done_.wait(lock, [this] { return running_ == 0; });
    return true;
  }

 private:
  void grow(int wanted) {
    try {
      while (static_cast<int>(workers_.size()) < wanted) {
        const int index = static_cast<int>(workers_.size());
        workers_.emplace_back([this, index](const std::stop_token& stop) { work(stop, index); });
      }
    } catch (const std::system_error&) {  // NOLINT(bugprone-empty-catch): fewer threads are no error
      // no more threads to be had: the caller runs the parts that have no worker
    }
  }

  int start(const Job& job) {
    const int helpers = job.parts - 1 < static_cast<int>(workers_.size()) ? job.parts - 1 : static_cast<int>(workers_.size());
    {
      const std::scoped_lock lock(mutex_);
      job_ = job;
      helpers_ = helpers;
      running_ = helpers;
      ++generation_;
    }
    wake_.notify_all();
    return helpers;
  }

  void work(const std::stop_token& stop, int index) {
    inside_part = true;
    std::uint64_t seen = 0;
    std::unique_lock lock(mutex_);
    while (true) {
      wake_.wait(lock, [&] { return stop.stop_requested() || (generation_ != seen && index < helpers_); });
      if (stop.stop_requested()) return;
      seen = generation_;
      const Job job = job_;
      lock.unlock();
      job.run(index + 1);
      lock.lock();
      if (--running_ == 0) done_.notify_one();
    }
  }

  std::mutex owner_;  // held by the thread whose job runs
  std::mutex mutex_;  // guards what follows
  std::condition_variable wake_, done_;
  Job job_;
  int helpers_ = 0;
  int running_ = 0;
  std::uint64_t generation_ = 0;
  std::vector<std::jthread> workers_;  // last: joined before the rest goes
};

}  // namespace

int hardware_threads() noexcept {
  cpu_set_t set;
  if (sched_getaffinity(0, sizeof(set), &set) == 0 && CPU_COUNT(&set) > 0) return CPU_COUNT(&set);
  const unsigned count = std::thread::hardware_concurrency();
  return count > 0 ? static_cast<int>(count) : 1;
}

namespace pool {

void run(std::int64_t n, int threads, Body body, void* context) noexcept {
  TRI_CHECK(n >= 0);
  TRI_CHECK(threads >= 1);
  if (n == 0) return;
  const Job job{n, n < threads ? static_cast<int>(n) : threads, body, context};
  if (job.parts > 1 && !inside_part) {
    static Pool threads_of_process;
    if (threads_of_process.try_run(job)) return;
  }
  for (int part = 0; part < job.parts; ++part) job.run(part);
}

}  // namespace pool
}  // namespace trilith
