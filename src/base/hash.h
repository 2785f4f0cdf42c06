#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>

namespace trilith {

/// FNV-1a with 64 bits over the bytes of numbers: the fingerprint that determinism tests hold as a constant. Not cryptographic (that is
/// base/sha256.h). Every NaN counts as one and the same NaN, because which payload survives an operation is the compiler's choice; the two
/// zeros stay different.
class Hash64 {
 public:
  void add_bytes(std::span<const std::byte> bytes) noexcept;
  void add(double value) noexcept;
  void add(float value) noexcept;
  void add(std::int64_t value) noexcept;
  void add(std::span<const double> values) noexcept;  ///< values only, not their count
  void add(std::span<const float> values) noexcept;
  std::uint64_t value() const noexcept { return state_; }

 private:
  std::uint64_t state_ = 0xcbf29ce484222325u;
};

/// Hash64 over `values`.
std::uint64_t hash_of(std::span<const double> values) noexcept;

/// "0x" and 16 lower-case digits.
std::string hex(std::uint64_t value);

}  // namespace trilith
