#pragma once
#include <type_traits>

#include "base/lanes.h"
#include "trilith/vec.h"

/// Small vectors and matrices, templated on the scalar (double, float, Lanes). Plain loops in one fixed order, no expression templates, no
/// operators beyond + - * dot cross.

namespace trilith {

/// Row-major 3x3 matrix: m[3 * row + column].
template <class T>
struct Mat3 {
  T m[9];
};
using Mat3d = Mat3<double>;

/// Six components; what they are (force then moment, linear then angular) is said where it is used.
template <class T>
struct Vec6 {
  T v[6];
};
using Vec6d = Vec6<double>;

/// Row-major 6x6 matrix: m[6 * row + column].
template <class T>
struct Mat6 {
  T m[36];
};
using Mat6d = Mat6<double>;

TRI_ISA_BEGIN

template <class T>
TRI_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template <class T>
TRI_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template <class T>
TRI_INLINE Vec3<T> operator-(const Vec3<T>& a) {
  return {T(0) - a.x, T(0) - a.y, T(0) - a.z};
}
template <class T>
TRI_INLINE Vec3<T> operator*(std::type_identity_t<T> s, const Vec3<T>& a) {
  return {s * a.x, s * a.y, s * a.z};
}
template <class T>
TRI_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}
template <class T>
TRI_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T>
TRI_INLINE T norm(const Vec3<T>& a) {
  return sqrt(dot(a, a));
}
/// `a` scaled to length 1; unchanged where its length is 0.
template <class T>
TRI_INLINE Vec3<T> unit(const Vec3<T>& a) {
  const T length = norm(a);
  const T safe = select(length > T(0), length, T(1));
  return {a.x / safe, a.y / safe, a.z / safe};
}

namespace detail {
/// r = a b for row-major N x N; each entry sums over the inner index from 0 up.
template <int N, class T>
TRI_INLINE void multiply(const T* a, const T* b, T* r) {
  for (int i = 0; i < N; ++i) {
    for (int j = 0; j < N; ++j) {
      T sum = a[N * i] * b[j];
      for (int k = 1; k < N; ++k) sum = sum + a[N * i + k] * b[N * k + j];
      r[N * i + j] = sum;
    }
  }
}
/// r = a x, the same order.
template <int N, class T>
TRI_INLINE void apply(const T* a, const T* x, T* r) {
  for (int i = 0; i < N; ++i) {
    T sum = a[N * i] * x[0];
    for (int k = 1; k < N; ++k) sum = sum + a[N * i + k] * x[k];
    r[i] = sum;
  }
}
template <int N, class T>
TRI_INLINE void flip(const T* a, T* r) {
  for (int i = 0; i < N; ++i)
    for (int j = 0; j < N; ++j) r[N * j + i] = a[N * i + j];
}
}  // namespace detail

