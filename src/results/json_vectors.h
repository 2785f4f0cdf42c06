#pragma once
#include "io/json.h"
#include "trilith/vec.h"

namespace trilith::results {

/// [x, y, z]
inline io::Json vector_json(const Vec3d& v) { return io::Json::Array{v.x, v.y, v.z}; }

/// [[x, y, z], ...]
template <class Range>
io::Json vectors_json(const Range& vectors) {
  io::Json::Array rows;
  rows.reserve(vectors.size());
  for (const Vec3d& v : vectors) rows.push_back(vector_json(v));
  return rows;
}

}  // namespace trilith::results
