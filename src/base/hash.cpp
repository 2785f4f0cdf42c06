#include "base/hash.h"

#include <bit>

namespace trilith {

void Hash64::add_bytes(std::span<const std::byte> bytes) noexcept {
  for (const std::byte b : bytes) {
    state_ ^= static_cast<std::uint64_t>(b);
    state_ *= 0x100000001b3u;
  }
}

void Hash64::add(double value) noexcept {
  const std::uint64_t bits = value == value ? std::bit_cast<std::uint64_t>(value) : 0x7ff8000000000000u;
  add_bytes(std::as_bytes(std::span(&bits, 1)));
}

void Hash64::add(float value) noexcept {
  const std::uint32_t bits = value == value ? std::bit_cast<std::uint32_t>(value) : 0x7fc00000u;
  add_bytes(std::as_bytes(std::span(&bits, 1)));
}

void Hash64::add(std::int64_t value) noexcept { add_bytes(std::as_bytes(std::span(&value, 1))); }

void Hash64::add(std::span<const double> values) noexcept {
  for (const double v : values) add(v);
}

void Hash64::add(std::span<const float> values) noexcept {
  for (const float v : values) add(v);
}

std::uint64_t hash_of(std::span<const double> values) noexcept {
  Hash64 hash;
  hash.add(values);
  return hash.value();
}

std::string hex(std::uint64_t value) {
  std::string text = "0x0000000000000000";
  for (std::size_t i = 17; i >= 2; --i, value >>= 4) text[i] = "0123456789abcdef"[value & 15];
  return text;
}

}  // namespace trilith
