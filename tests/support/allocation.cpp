#include "support/allocation.h"

#include <atomic>
#include <cerrno>
#include <cstddef>

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define TRILITH_TEST_SANITIZED 1
#elif defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(memory_sanitizer)
#define TRILITH_TEST_SANITIZED 1
#endif
#endif

namespace trilith::test {
namespace {
std::atomic<std::int64_t> total{0};
}  // namespace

std::int64_t allocation_total() noexcept { return total.load(std::memory_order_relaxed); }

namespace {
void count_one() noexcept { total.fetch_add(1, std::memory_order_relaxed); }
}  // namespace
}  // namespace trilith::test

#ifdef TRILITH_TEST_SANITIZED

// a sanitizer owns malloc: it calls the hook at every allocation, operator new included
extern "C" int __sanitizer_install_malloc_and_free_hooks(void (*on_malloc)(const volatile void*, std::size_t),
                                                         void (*on_free)(const volatile void*));

namespace trilith::test {
namespace {
void on_malloc(const volatile void*, std::size_t) { count_one(); }
void on_free(const volatile void*) {}
[[maybe_unused]] const int hooks_installed = __sanitizer_install_malloc_and_free_hooks(on_malloc, on_free);
}  // namespace
}  // namespace trilith::test

#else

// glibc lets a program define the malloc family itself; operator new of the C++ library lands here too
extern "C" {
void* __libc_malloc(std::size_t size);
void* __libc_calloc(std::size_t count, std::size_t size);
void* __libc_realloc(void* old, std::size_t size);
void* __libc_memalign(std::size_t alignment, std::size_t size);

void* malloc(std::size_t size) noexcept {
  trilith::test::count_one();
  return __libc_malloc(size);
}
void* calloc(std::size_t count, std::size_t size) noexcept {
  trilith::test::count_one();
  return __libc_calloc(count, size);
}
void* realloc(void* old, std::size_t size) noexcept {
  trilith::test::count_one();
  return __libc_realloc(old, size);
}
void* memalign(std::size_t alignment, std::size_t size) noexcept {
  trilith::test::count_one();
  return __libc_memalign(alignment, size);
}
void* aligned_alloc(std::size_t alignment, std::size_t size) noexcept {
  trilith::test::count_one();
  return __libc_memalign(alignment, size);
}
int posix_memalign(void** out, std::size_t alignment, std::size_t size) noexcept {
  const bool power_of_two = alignment != 0 && (alignment & (alignment - 1)) == 0;
  if (!power_of_two || alignment % sizeof(void*) != 0) return EINVAL;
  trilith::test::count_one();
  void* memory = __libc_memalign(alignment, size);
  if (memory == nullptr) return ENOMEM;
  *out = memory;
  return 0;
}
}

#endif
