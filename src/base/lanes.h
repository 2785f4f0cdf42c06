#pragma once
#include <cstdint>
#include <cstring>
#include <type_traits>

#include "base/isa.h"

/// Inlining matters twice: for speed, and because code of one instruction set must not be shared with another.
#define TRI_INLINE inline __attribute__((always_inline))

namespace trilith {
TRI_ISA_BEGIN

namespace detail {
template <class T>
using MaskInt = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
}  // namespace detail

/// One boolean per lane (all bits or none).
template <class T, int N>
struct LaneMask {
  using Raw = detail::MaskInt<T> __attribute__((vector_size(sizeof(T) * N)));
  Raw raw;
  TRI_INLINE bool operator[](int i) const { return raw[i] != 0; }
  friend TRI_INLINE LaneMask operator&(LaneMask a, LaneMask b) { return {a.raw & b.raw}; }
  friend TRI_INLINE LaneMask operator|(LaneMask a, LaneMask b) { return {a.raw | b.raw}; }
  friend TRI_INLINE LaneMask operator!(LaneMask a) { return {~a.raw}; }
};

/// `N` independent problems in one register set: Lanes<double, 8> and Lanes<float, 16> are 64 bytes. Only + - * / sqrt, comparisons and
/// selection: with contraction off every lane has the bits of the scalar code. Never pass one by value across a compiled boundary
/// (its calling convention depends on the instruction set): functions that take Lanes are inline.
template <class T, int N>
struct Lanes {
  using Scalar = T;
  static constexpr int size = N;
  using Raw = T __attribute__((vector_size(sizeof(T) * N)));
  Raw raw;

  Lanes() = default;
  TRI_INLINE Lanes(T a) : raw(Raw{} + a) {}  // NOLINT(google-explicit-constructor): a scalar is the same number in every lane
  TRI_INLINE explicit Lanes(Raw r, int) : raw(r) {}
  TRI_INLINE static Lanes from(Raw r) { return Lanes(r, 0); }
  TRI_INLINE static Lanes load(const T* p) {
    Lanes v;
    std::memcpy(&v.raw, p, sizeof(Raw));
    return v;
  }
  TRI_INLINE void store(T* p) const { std::memcpy(p, &raw, sizeof(Raw)); }
  TRI_INLINE T operator[](int i) const { return raw[i]; }
  TRI_INLINE void set(int i, T value) { raw[i] = value; }

  TRI_INLINE Lanes& operator+=(Lanes b) { raw += b.raw; return *this; }
  TRI_INLINE Lanes& operator-=(Lanes b) { raw -= b.raw; return *this; }
  TRI_INLINE Lanes& operator*=(Lanes b) { raw *= b.raw; return *this; }
  friend TRI_INLINE Lanes operator+(Lanes a, Lanes b) { return from(a.raw + b.raw); }
  friend TRI_INLINE Lanes operator-(Lanes a, Lanes b) { return from(a.raw - b.raw); }
  friend TRI_INLINE Lanes operator*(Lanes a, Lanes b) { return from(a.raw * b.raw); }
  friend TRI_INLINE Lanes operator/(Lanes a, Lanes b) { return from(a.raw / b.raw); }
  friend TRI_INLINE Lanes operator-(Lanes a) { return from(-a.raw); }
  friend TRI_INLINE LaneMask<T, N> operator<(Lanes a, Lanes b) { return {a.raw < b.raw}; }
  friend TRI_INLINE LaneMask<T, N> operator<=(Lanes a, Lanes b) { return {a.raw <= b.raw}; }
  friend TRI_INLINE LaneMask<T, N> operator>(Lanes a, Lanes b) { return {a.raw > b.raw}; }
  friend TRI_INLINE LaneMask<T, N> operator>=(Lanes a, Lanes b) { return {a.raw >= b.raw}; }
  friend TRI_INLINE LaneMask<T, N> operator==(Lanes a, Lanes b) { return {a.raw == b.raw}; }
};

/// Square root, correctly rounded in every type; the only libm function of the library.
TRI_INLINE double sqrt(double a) { return __builtin_sqrt(a); }
TRI_INLINE float sqrt(float a) { return __builtin_sqrtf(a); }
template <class T, int N>
TRI_INLINE Lanes<T, N> sqrt(Lanes<T, N> a) {
  Lanes<T, N> r;
  for (int i = 0; i < N; ++i) r.raw[i] = sqrt(a.raw[i]);
  return r;
}

/// `yes ? a : b`, per lane. Both sides are evaluated.
TRI_INLINE double select(bool yes, double a, double b) { return yes ? a : b; }
TRI_INLINE float select(bool yes, float a, float b) { return yes ? a : b; }
template <class T, int N>
TRI_INLINE Lanes<T, N> select(LaneMask<T, N> yes, Lanes<T, N> a, Lanes<T, N> b) {
  return Lanes<T, N>::from(yes.raw ? a.raw : b.raw);
}

/// Smaller and larger of two; the second where they are equal or one is not a number. The same rule for every width.
template <class T>
TRI_INLINE T min(T a, T b) { return select(a < b, a, b); }
template <class T>
TRI_INLINE T max(T a, T b) { return select(a > b, a, b); }
template <class T>
TRI_INLINE T abs(T a) { return select(a < T(0), T(0) - a, a); }

/// The scalar behind `T`: double for double and for Lanes<double, N>.
template <class T>
struct ScalarOf { using type = T; };
template <class T, int N>
struct ScalarOf<Lanes<T, N>> { using type = T; };

/// Sum over lanes in one fixed pairwise order, whatever the instruction set.
template <class T, int N>
TRI_INLINE T sum_lanes(Lanes<T, N> a) {
  T part[N];
  a.store(part);
  for (int width = N / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) part[i] += part[i + width];
  return part[0];
}
template <class T, int N>
TRI_INLINE T max_lanes(Lanes<T, N> a) {
  T r = a[0];
  for (int i = 1; i < N; ++i) r = max(r, a[i]);
  return r;
}
template <class T, int N>
TRI_INLINE T min_lanes(Lanes<T, N> a) {
  T r = a[0];
  for (int i = 1; i < N; ++i) r = min(r, a[i]);
  return r;
}

using Double8 = Lanes<double, 8>;
using Float16 = Lanes<float, 16>;

TRI_ISA_END
}  // namespace trilith
