#include "base/rng.h"

#include "base/check.h"
#include "base/math.h"

namespace trilith {
namespace {

__extension__ using Wide = unsigned __int128;

}  // namespace

std::array<std::uint32_t, 4> philox4x32(std::array<std::uint32_t, 4> counter, std::array<std::uint32_t, 2> key) noexcept {
  for (int round = 0; round < 10; ++round) {
    const std::uint64_t p0 = std::uint64_t{0xd2511f53} * counter[0];
    const std::uint64_t p1 = std::uint64_t{0xcd9e8d57} * counter[2];
    counter = {static_cast<std::uint32_t>(p1 >> 32) ^ counter[1] ^ key[0], static_cast<std::uint32_t>(p1),
               static_cast<std::uint32_t>(p0 >> 32) ^ counter[3] ^ key[1], static_cast<std::uint32_t>(p0)};
    key[0] += 0x9e3779b9;
    key[1] += 0xbb67ae85;
  }
  return counter;
}

std::uint64_t Rng::bits() noexcept {
  if (has_spare_) {
    has_spare_ = false;
    return spare_;
  }
  const auto low = [](std::uint64_t a) { return static_cast<std::uint32_t>(a); };
  const auto high = [](std::uint64_t a) { return static_cast<std::uint32_t>(a >> 32); };
  const auto block = philox4x32({low(block_), high(block_), low(stream_), high(stream_)}, {low(seed_), high(seed_)});
  ++block_;
  spare_ = block[2] | std::uint64_t{block[3]} << 32;
  has_spare_ = true;
  return block[0] | std::uint64_t{block[1]} << 32;
}

double Rng::uniform() noexcept { return static_cast<double>(bits() >> 11) * 0x1p-53; }

double Rng::uniform(double low, double high) noexcept { return low + (high - low) * uniform(); }

double Rng::normal() noexcept {
  constexpr double two_pi = 0x1.921fb54442d18p+2;
  const double radius = sqrt(-2.0 * log(1.0 - uniform()));  // 1 - uniform is never 0
  return radius * cos(two_pi * uniform());
}

std::uint64_t Rng::below(std::uint64_t count) noexcept {
  TRI_CHECK(count >= 1);
  // Lemire's multiplication; the few products that would favour some results are drawn again
  const std::uint64_t unfair = (0 - count) % count;
  while (true) {
    const Wide product = Wide{bits()} * count;
    if (static_cast<std::uint64_t>(product) >= unfair) return static_cast<std::uint64_t>(product >> 64);
  }
}

}  // namespace trilith
