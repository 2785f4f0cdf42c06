#pragma once
#include "base/lanes.h"

namespace trilith::cones {
TRI_ISA_BEGIN

/// Values of the `D` rows that one set ties together, all in one unit. Cones: the normal (axis) component first, then the tangents.
/// `T` is double, float or Lanes.
template <class T, int D>
struct Block {
  T v[D];
  TRI_INLINE T& operator[](int i) { return v[i]; }
  TRI_INLINE const T& operator[](int i) const { return v[i]; }
};

/// Symmetric D x D matrix, both triangles stored: m[row][column].
template <class T, int D>
struct SymmetricBlock {
  T m[D][D];
};

/// Logic of comparisons, for scalars and lanes; both sides are evaluated.
TRI_INLINE bool both(bool a, bool b) { return a && b; }
TRI_INLINE bool either(bool a, bool b) { return a || b; }
template <class T, int N>
TRI_INLINE LaneMask<T, N> both(LaneMask<T, N> a, LaneMask<T, N> b) {
  return a & b;
}
template <class T, int N>
TRI_INLINE LaneMask<T, N> either(LaneMask<T, N> a, LaneMask<T, N> b) {
  return a | b;
}

/// 0, or NaN where `a` is not a number: what a set answers to a NaN must be one.
template <class T>
TRI_INLINE T zero_unless_nan(T a) {
  return select(a == a, T(0), a);
}

template <class T, int D>
TRI_INLINE Block<T, D> filled(T value) {
  Block<T, D> r;
  for (int i = 0; i < D; ++i) r[i] = value;
  return r;
}

template <class T, int D>
TRI_INLINE Block<T, D> operator+(const Block<T, D>& a, const Block<T, D>& b) {
  Block<T, D> r;
  for (int i = 0; i < D; ++i) r[i] = a[i] + b[i];
  return r;
}

template <class T, int D>
TRI_INLINE Block<T, D> operator-(const Block<T, D>& a, const Block<T, D>& b) {
  Block<T, D> r;
  for (int i = 0; i < D; ++i) r[i] = a[i] - b[i];
  return r;
}

template <class T, int D>
TRI_INLINE Block<T, D> operator*(T s, const Block<T, D>& a) {
  Block<T, D> r;
  for (int i = 0; i < D; ++i) r[i] = s * a[i];
  return r;
}

template <class T, int D>
TRI_INLINE T dot(const Block<T, D>& a, const Block<T, D>& b) {
  T r = a[0] * b[0];
  for (int i = 1; i < D; ++i) r += a[i] * b[i];
  return r;
}

/// Length; squares must neither overflow nor vanish: entries between 1e-150 and 1e150 (float: 1e-18 and 1e18) or zero.
template <class T, int D>
TRI_INLINE T norm(const Block<T, D>& a) {
  return sqrt(dot(a, a));
}

/// `yes ? a : b`, entry by entry.
template <class Mask, class T, int D>
TRI_INLINE Block<T, D> select_block(Mask yes, const Block<T, D>& a, const Block<T, D>& b) {
  Block<T, D> r;
  for (int i = 0; i < D; ++i) r[i] = select(yes, a[i], b[i]);
  return r;
}

template <class Mask, class T, int D>
TRI_INLINE SymmetricBlock<T, D> select_block(Mask yes, const SymmetricBlock<T, D>& a, const SymmetricBlock<T, D>& b) {
  SymmetricBlock<T, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.m[i][j] = select(yes, a.m[i][j], b.m[i][j]);
  return r;
}

template <class T, int D>
TRI_INLINE SymmetricBlock<T, D> zero_matrix() {
  SymmetricBlock<T, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.m[i][j] = T(0);
  return r;
}

/// diag(1 / weight).
template <class T, int D>
TRI_INLINE SymmetricBlock<T, D> inverse_diagonal(const Block<T, D>& weight) {
  SymmetricBlock<T, D> r = zero_matrix<T, D>();
  for (int i = 0; i < D; ++i) r.m[i][i] = T(1) / weight[i];
  return r;
}

/// s a a'.
template <class T, int D>
TRI_INLINE SymmetricBlock<T, D> outer(T s, const Block<T, D>& a) {
  SymmetricBlock<T, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = i; j < D; ++j) r.m[i][j] = r.m[j][i] = s * (a[i] * a[j]);
  return r;
}

template <class T, int D>
TRI_INLINE SymmetricBlock<T, D> operator+(const SymmetricBlock<T, D>& a, const SymmetricBlock<T, D>& b) {
  SymmetricBlock<T, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.m[i][j] = a.m[i][j] + b.m[i][j];
  return r;
}

template <class T, int D>
TRI_INLINE SymmetricBlock<T, D> operator-(const SymmetricBlock<T, D>& a, const SymmetricBlock<T, D>& b) {
  SymmetricBlock<T, D> r;
  for (int i = 0; i < D; ++i)
    for (int j = 0; j < D; ++j) r.m[i][j] = a.m[i][j] - b.m[i][j];
  return r;
}

TRI_ISA_END
}  // namespace trilith::cones