template <class T>
TRI_INLINE Mat3<T> identity3() {
  return {{T(1), T(0), T(0), T(0), T(1), T(0), T(0), T(0), T(1)}};
}
template <class T>
TRI_INLINE Mat3<T> diagonal3(const Vec3<T>& d) {
  return {{d.x, T(0), T(0), T(0), d.y, T(0), T(0), T(0), d.z}};
}
template <class T>
TRI_INLINE Mat3<T> from_columns(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {{a.x, b.x, c.x, a.y, b.y, c.y, a.z, b.z, c.z}};
}
template <class T>
TRI_INLINE Mat3<T> from_rows(const Vec3<T>& a, const Vec3<T>& b, const Vec3<T>& c) {
  return {{a.x, a.y, a.z, b.x, b.y, b.z, c.x, c.y, c.z}};
}
template <class T>
TRI_INLINE Vec3<T> column(const Mat3<T>& a, int j) {
  return {a.m[j], a.m[3 + j], a.m[6 + j]};
}
template <class T>
TRI_INLINE Vec3<T> row(const Mat3<T>& a, int i) {
  return {a.m[3 * i], a.m[3 * i + 1], a.m[3 * i + 2]};
}
/// a b'
template <class T>
TRI_INLINE Mat3<T> outer(const Vec3<T>& a, const Vec3<T>& b) {
  return {{a.x * b.x, a.x * b.y, a.x * b.z, a.y * b.x, a.y * b.y, a.y * b.z, a.z * b.x, a.z * b.y, a.z * b.z}};
}
/// The matrix of the cross product: skew(a) b = a x b.
template <class T>
TRI_INLINE Mat3<T> skew(const Vec3<T>& a) {
  return {{T(0), T(0) - a.z, a.y, a.z, T(0), T(0) - a.x, T(0) - a.y, a.x, T(0)}};
}
template <class T>
TRI_INLINE Mat3<T> operator+(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 9; ++i) r.m[i] = a.m[i] + b.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat3<T> operator-(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  for (int i = 0; i < 9; ++i) r.m[i] = a.m[i] - b.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat3<T> operator*(std::type_identity_t<T> s, const Mat3<T>& a) {
  Mat3<T> r;
  for (int i = 0; i < 9; ++i) r.m[i] = s * a.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat3<T> operator*(const Mat3<T>& a, const Mat3<T>& b) {
  Mat3<T> r;
  detail::multiply<3>(a.m, b.m, r.m);
  return r;
}
template <class T>
TRI_INLINE Vec3<T> operator*(const Mat3<T>& a, const Vec3<T>& x) {
  return {dot(row(a, 0), x), dot(row(a, 1), x), dot(row(a, 2), x)};
}
template <class T>
TRI_INLINE Mat3<T> transpose(const Mat3<T>& a) {
  Mat3<T> r;
  detail::flip<3>(a.m, r.m);
  return r;
}
/// a' x without forming a'.
template <class T>
TRI_INLINE Vec3<T> transpose_times(const Mat3<T>& a, const Vec3<T>& x) {
  return {dot(column(a, 0), x), dot(column(a, 1), x), dot(column(a, 2), x)};
}
template <class T>
TRI_INLINE T trace(const Mat3<T>& a) {
  return a.m[0] + a.m[4] + a.m[8];
}
template <class T>
TRI_INLINE T determinant(const Mat3<T>& a) {
  return dot(row(a, 0), cross(row(a, 1), row(a, 2)));
}

template <class T>
TRI_INLINE Vec6<T> join(const Vec3<T>& first, const Vec3<T>& second) {
  return {{first.x, first.y, first.z, second.x, second.y, second.z}};
}
template <class T>
TRI_INLINE Vec3<T> first3(const Vec6<T>& a) {
  return {a.v[0], a.v[1], a.v[2]};
}
template <class T>
TRI_INLINE Vec3<T> last3(const Vec6<T>& a) {
  return {a.v[3], a.v[4], a.v[5]};
}
template <class T>
TRI_INLINE Vec6<T> operator+(const Vec6<T>& a, const Vec6<T>& b) {
  Vec6<T> r;
  for (int i = 0; i < 6; ++i) r.v[i] = a.v[i] + b.v[i];
  return r;
}
template <class T>
TRI_INLINE Vec6<T> operator-(const Vec6<T>& a, const Vec6<T>& b) {
  Vec6<T> r;
  for (int i = 0; i < 6; ++i) r.v[i] = a.v[i] - b.v[i];
  return r;
}
template <class T>
TRI_INLINE Vec6<T> operator*(std::type_identity_t<T> s, const Vec6<T>& a) {
  Vec6<T> r;
  for (int i = 0; i < 6; ++i) r.v[i] = s * a.v[i];
  return r;
}
/// Sum of products from component 0 up.
template <class T>
TRI_INLINE T dot(const Vec6<T>& a, const Vec6<T>& b) {
  T sum = a.v[0] * b.v[0];
  for (int i = 1; i < 6; ++i) sum = sum + a.v[i] * b.v[i];
  return sum;
}

template <class T>
TRI_INLINE Mat6<T> identity6() {
  Mat6<T> r;
  for (int i = 0; i < 36; ++i) r.m[i] = T(i % 7 == 0 ? 1 : 0);
  return r;
}
/// [a b; c d]
template <class T>
TRI_INLINE Mat6<T> from_blocks(const Mat3<T>& a, const Mat3<T>& b, const Mat3<T>& c, const Mat3<T>& d) {
  Mat6<T> r;
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 3; ++j) {
      r.m[6 * i + j] = a.m[3 * i + j];
      r.m[6 * i + j + 3] = b.m[3 * i + j];
      r.m[6 * (i + 3) + j] = c.m[3 * i + j];
      r.m[6 * (i + 3) + j + 3] = d.m[3 * i + j];
    }
  }
  return r;
}
/// The 3x3 block at block row i, block column j (0 or 1).
template <class T>
TRI_INLINE Mat3<T> block3(const Mat6<T>& a, int i, int j) {
  Mat3<T> r;
  for (int p = 0; p < 3; ++p)
    for (int q = 0; q < 3; ++q) r.m[3 * p + q] = a.m[6 * (3 * i + p) + 3 * j + q];
  return r;
}
template <class T>
TRI_INLINE Mat6<T> operator+(const Mat6<T>& a, const Mat6<T>& b) {
  Mat6<T> r;
  for (int i = 0; i < 36; ++i) r.m[i] = a.m[i] + b.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat6<T> operator-(const Mat6<T>& a, const Mat6<T>& b) {
  Mat6<T> r;
  for (int i = 0; i < 36; ++i) r.m[i] = a.m[i] - b.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat6<T> operator*(std::type_identity_t<T> s, const Mat6<T>& a) {
  Mat6<T> r;
  for (int i = 0; i < 36; ++i) r.m[i] = s * a.m[i];
  return r;
}
template <class T>
TRI_INLINE Mat6<T> operator*(const Mat6<T>& a, const Mat6<T>& b) {
  Mat6<T> r;
  detail::multiply<6>(a.m, b.m, r.m);
  return r;
}
template <class T>
TRI_INLINE Vec6<T> operator*(const Mat6<T>& a, const Vec6<T>& x) {
  Vec6<T> r;
  detail::apply<6>(a.m, x.v, r.v);
  return r;
}
template <class T>
TRI_INLINE Mat6<T> transpose(const Mat6<T>& a) {
  Mat6<T> r;
  detail::flip<6>(a.m, r.m);
  return r;
}

TRI_ISA_END
}  // namespace trilith
