#pragma once
#include "base/lanes.h"
#include "trilith/vec.h"

namespace trilith {

/// `a` over its largest component: the same direction, with squares that neither overflow nor vanish; unchanged where it is zero.
inline Vec3d moderate(const Vec3d& a) {
  const double largest = max(max(abs(a.x), abs(a.y)), abs(a.z));
  const double safe = largest > 0 ? largest : 1.0;
  return {a.x / safe, a.y / safe, a.z / safe};
}

}  // namespace trilith
