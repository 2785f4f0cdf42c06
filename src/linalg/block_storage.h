#pragma once
#include <cstdint>

namespace trilith::linalg {

/// Fixed array of doubles, 64-byte aligned, zero at the start. Large ones come as untouched pages of the system: making one is cheap,
/// and what is never written takes no memory.
class AlignedArray {
 public:
  AlignedArray() = default;
  explicit AlignedArray(std::int64_t size);
  ~AlignedArray();
  AlignedArray(AlignedArray&& other) noexcept;
  AlignedArray& operator=(AlignedArray&& other) noexcept;

  double* data() noexcept { return data_; }
  const double* data() const noexcept { return data_; }
  std::int64_t size() const noexcept { return size_; }

 private:
  double* data_ = nullptr;
  std::int64_t size_ = 0;
};

}  // namespace trilith::linalg
