// (MATH-2): Payne and Hanek's reduction, in integers.
#include <bit>

#include "base/math.h"

namespace trilith::large_angle {
namespace {

__extension__ using Wide = unsigned __int128;

/// The first 1,280 bits of 2/pi after the point.
constexpr std::uint64_t two_over_pi_bits[20] = {0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
                                                0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
                                                0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
                                                0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
                                                0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b6bab, 0xf0cfbc209af4361d};

/// pi/2 as a fixed-point number with 127 bits after the point.
constexpr std::uint64_t half_pi_top = 0xc90fdaa22168c234, half_pi_bottom = 0xc4c6628b80dc1cd1;

/// 64 bits of 2/pi from bit `first` on (bit 1 is worth 1/2; bits before it are 0).
std::uint64_t bits_from(int first) noexcept {
  const int start = first - 1;
  const int word = (start + 64) / 64 - 1, offset = (start + 64) % 64;
  const std::uint64_t left = word >= 0 ? two_over_pi_bits[word] : 0;
  return offset == 0 ? left : left << offset | two_over_pi_bits[word + 1] >> (64 - offset);
}

/// 192 bits, the most significant word first.
struct Bits192 {
  std::uint64_t word[3];
};

/// mantissa times the 192 bits of 2/pi from bit `first` on, modulo 2^192.
Bits192 multiply_window(std::uint64_t mantissa, int first) noexcept {
  const Wide p2 = Wide{mantissa} * bits_from(first + 128);
  const Wide p1 = Wide{mantissa} * bits_from(first + 64) + static_cast<std::uint64_t>(p2 >> 64);
  const std::uint64_t p0 = mantissa * bits_from(first) + static_cast<std::uint64_t>(p1 >> 64);
  return {{p0, static_cast<std::uint64_t>(p1), static_cast<std::uint64_t>(p2)}};
}

Bits192 negate(Bits192 a) noexcept {
  Bits192 r;
  Wide carry = 1;
  for (int i = 2; i >= 0; --i) {
    carry += static_cast<std::uint64_t>(~a.word[i]);
    r.word[i] = static_cast<std::uint64_t>(carry);
    carry >>= 64;
  }
  return r;
}

Bits192 shift_left_bits(Bits192 a, int by) noexcept {
  Bits192 r{};
  const int words = by / 64, bits = by % 64;
  for (int i = 0; i + words < 3; ++i) {
    r.word[i] = a.word[i + words] << bits;
    if (bits > 0 && i + words + 1 < 3) r.word[i] |= a.word[i + words + 1] >> (64 - bits);
  }
  return r;
}

int leading_zeros(const Bits192& a) noexcept {
  for (int i = 0; i < 3; ++i)
    if (a.word[i] != 0) return 64 * i + std::countl_zero(a.word[i]);
  return 192;
}

double two_to(int n) noexcept { return from_bits(static_cast<std::uint64_t>(n + 1023) << 52); }

/// The 192 bits of `fraction`, read as a number in [0, 1), times pi/2, as high + low.
Reduced<double> times_half_pi(Bits192 fraction) noexcept {
  const int zeros = leading_zeros(fraction);
  if (zeros == 192) return {0, 0, 0};
  const Bits192 f = shift_left_bits(fraction, zeros);
  // the 128 highest bits of the product; 127 bits of pi/2 and 64 of the first word lie after the point
  const Wide across = ((Wide{f.word[0]} * half_pi_bottom) >> 64) + ((Wide{f.word[1]} * half_pi_top) >> 64);
  const Wide product = Wide{f.word[0]} * half_pi_top + across;
  const double top = static_cast<double>(static_cast<std::uint64_t>(product >> 75)) * two_to(-52 - zeros);
  const auto rest = static_cast<std::uint64_t>((product & ((Wide{1} << 75) - 1)) >> 22);
  const double bottom = static_cast<double>(rest) * two_to(-105 - zeros);
  const double high = top + bottom;
  return {high, bottom - (high - top), 0};
}

}  // namespace

Reduced<double> reduce(double x) noexcept {
  const std::uint64_t bits = to_bits(x);
  const int field = static_cast<int>(bits >> 52 & 0x7ff);
  constexpr double nan = detail::MathConstants<double>::not_a_number;
  if (field == 0x7ff) return {nan, nan, 0};
  if (field < 1023) return {x, 0, 0};  // below 1: nothing to take off
  // |x| = mantissa 2^exponent; bits of 2/pi whose product is a multiple of 4 quarter turns are left out
  const std::uint64_t mantissa = (bits & 0x000fffffffffffff) | 0x0010000000000000;
  const int exponent = field - 1075;
  Bits192 turns = multiply_window(mantissa, exponent - 1);
  std::uint32_t quadrant = static_cast<std::uint32_t>(turns.word[0] >> 62);
  // the nearest quarter turn, so that the rest is at most pi/4
  const bool up = (turns.word[0] >> 61 & 1) != 0;
  turns = shift_left_bits(turns, 2);
  if (up) quadrant += 1, turns = negate(turns);
  Reduced<double> r = times_half_pi(turns);
  r.quadrant = quadrant;
  if (up) r = {-r.high, -r.low, quadrant};
  if (x < 0) r = {-r.high, -r.low, 0u - quadrant};
  return r;
}

Reduced<float> reduce(float x) noexcept {
  const double wide = x;
  detail::ReducedAngle<double> r;
  if (abs(wide) <= detail::MathConstants<double>::fast_angle) {
    r = detail::reduce_angle(wide);
  } else {
    const Reduced<double> exact = reduce(wide);
    r = {exact.high, exact.low, exact.quadrant};
  }
  const auto high = static_cast<float>(r.high);
  return {high, static_cast<float>((r.high - high) + r.low), static_cast<std::uint32_t>(r.quadrant)};
}

}  // namespace trilith::large_angle
