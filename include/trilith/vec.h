#pragma once
/// Plain aggregates shared by the public interface and the library. Operators live in src/linalg/fixed.h.

namespace trilith {

/// Three components in the axes the name of the variable says (`p_W`: world). `T` is double, float or Lanes.
template <class T>
struct Vec3 {
  T x, y, z;
};

using Vec3d = Vec3<double>;

}  // namespace trilith
