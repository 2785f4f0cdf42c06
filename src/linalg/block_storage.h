#pragma once
#include <cstdint>

namespace trilith::linalg {

/// Fixed array of doubles, aligned to 64 bytes, contents undefined at the start. Large ones lie on huge pages where the system has them:
/// the first touch of ordinary pages can cost more than the factorization itself.
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
