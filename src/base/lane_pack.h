#pragma once
#include <cstring>

#include "base/isa.h"

/// Inlining matters twice: for speed, and because code of one instruction set must not be shared with another.
#define TRI_INLINE inline __attribute__((always_inline))

namespace trilith {
TRI_ISA_BEGIN
namespace detail {

/// Bytes of one vector register of the instruction set that this file is compiled for. Wider packs are made of halves: left alone, g++ 12
/// takes comparisons and selections of vectors wider than a register apart into scalars.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
#else
inline constexpr int register_bytes = 16;
#endif

/// `N` numbers of element type `E` (floating point or integer), N a power of two. Storage and plain arithmetic of Lanes; not for other use.
template <class E, int N, bool Fits = (static_cast<int>(sizeof(E)) * N <= register_bytes)>
struct Pack;

template <class E, int N>
struct Pack<E, N, true> {
  using Raw [[gnu::vector_size(sizeof(E) * N)]] = E;
  Raw raw;
  // a - 0 keeps the sign of a zero, 0 + a does not
  TRI_INLINE static Pack fill(E a) { return {a - Raw{}}; }
  TRI_INLINE static Pack load(const E* p) {
    Pack v;
    std::memcpy(&v.raw, p, sizeof(Raw));
    return v;
  }
  TRI_INLINE void store(E* p) const { std::memcpy(p, &raw, sizeof(Raw)); }
  TRI_INLINE E get(int i) const { return raw[i]; }
  TRI_INLINE void set(int i, E value) { raw[i] = value; }
};

template <class E, int N>
struct Pack<E, N, false> {
  using Half = Pack<E, N / 2>;
  Half low, high;
  TRI_INLINE static Pack fill(E a) { return {Half::fill(a), Half::fill(a)}; }
  TRI_INLINE static Pack load(const E* p) { return {Half::load(p), Half::load(p + N / 2)}; }
  TRI_INLINE void store(E* p) const { low.store(p), high.store(p + N / 2); }
  TRI_INLINE E get(int i) const { return i < N / 2 ? low.get(i) : high.get(i - N / 2); }
  TRI_INLINE void set(int i, E value) { i < N / 2 ? low.set(i, value) : high.set(i - N / 2, value); }
};

#define TRI_PACK_BINARY(op)                                                            \
  template <class E, int N>                                                            \
  TRI_INLINE Pack<E, N, true> operator op(Pack<E, N, true> a, Pack<E, N, true> b) {    \
    return {a.raw op b.raw};                                                           \
  }                                                                                    \
  template <class E, int N>                                                            \
  TRI_INLINE Pack<E, N, false> operator op(Pack<E, N, false> a, Pack<E, N, false> b) { \
    return {a.low op b.low, a.high op b.high};                                         \
  }
TRI_PACK_BINARY(+)
TRI_PACK_BINARY(-)
TRI_PACK_BINARY(*)
TRI_PACK_BINARY(/)
TRI_PACK_BINARY(&)
TRI_PACK_BINARY(|)
TRI_PACK_BINARY(^)
#undef TRI_PACK_BINARY

#define TRI_PACK_COMPARE(name, op)                                              \
  template <class M, class E, int N>                                            \
  TRI_INLINE Pack<M, N, true> name(Pack<E, N, true> a, Pack<E, N, true> b) {    \
    return {(typename Pack<M, N, true>::Raw)(a.raw op b.raw)};                  \
  }                                                                             \
  template <class M, class E, int N>                                            \
  TRI_INLINE Pack<M, N, false> name(Pack<E, N, false> a, Pack<E, N, false> b) { \
    return {name<M>(a.low, b.low), name<M>(a.high, b.high)};                    \
  }
TRI_PACK_COMPARE(less, <)
TRI_PACK_COMPARE(less_equal, <=)
TRI_PACK_COMPARE(equal, ==)
TRI_PACK_COMPARE(not_equal, !=)
#undef TRI_PACK_COMPARE

template <class E, int N>
TRI_INLINE Pack<E, N, true> negate(Pack<E, N, true> a) {
  return {-a.raw};
}
template <class E, int N>
TRI_INLINE Pack<E, N, false> negate(Pack<E, N, false> a) {
  return {negate(a.low), negate(a.high)};
}
template <class E, int N>
TRI_INLINE Pack<E, N, true> shift_left(Pack<E, N, true> a, int by) {
  return {a.raw << by};
}
template <class E, int N>
TRI_INLINE Pack<E, N, false> shift_left(Pack<E, N, false> a, int by) {
  return {shift_left(a.low, by), shift_left(a.high, by)};
}
template <class E, int N>
TRI_INLINE Pack<E, N, true> shift_right(Pack<E, N, true> a, int by) {
  return {a.raw >> by};
}
template <class E, int N>
TRI_INLINE Pack<E, N, false> shift_right(Pack<E, N, false> a, int by) {
  return {shift_right(a.low, by), shift_right(a.high, by)};
}

/// `yes ? a : b`; yes is all bits or none.
template <class M, class E, int N>
TRI_INLINE Pack<E, N, true> choose(Pack<M, N, true> yes, Pack<E, N, true> a, Pack<E, N, true> b) {
  return {yes.raw ? a.raw : b.raw};
}
template <class M, class E, int N>
TRI_INLINE Pack<E, N, false> choose(Pack<M, N, false> yes, Pack<E, N, false> a, Pack<E, N, false> b) {
  return {choose(yes.low, a.low, b.low), choose(yes.high, a.high, b.high)};
}

/// The same bits read as element type `To` of the same size.
template <class To, class E, int N>
TRI_INLINE Pack<To, N, true> recast(Pack<E, N, true> a) {
  return {(typename Pack<To, N, true>::Raw)a.raw};
}
template <class To, class E, int N>
TRI_INLINE Pack<To, N, false> recast(Pack<E, N, false> a) {
  return {recast<To>(a.low), recast<To>(a.high)};
}

TRI_INLINE double root(double a) { return __builtin_sqrt(a); }
TRI_INLINE float root(float a) { return __builtin_sqrtf(a); }
template <class E, int N>
TRI_INLINE Pack<E, N, true> root(Pack<E, N, true> a) {
  Pack<E, N, true> r;
  for (int i = 0; i < N; ++i) r.raw[i] = root(a.raw[i]);
  return r;
}
template <class E, int N>
TRI_INLINE Pack<E, N, false> root(Pack<E, N, false> a) {
  return {root(a.low), root(a.high)};
}

/// All elements joined by `or`.
template <class E, int N, bool Fits>
TRI_INLINE E or_all(Pack<E, N, Fits> a) {
  if constexpr (N == 2) {
    return a.get(0) | a.get(1);
  } else {
    Pack<E, N / 2> half[2];
    std::memcpy(half, &a, sizeof(a));
    return or_all(half[0] | half[1]);
  }
}

}  // namespace detail
TRI_ISA_END
}  // namespace trilith
