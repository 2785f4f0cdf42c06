#pragma once
#include <cstdint>

namespace trilith::test {

/// Number of heap allocations of this process so far, all threads: operator new and the malloc family (realloc counts too).
std::int64_t allocation_total() noexcept;

/// Counts the heap allocations since its construction, all threads. Works in plain, address- and thread-sanitized builds.
class AllocationCount {
 public:
  AllocationCount() noexcept : start_(allocation_total()) {}
  std::int64_t delta() const noexcept { return allocation_total() - start_; }

 private:
  std::int64_t start_;
};

}  // namespace trilith::test
