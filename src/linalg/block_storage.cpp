#include "linalg/block_storage.h"

#include <sys/mman.h>

#include <cstdlib>
#include <new>
#include <utility>

namespace trilith::linalg {
namespace {

constexpr std::size_t cache_line = 64;       // bytes; also the widest vector
constexpr std::size_t huge_page = 2u << 20;  // bytes

std::size_t rounded_up(std::size_t bytes, std::size_t unit) { return (bytes + unit - 1) / unit * unit; }

double* obtain(std::size_t bytes) {
  const bool large = bytes >= huge_page / 2;
  const std::size_t unit = large ? huge_page : cache_line, size = rounded_up(bytes, unit);
  void* memory = std::aligned_alloc(unit, size);
  if (memory == nullptr) throw std::bad_alloc();
  if (large) madvise(memory, size, MADV_HUGEPAGE);  // a wish: it may be refused without harm
  return static_cast<double*>(memory);
}

}  // namespace

AlignedArray::AlignedArray(std::int64_t size)
    : data_(size > 0 ? obtain(static_cast<std::size_t>(size) * sizeof(double)) : nullptr), size_(size) {}
AlignedArray::~AlignedArray() { std::free(data_); }
AlignedArray::AlignedArray(AlignedArray&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
AlignedArray& AlignedArray::operator=(AlignedArray&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace trilith::linalg
