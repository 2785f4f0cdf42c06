#include "linalg/block_storage.h"

#include <sys/mman.h>

#include <cstdlib>
#include <cstring>
#include <new>
#include <utility>

namespace trilith::linalg {
namespace {

constexpr std::size_t alignment = 64;               // bytes: a cache line, the widest vector
constexpr std::size_t page_threshold = 1ULL << 20;  // bytes: from here on whole pages are asked for

std::size_t bytes_of(std::int64_t size) {
  return (static_cast<std::size_t>(size) * sizeof(double) + alignment - 1) / alignment * alignment;
}

double* obtain(std::size_t bytes) {
  if (bytes >= page_threshold) {
    void* pages = mmap(nullptr, bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (pages == MAP_FAILED) throw std::bad_alloc();
    madvise(pages, bytes, MADV_HUGEPAGE);  // fewer page faults; a wish that may be refused
    return static_cast<double*>(pages);
  }
  void* memory = std::aligned_alloc(alignment, bytes);
  if (memory == nullptr) throw std::bad_alloc();
  std::memset(memory, 0, bytes);
  return static_cast<double*>(memory);
}

void give_back(double* data, std::size_t bytes) noexcept {
  if (data == nullptr) return;
  if (bytes >= page_threshold)
    munmap(data, bytes);
  else
    std::free(data);
}

}  // namespace

AlignedArray::AlignedArray(std::int64_t size) : data_(size > 0 ? obtain(bytes_of(size)) : nullptr), size_(size) {}
AlignedArray::~AlignedArray() { give_back(data_, bytes_of(size_)); }
AlignedArray::AlignedArray(AlignedArray&& other) noexcept
    : data_(std::exchange(other.data_, nullptr)), size_(std::exchange(other.size_, 0)) {}
AlignedArray& AlignedArray::operator=(AlignedArray&& other) noexcept {
  std::swap(data_, other.data_);
  std::swap(size_, other.size_);
  return *this;
}

}  // namespace trilith::linalg
