// The only file that knows GMP: the arithmetic of Dyadic.
#include <gmp.h>

#include <algorithm>
#include <bit>
#include <limits>
#include <new>
#include <utility>

#include "base/lanes.h"
#include "certify/dyadic.h"

namespace trilith::certify {
namespace {

static_assert(sizeof(mpz_t) == 16 && alignof(mpz_t) <= 8, "Dyadic keeps the integer in 16 bytes");

mpz_ptr integer(std::byte* storage) { return std::launder(reinterpret_cast<mpz_ptr>(storage)); }
mpz_srcptr integer(const std::byte* storage) { return std::launder(reinterpret_cast<mpz_srcptr>(storage)); }

/// 2^power where it is a normal double, else infinity or 0.
double power_of_two(std::int64_t power) {
  if (power > 1023) return std::numeric_limits<double>::infinity();
  if (power < -1022) return 0;
  return std::bit_cast<double>(static_cast<std::uint64_t>(power + 1023) << 52);
}

/// A finite double as odd integer (or 0) and exponent.
std::int64_t split(double value, std::int64_t& exponent) {
  const auto bits = std::bit_cast<std::uint64_t>(value);
  const auto biased = static_cast<std::int64_t>((bits >> 52) & 0x7ff);
  std::uint64_t mantissa = bits & 0xfffffffffffffu;
  if (biased != 0) mantissa |= std::uint64_t{1} << 52;
  exponent = 0;
  if (mantissa == 0) return 0;
  const int zeros = std::countr_zero(mantissa);
  exponent = (biased != 0 ? biased : 1) - 1075 + zeros;
  const auto odd = static_cast<std::int64_t>(mantissa >> zeros);
  return (bits >> 63) != 0 ? -odd : odd;
}

}  // namespace

static_assert(sizeof(long) == 8, "integers of a double fit a long");

Dyadic::Dyadic() noexcept { mpz_init(integer(integer_)); }
Dyadic::Dyadic(int value) noexcept { mpz_init_set_si(integer(integer_), value); }
Dyadic::Dyadic(double value) noexcept { mpz_init_set_si(integer(integer_), split(value, exponent_)); }
Dyadic::Dyadic(const Dyadic& other) noexcept : exponent_(other.exponent_) { mpz_init_set(integer(integer_), integer(other.integer_)); }
Dyadic::Dyadic(Dyadic&& other) noexcept : Dyadic() { *this = std::move(other); }
Dyadic::~Dyadic() { mpz_clear(integer(integer_)); }

Dyadic& Dyadic::operator=(const Dyadic& other) noexcept {
  if (this == &other) return *this;
  mpz_set(integer(integer_), integer(other.integer_));
  exponent_ = other.exponent_;
  return *this;
}

Dyadic& Dyadic::operator=(Dyadic&& other) noexcept {
  mpz_swap(integer(integer_), integer(other.integer_));
  std::swap(exponent_, other.exponent_);
  return *this;
}

void Dyadic::set_sum(const Dyadic& a, const Dyadic& b, int sign) noexcept {
  mpz_ptr r = integer(integer_);
  mpz_srcptr m = integer(a.integer_), n = integer(b.integer_);
  const auto apply = sign > 0 ? mpz_add : mpz_sub;
  if (mpz_sgn(n) == 0) {
    if (this != &a) *this = a;
    return;
  }
  const std::int64_t low = mpz_sgn(m) == 0 ? b.exponent_ : std::min(a.exponent_, b.exponent_);
  const std::int64_t shift = mpz_sgn(m) == 0 ? 0 : a.exponent_ - b.exponent_;
  exponent_ = low;
  if (shift == 0) return apply(r, m, n);
  // the one with the larger exponent is aligned in the result's own storage, where the other one is not in it
  if (shift > 0 && this != &b) {
    mpz_mul_2exp(r, m, static_cast<mp_bitcnt_t>(shift));
    return apply(r, r, n);
  }
  if (shift < 0 && this != &a) {
    mpz_mul_2exp(r, n, static_cast<mp_bitcnt_t>(-shift));
    return apply(r, m, r);
  }
  mpz_t aligned;
  mpz_init(aligned);
  mpz_mul_2exp(aligned, shift > 0 ? m : n, static_cast<mp_bitcnt_t>(shift > 0 ? shift : -shift));
  apply(r, shift > 0 ? aligned : m, shift > 0 ? n : aligned);
  mpz_clear(aligned);
}

Dyadic& Dyadic::operator+=(const Dyadic& b) noexcept {
  set_sum(*this, b, 1);
  return *this;
}

Dyadic& Dyadic::operator-=(const Dyadic& b) noexcept {
  set_sum(*this, b, -1);
  return *this;
}

Dyadic operator+(const Dyadic& a, const Dyadic& b) noexcept {
  Dyadic r;
  r.set_sum(a, b, 1);
  return r;
}

Dyadic operator-(const Dyadic& a, const Dyadic& b) noexcept {
  Dyadic r;
  r.set_sum(a, b, -1);
  return r;
}

Dyadic& Dyadic::operator*=(const Dyadic& b) noexcept {
  mpz_mul(integer(integer_), integer(integer_), integer(b.integer_));
  exponent_ += b.exponent_;
  return *this;
}

Dyadic operator*(const Dyadic& a, const Dyadic& b) noexcept {
  Dyadic r;
  mpz_mul(integer(r.integer_), integer(a.integer_), integer(b.integer_));
  r.exponent_ = a.exponent_ + b.exponent_;
  return r;
}

int Dyadic::sign() const noexcept { return mpz_sgn(integer(integer_)); }

Dyadic Dyadic::shifted(std::int64_t power) const noexcept {
  Dyadic r(*this);
  r.exponent_ += power;
  return r;
}

double Dyadic::fraction(std::int64_t& exponent) const noexcept {
  long shift = 0;
  const double value = mpz_get_d_2exp(&shift, integer(integer_));
  exponent = value == 0 ? 0 : shift + exponent_;
  return value;
}

int compare(const Dyadic& a, const Dyadic& b) noexcept {
  if (a.sign() != b.sign()) return a.sign() < b.sign() ? -1 : 1;
  return (a - b).sign();
}

double ratio(const Dyadic& numerator, const Dyadic& denominator) noexcept {
  std::int64_t e = 0, f = 0;
  const double n = numerator.fraction(e), d = denominator.fraction(f);
  if (n == 0) return 0;
  if (d == 0) return n * std::numeric_limits<double>::infinity();
  return n / d * power_of_two(e - f);
}

double root_of_ratio(const Dyadic& numerator, const Dyadic& denominator) noexcept {
  std::int64_t e = 0, f = 0;
  const double n = numerator.fraction(e), d = denominator.fraction(f);
  if (n == 0) return 0;
  if (d == 0) return std::numeric_limits<double>::infinity();
  const std::int64_t power = e - f, odd = power & 1;
  return sqrt(n / d * (odd != 0 ? 2.0 : 1.0)) * power_of_two((power - odd) / 2);
}

RootBounds bound_root(const Dyadic& a) noexcept {
  std::int64_t e = 0;
  const double n = a.fraction(e);
  const std::int64_t odd = e & 1;
  const double root = sqrt(n * (odd != 0 ? 2.0 : 1.0));
  // the 53 bits of n are cut off and the root is rounded: at most 2 units of the last place
  return {Dyadic(root * (1 - 0x1p-51)).shifted((e - odd) / 2), Dyadic(root * (1 + 0x1p-51)).shifted((e - odd) / 2)};
}

}  // namespace trilith::certify
