#pragma once
#include <array>
#include <cstdint>

namespace trilith {

/// Philox4x32-10: the 128-bit block number `counter` of the sequence that `key` names. A pure function.
/// Source: Salmon, Moraes, Dror, Shaw, "Parallel random numbers: as easy as 1, 2, 3", SC 2011.
std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept;

/// Random numbers with the same bits on every machine. Streams of one seed are independent: give each problem, environment or thread task
/// its own `stream`, and results do not depend on the number of threads.
class Rng {
 public:
  explicit Rng(std::uint64_t seed, std::uint64_t stream = 0) noexcept : seed_(seed), stream_(stream) {}

  std::uint64_t bits() noexcept;                      ///< 64 random bits
  double uniform() noexcept;                          ///< in [0, 1), multiples of 2^-53
  double uniform(double low, double high) noexcept;   ///< low + (high - low) * uniform()
  double normal() noexcept;                           ///< mean 0, variance 1 (Box and Muller; two draws of `bits`)
  std::uint64_t below(std::uint64_t count) noexcept;  ///< in [0, count), unbiased; count >= 1

 private:
  std::uint64_t seed_, stream_;
  std::uint64_t block_ = 0;
  std::uint64_t spare_ = 0;
  bool has_spare_ = false;
};

}  // namespace trilith
