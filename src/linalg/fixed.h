#pragma once
#include "base/lanes.h"
#include "trilith/vec.h"

namespace trilith {

/// Row-major 3x3 matrix: m[3 * row + column].
template <class T>
struct Mat3 {
  T m[9];
};
using Mat3d = Mat3<double>;

TRI_ISA_BEGIN

template <class T> TRI_INLINE Vec3<T> operator+(const Vec3<T>& a, const Vec3<T>& b) { return {a.x + b.x, a.y + b.y, a.z + b.z}; }
template <class T> TRI_INLINE Vec3<T> operator-(const Vec3<T>& a, const Vec3<T>& b) { return {a.x - b.x, a.y - b.y, a.z - b.z}; }
template <class T> TRI_INLINE Vec3<T> operator-(const Vec3<T>& a) { return {T(0) - a.x, T(0) - a.y, T(0) - a.z}; }
template <class T> TRI_INLINE Vec3<T> operator*(T s, const Vec3<T>& a) { return {s * a.x, s * a.y, s * a.z}; }
template <class T> TRI_INLINE T dot(const Vec3<T>& a, const Vec3<T>& b) { return a.x * b.x + a.y * b.y + a.z * b.z; }
template <class T> TRI_INLINE Vec3<T> cross(const Vec3<T>& a, const Vec3<T>& b) {
  return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template <class T> TRI_INLINE T norm(const Vec3<T>& a) { return sqrt(dot(a, a)); }
/// `a` scaled to length 1; unchanged where its length is 0.
template <class T> TRI_INLINE Vec3<T> unit(const Vec3<T>& a) {
  const T length = norm(a);
  const T safe = select(length > T(0), length, T(1));
  return {a.x / safe, a.y / safe, a.z / safe};
}

TRI_ISA_END
}  // namespace trilith
