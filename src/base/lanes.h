#pragma once
#include <cstdint>
#include <type_traits>

#include "base/isa.h"
#include "base/lane_pack.h"

namespace trilith {
TRI_ISA_BEGIN

namespace detail {
template <class T>
using MaskInt = std::conditional_t<sizeof(T) == 8, std::int64_t, std::int32_t>;
template <class T>
using BitInt = std::conditional_t<sizeof(T) == 8, std::uint64_t, std::uint32_t>;
}  // namespace detail

/// One boolean per lane (all bits or none).
template <class T, int N>
struct LaneMask {
  detail::Pack<detail::MaskInt<T>, N> pack;
  TRI_INLINE bool operator[](int i) const { return pack.get(i) != 0; }
  friend TRI_INLINE LaneMask operator&(LaneMask a, LaneMask b) { return {a.pack & b.pack}; }
  friend TRI_INLINE LaneMask operator|(LaneMask a, LaneMask b) { return {a.pack | b.pack}; }
  friend TRI_INLINE LaneMask operator!(LaneMask a) { return {a.pack ^ detail::Pack<detail::MaskInt<T>, N>::fill(-1)}; }
};

/// The bits of Lanes as unsigned integers of the same width; arithmetic wraps.
template <class T, int N>
struct LaneBits {
  using Int = detail::BitInt<T>;
  using Pack = detail::Pack<Int, N>;
  Pack pack;

  LaneBits() = default;
  TRI_INLINE LaneBits(Int a) : pack(Pack::fill(a)) {}  // NOLINT(google-explicit-constructor): the same number in every lane
  TRI_INLINE explicit LaneBits(Pack p, int) : pack(p) {}
  TRI_INLINE static LaneBits from(Pack p) { return LaneBits(p, 0); }
  TRI_INLINE Int operator[](int i) const { return pack.get(i); }
  friend TRI_INLINE LaneBits operator+(LaneBits a, LaneBits b) { return from(a.pack + b.pack); }
  friend TRI_INLINE LaneBits operator-(LaneBits a, LaneBits b) { return from(a.pack - b.pack); }
  friend TRI_INLINE LaneBits operator&(LaneBits a, LaneBits b) { return from(a.pack & b.pack); }
  friend TRI_INLINE LaneBits operator|(LaneBits a, LaneBits b) { return from(a.pack | b.pack); }
  friend TRI_INLINE LaneBits operator^(LaneBits a, LaneBits b) { return from(a.pack ^ b.pack); }
  friend TRI_INLINE LaneBits operator<<(LaneBits a, int by) { return from(shift_left(a.pack, by)); }
  friend TRI_INLINE LaneBits operator>>(LaneBits a, int by) { return from(shift_right(a.pack, by)); }
  friend TRI_INLINE LaneMask<T, N> operator==(LaneBits a, LaneBits b) { return {detail::equal<detail::MaskInt<T>>(a.pack, b.pack)}; }
};

/// `N` independent problems in one register set: Lanes<double, 8> and Lanes<float, 16> are 64 bytes. N is a power of two. Only + - * /
/// sqrt, comparisons and selection: with contraction off every lane has the bits of the scalar code (of a NaN only that it is one: which
/// payload survives is the compiler's choice). Never pass one by value across a compiled boundary (its calling convention depends on the
/// instruction set): functions that take Lanes are inline.
template <class T, int N>
struct Lanes {
  using Scalar = T;
  using Pack = detail::Pack<T, N>;
  static constexpr int size = N;
  static_assert(N >= 2 && (N & (N - 1)) == 0, "lanes come in powers of two");
  Pack pack;  ///< its shape depends on the instruction set; use [], set, load and store

