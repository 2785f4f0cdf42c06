#pragma once
#include <cstddef>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

#include "base/check.h"

namespace trilith {

/// Bump storage for workspaces: one allocation at setup, spans handed out in order, all given back at once. Not thread safe.
class Arena {
 public:
  static constexpr std::size_t alignment = 64;  ///< bytes; one cache line, one widest vector register

  /// Room for `bytes`, rounded up to the alignment.
  explicit Arena(std::size_t bytes);

  /// Bytes that `take<T>(count)` uses up: add these to size an arena.
  template <class T>
  static constexpr std::size_t bytes_of(std::size_t count) noexcept {
    return (count * sizeof(T) + alignment - 1) / alignment * alignment;
  }

  /// `count` elements, aligned to 64 bytes, valid until `reset` or the end of the arena. Release builds fill with zero, debug builds with
  /// NaN (all bits one), so that use before writing is seen. Fails a check where the arena is full.
  template <class T>
  std::span<T> take(std::size_t count) {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>, "an arena runs no constructors");
    static_assert(alignof(T) <= alignment);
    TRI_CHECK(count <= (capacity_ - used_) / sizeof(T));
    TRI_CHECK(bytes_of<T>(count) <= capacity_ - used_);
    std::byte* at = storage_.get() + used_;
    used_ += bytes_of<T>(count);
    fill(at, count * sizeof(T));
    return {reinterpret_cast<T*>(at), count};
  }

  /// Gives everything back; spans taken before must not be used again.
  void reset() noexcept { used_ = 0; }

  std::size_t used() const noexcept { return used_; }          ///< bytes
  std::size_t capacity() const noexcept { return capacity_; }  ///< bytes

 private:
  struct Free {
    void operator()(std::byte* p) const noexcept;
  };
  static void fill(std::byte* at, std::size_t bytes) noexcept;

  std::unique_ptr<std::byte[], Free> storage_;
  std::size_t capacity_ = 0;
  std::size_t used_ = 0;
};

}  // namespace trilith
