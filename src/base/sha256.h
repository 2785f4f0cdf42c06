#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace trilith {

/// SHA-256 (FIPS 180-4) fed in pieces; used for `input_sha256` in result and certificate files.
class Sha256 {
 public:
  void update(std::span<const std::byte> bytes) noexcept;
  void update(std::string_view text) noexcept { update(std::as_bytes(std::span(text))); }
  /// The digest of everything fed so far. Ends the message: start a new object for another one.
  std::array<std::uint8_t, 32> finish() noexcept;

 private:
  void absorb_block(const std::uint8_t* block) noexcept;

  std::array<std::uint32_t, 8> state_{0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a, 0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  std::array<std::uint8_t, 64> pending_{};
  std::uint64_t length_ = 0;  // bytes fed so far
};

/// 64 lower-case hexadecimal digits.
std::string sha256_hex(std::string_view text);
std::string sha256_hex(std::span<const std::byte> bytes);

}  // namespace trilith