  Lanes() = default;
  TRI_INLINE Lanes(T a) : pack(Pack::fill(a)) {}  // NOLINT(google-explicit-constructor): a scalar is the same number in every lane
  TRI_INLINE explicit Lanes(Pack p, int) : pack(p) {}
  TRI_INLINE static Lanes from(Pack p) { return Lanes(p, 0); }
  /// N numbers from p[0] on; no alignment is asked for.
  TRI_INLINE static Lanes load(const T* p) { return from(Pack::load(p)); }
  TRI_INLINE void store(T* p) const { pack.store(p); }
  TRI_INLINE T operator[](int i) const { return pack.get(i); }
  TRI_INLINE void set(int i, T value) { pack.set(i, value); }

  TRI_INLINE Lanes& operator+=(Lanes b) { return *this = *this + b; }
  TRI_INLINE Lanes& operator-=(Lanes b) { return *this = *this - b; }
  TRI_INLINE Lanes& operator*=(Lanes b) { return *this = *this * b; }
  TRI_INLINE Lanes& operator/=(Lanes b) { return *this = *this / b; }
  friend TRI_INLINE Lanes operator+(Lanes a, Lanes b) { return from(a.pack + b.pack); }
  friend TRI_INLINE Lanes operator-(Lanes a, Lanes b) { return from(a.pack - b.pack); }
  friend TRI_INLINE Lanes operator*(Lanes a, Lanes b) { return from(a.pack * b.pack); }
  friend TRI_INLINE Lanes operator/(Lanes a, Lanes b) { return from(a.pack / b.pack); }
  friend TRI_INLINE Lanes operator-(Lanes a) { return from(negate(a.pack)); }
  friend TRI_INLINE LaneMask<T, N> operator<(Lanes a, Lanes b) { return {detail::less<detail::MaskInt<T>>(a.pack, b.pack)}; }
  friend TRI_INLINE LaneMask<T, N> operator<=(Lanes a, Lanes b) { return {detail::less_equal<detail::MaskInt<T>>(a.pack, b.pack)}; }
  friend TRI_INLINE LaneMask<T, N> operator>(Lanes a, Lanes b) { return b < a; }
  friend TRI_INLINE LaneMask<T, N> operator>=(Lanes a, Lanes b) { return b <= a; }
  friend TRI_INLINE LaneMask<T, N> operator==(Lanes a, Lanes b) { return {detail::equal<detail::MaskInt<T>>(a.pack, b.pack)}; }
  friend TRI_INLINE LaneMask<T, N> operator!=(Lanes a, Lanes b) { return {detail::not_equal<detail::MaskInt<T>>(a.pack, b.pack)}; }
};

/// Square root, correctly rounded in every type; the only libm function of the library.
TRI_INLINE double sqrt(double a) { return detail::root(a); }
TRI_INLINE float sqrt(float a) { return detail::root(a); }
template <class T, int N>
TRI_INLINE Lanes<T, N> sqrt(Lanes<T, N> a) {
  return Lanes<T, N>::from(root(a.pack));
}

/// `yes ? a : b`, per lane. Both sides are evaluated.
TRI_INLINE double select(bool yes, double a, double b) { return yes ? a : b; }
TRI_INLINE float select(bool yes, float a, float b) { return yes ? a : b; }
template <class T, int N>
TRI_INLINE Lanes<T, N> select(LaneMask<T, N> yes, Lanes<T, N> a, Lanes<T, N> b) {
  return Lanes<T, N>::from(choose(yes.pack, a.pack, b.pack));
}

/// Smaller and larger of two; the second where they are equal or one is not a number. The same rule for every width.
template <class T>
TRI_INLINE T min(T a, T b) {
  return select(a < b, a, b);
}
template <class T>
TRI_INLINE T max(T a, T b) {
  return select(a > b, a, b);
}

/// The scalar behind `T`: double for double and for Lanes<double, N>.
template <class T>
struct ScalarOf {
  using type = T;
};
template <class T, int N>
struct ScalarOf<Lanes<T, N>> {
  using type = T;
};

/// The bits of a number as an unsigned integer of its width (per lane), and back.
TRI_INLINE std::uint64_t to_bits(double a) { return __builtin_bit_cast(std::uint64_t, a); }
TRI_INLINE std::uint32_t to_bits(float a) { return __builtin_bit_cast(std::uint32_t, a); }
template <class T, int N>
TRI_INLINE LaneBits<T, N> to_bits(Lanes<T, N> a) {
  return LaneBits<T, N>::from(detail::recast<detail::BitInt<T>>(a.pack));
}
TRI_INLINE double from_bits(std::uint64_t b) { return __builtin_bit_cast(double, b); }
TRI_INLINE float from_bits(std::uint32_t b) { return __builtin_bit_cast(float, b); }
template <class T, int N>
TRI_INLINE Lanes<T, N> from_bits(LaneBits<T, N> b) {
  return Lanes<T, N>::from(detail::recast<T>(b.pack));
}

namespace detail {
/// The sign bit alone, in the type that `to_bits` gives for T.
template <class T>
TRI_INLINE auto sign_bit() {
  return to_bits(T(typename ScalarOf<T>::type(-0.0)));
}
}  // namespace detail

/// `a` without its sign (of a zero and of a NaN too).
template <class T>
TRI_INLINE T abs(T a) {
  const auto sign = detail::sign_bit<T>();
  return from_bits((to_bits(a) | sign) ^ sign);
}
/// `size` with the sign of `sign` (of a zero and of a NaN too).
template <class T>
TRI_INLINE T copysign(T size, T sign) {
  return from_bits(to_bits(abs(size)) | (to_bits(sign) & detail::sign_bit<T>()));
}

/// True where one lane, or every lane, is true.
TRI_INLINE bool any(bool a) { return a; }
TRI_INLINE bool all(bool a) { return a; }
template <class T, int N>
TRI_INLINE bool any(LaneMask<T, N> a) {
  return or_all(a.pack) != 0;
}
template <class T, int N>
TRI_INLINE bool all(LaneMask<T, N> a) {
  return !any(!a);
}

/// Sum over lanes in one fixed pairwise order, whatever the instruction set.
template <class T, int N>
TRI_INLINE T sum_lanes(Lanes<T, N> a) {
  T part[N];
  a.store(part);
  for (int width = N / 2; width > 0; width /= 2)
    for (int i = 0; i < width; ++i) part[i] += part[i + width];
  return part[0];
}
/// Largest and smallest lane by the rule of `max` and `min`, from lane 0 up.
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

/// Plain scalar storage read and written as an array of Lanes: element i is p[i N] to p[i N + N - 1]. For scalars it is p[i]. No alignment
/// is asked for, and no pointer is ever cast.
template <class T>
struct LaneArray {
  T* p;
  TRI_INLINE T& operator[](std::int64_t i) const { return p[i]; }
  TRI_INLINE LaneArray from(std::int64_t i) const { return {p + i}; }
};
template <class T, int N>
struct LaneArray<Lanes<T, N>> {
  struct Element {
    T* at;
    TRI_INLINE operator Lanes<T, N>() const { return Lanes<T, N>::load(at); }  // NOLINT(google-explicit-constructor): reads like an element
    TRI_INLINE void operator=(Lanes<T, N> value) const { value.store(at); }    // NOLINT(misc-unconventional-assign-operator): a proxy
  };
  T* p;
  TRI_INLINE Element operator[](std::int64_t i) const { return {p + i * N}; }
  TRI_INLINE LaneArray from(std::int64_t i) const { return {p + i * N}; }
};

template <class T, int N>
struct LaneArray<const Lanes<T, N>> {
  const T* p;
  TRI_INLINE Lanes<T, N> operator[](std::int64_t i) const { return Lanes<T, N>::load(p + i * N); }
  TRI_INLINE LaneArray from(std::int64_t i) const { return {p + i * N}; }
};

using Double8 = Lanes<double, 8>;
using Float16 = Lanes<float, 16>;

TRI_ISA_END
}  // namespace trilith
