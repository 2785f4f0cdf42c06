// Compiled four times: with the flags of the tests, and once per instruction set (tests/base/libraries.cmake).
#include "base/isa_programs.h"

#include "base/math.h"
#include "linalg/dense_cholesky_inline.h"

namespace trilith::test {
namespace {

template <class T, class Mask>
TRI_INLINE T truth(Mask mask) {
  return select(mask, T(1), T(0));
}

/// Every operation of lanes.h on one pair; `T` is a scalar or Lanes.
template <class T>
TRI_INLINE void lane_ops(T a, T b, LaneArray<T> out) {
  using B = decltype(to_bits(T()));
  const T third = T(typename ScalarOf<T>::type(1)) / T(3);
  T sum = a, difference = a, product = a, quotient = a;
  sum += b, difference -= b, product *= b, quotient /= b;
  const T result[lane_op_count] = {
      a + b,
      a - b,
      a * b,
      a / b,
      -a,
      sqrt(a),
      abs(a),
      copysign(a, b),
      min(a, b),
      max(a, b),
      truth<T>(a < b),
      truth<T>(a <= b),
      truth<T>(a > b),
      truth<T>(a >= b),
      truth<T>(a == b),
      truth<T>(a != b),
      select((a < b) & !(a == T(0)), a, b),
      select((a < b) | (b >= T(1)), third, b),
      truth<T>(to_bits(a) == to_bits(b)),
      from_bits(((to_bits(a) ^ to_bits(b)) >> 3) & B(0x000fffff)),
      from_bits(((to_bits(a) + to_bits(b)) << 5 | B(1)) - B(7)),
      sum,
      difference,
      product,
      quotient,
  };
  for (int i = 0; i < lane_op_count; ++i) out[i] = result[i];
}

template <class T>
TRI_INLINE void math(T x, T y, LaneArray<T> out) {
  const SinCos<T> sc = sincos(x);
  out[0] = sc.sin;
  out[1] = sc.cos;
  out[2] = exp(x);
  out[3] = log(x);
  out[4] = log(abs(x));
  out[5] = atan2(x, y);
}

/// Random numbers in (-1, 1) made of integers only; one generator per problem.
template <class S>
struct Numbers {
  std::uint32_t state;
  TRI_INLINE S next() {
    state = state * 1664525u + 1013904223u;
    return (S(state >> 9) - S(4194304)) / S(4194304);
  }
};
template <class T>
TRI_INLINE T fill_lanes(Numbers<T>* numbers, T*) {
  return numbers[0].next();
}
template <class S, int N>
TRI_INLINE Lanes<S, N> fill_lanes(Numbers<S>* numbers, Lanes<S, N>*) {
  S value[N];
  for (int i = 0; i < N; ++i) value[i] = numbers[i].next();
  return Lanes<S, N>::load(value);
}

/// Cone-like arithmetic, elementary functions, a 7 x 7 factorization, and sums in one order.
template <class T, int N, class S = typename ScalarOf<T>::type>
TRI_INLINE void one_program(int first, LaneArray<T> out) {
  Numbers<S> numbers[N];
  for (int i = 0; i < N; ++i) numbers[i].state = 977u * static_cast<std::uint32_t>(first + i) + 1u;
  const auto next = [&]() __attribute__((always_inline)) { return fill_lanes(numbers, static_cast<T*>(nullptr)); };

  // nearest point of a friction cone
  const T mu = abs(next()) + T(S(0.1)), n = next(), t1 = next(), t2 = next();
  const T r = sqrt(t1 * t1 + t2 * t2);
  const auto inside = r <= mu * n, polar = mu * r <= -n;
  const T foot = (mu * r + n) / (mu * mu + T(1)), shrink = mu * foot / max(r, T(S(1e-20)));
  out[0] = select(inside, n, select(polar, T(0), foot));
  out[1] = select(inside, t1, select(polar, T(0), shrink * t1));
  out[2] = select(inside, t2, select(polar, T(0), shrink * t2));

  // elementary functions over moderate and large arguments
  const SinCos<T> moderate = sincos(T(50) * next()), large = sincos(T(S(1e8)) * next());
  const T e = exp(T(20) * next()), l = log(T(100) * abs(next()));
  const T y = next(), angle = atan2(y, next());
  const T named[7] = {moderate.sin, moderate.cos, large.sin, large.cos, e, l, angle};
  for (int i = 0; i < 7; ++i) out[3 + i] = named[i];

  // A = B B' + 1 with random B, its factor and a solution
  T b[49], a[49], x[7];
  for (T& entry : b) entry = next();
  for (int j = 0; j < 7; ++j) {
    for (int i = 0; i < 7; ++i) {
      T sum = T(i == j ? 1 : 0);
      for (int k = 0; k < 7; ++k) sum = sum + b[7 * k + i] * b[7 * k + j];
      a[7 * j + i] = sum;
    }
    x[j] = next();
  }
  const linalg::LanePivots<T> pivots = linalg::factor_lanes<T>(static_cast<T*>(a), 7, S(1e-6));
  linalg::solve_lanes<T>(static_cast<const T*>(a), 7, static_cast<T*>(x));
  T total = T(0);
  for (int i = 0; i < 49; ++i) total = total + a[i] * b[i];
  for (int i = 0; i < 7; ++i) out[10 + i] = x[i];
  const T rest[7] = {pivots.dropped, pivots.smallest_ratio, pivots.finite, total, a[0], a[24], a[48]};
  for (int i = 0; i < 7; ++i) out[17 + i] = rest[i];
}

template <class T, int N, class S = typename ScalarOf<T>::type>
TRI_INLINE void run_lane_ops(const S* a, const S* b, std::int64_t count, S* out) {
  const LaneArray<T> as{const_cast<S*>(a)}, bs{const_cast<S*>(b)}, results{out};
  for (std::int64_t g = 0; g < count / N; ++g) lane_ops<T>(as[g], bs[g], results.from(g * lane_op_count));
}
template <class T, int N, class S = typename ScalarOf<T>::type>
TRI_INLINE void run_math(const S* x, const S* y, std::int64_t count, S* out) {
  const LaneArray<T> xs{const_cast<S*>(x)}, ys{const_cast<S*>(y)}, results{out};
  for (std::int64_t g = 0; g < count / N; ++g) math<T>(xs[g], ys[g], results.from(g * math_count));
}
template <class T, int N, class S = typename ScalarOf<T>::type>
TRI_INLINE void run_program(S* out) {
  const LaneArray<T> results{out};
  for (int g = 0; g < program_problems / N; ++g) one_program<T, N>(g * N, results.from(g * program_results));
}

/// Calls f for the lanes of `width`.
template <class S, class F>
TRI_INLINE void by_width(int width, F f) {
  switch (width) {
    case 1:
      f.template operator()<S, 1>();
      break;
    case 2:
      f.template operator()<Lanes<S, 2>, 2>();
      break;
    case 4:
      f.template operator()<Lanes<S, 4>, 4>();
      break;
    case 8:
      f.template operator()<Lanes<S, 8>, 8>();
      break;
    default:
      f.template operator()<Lanes<S, 16>, 16>();
  }
}
template <class S>
TRI_INLINE void lane_ops_of(int width, const S* a, const S* b, std::int64_t count, S* out) {
  by_width<S>(width, [=]<class T, int N>() __attribute__((always_inline)) { run_lane_ops<T, N>(a, b, count, out); });
}
template <class S>
TRI_INLINE void math_of(int width, const S* x, const S* y, std::int64_t count, S* out) {
  by_width<S>(width, [=]<class T, int N>() __attribute__((always_inline)) { run_math<T, N>(x, y, count, out); });
}
template <class S>
TRI_INLINE void determinism_of(int width, S* out) {
  by_width<S>(width, [=]<class T, int N>() __attribute__((always_inline)) { run_program<T, N>(out); });
}

void lane_ops_double(int width, const double* a, const double* b, std::int64_t count, double* out) { lane_ops_of(width, a, b, count, out); }
void lane_ops_float(int width, const float* a, const float* b, std::int64_t count, float* out) { lane_ops_of(width, a, b, count, out); }
void math_double(int width, const double* x, const double* y, std::int64_t count, double* out) { math_of(width, x, y, count, out); }
void math_float(int width, const float* x, const float* y, std::int64_t count, float* out) { math_of(width, x, y, count, out); }
void determinism_double(int width, double* out) { determinism_of(width, out); }
void determinism_float(int width, float* out) { determinism_of(width, out); }

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
const IsaPrograms isa_programs = {lane_ops_double, lane_ops_float, math_double, math_float, determinism_double, determinism_float};
}
}  // namespace trilith::test
