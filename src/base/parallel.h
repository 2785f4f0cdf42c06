#pragma once
#include <cstdint>
#include <type_traits>

namespace trilith {

/// Processors that this process may run on, at least 1.
int hardware_threads() noexcept;

namespace pool {
using Body = void (*)(void* context, std::int64_t begin, std::int64_t end, int thread_index);
void run(std::int64_t n, int threads, Body body, void* context) noexcept;
}  // namespace pool

/// Calls f(begin, end, thread_index) for `threads` parts of [0, n) (fewer where n is smaller) and returns when all are done. The parts
/// depend on n and `threads` only and are contiguous and ascending; thread_index in [0, threads) names the part, for per-thread scratch.
/// Results do not depend on `threads` as long as every index is computed alone and nothing is summed across indices inside f.
///
/// Inside another parallel_for, or while another thread uses the pool, all parts run one after the other on the calling thread.
/// f must not throw. Allocates only when the pool grows (first use of a larger `threads`).
template <class F>
void parallel_for(std::int64_t n, int threads, F&& f) noexcept {
  const auto body = [](void* context, std::int64_t begin, std::int64_t end, int thread_index) {
    (*static_cast<std::remove_reference_t<F>*>(context))(begin, end, thread_index);
  };
  pool::run(n, threads, body, const_cast<void*>(static_cast<const void*>(&f)));
}

}  // namespace trilith
