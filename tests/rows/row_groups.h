#pragma once
#include <array>
#include <vector>

#include "rows/row_group.h"

/// One small group of every set, with storage, for the tests of src/rows.
namespace trilith::test {

inline const cones::PyramidFaces& eight_faces() {
  static const cones::PyramidFaces faces = cones::make_pyramid_faces(8).value();
  return faces;
}

struct SampleGroups {
  std::vector<double> lower{-1, -std::numeric_limits<double>::infinity(), 0}, upper{1, 2, std::numeric_limits<double>::infinity()};
  std::vector<double> mu{0.5, 0.8}, axes{0.5, 0.6, 0.01, 0.7, 0.8, 0.02}, radius{1.5, 0.5}, reach{0.5, 0.8, 1.0, 0.3};
  std::vector<rows::RowGroup> all;

  explicit SampleGroups(rows::Mechanism mechanism = rows::Mechanism::telemetry) {
    using rows::SetKind;
    const auto add = [&](const char* name, SetKind set, int count, int block) -> rows::RowGroup& {
      rows::RowGroup g;
      g.name = name, g.unit = "N", g.set = set, g.mechanism = mechanism, g.count = count, g.block = block;
      g.first = all.empty() ? 0 : all.back().end();
      all.push_back(g);
      return all.back();
    };
    all.reserve(8);
    add("equality", SetKind::zero, 2, 1);
    add("gap", SetKind::nonnegative, 2, 1);
    rows::RowGroup& box = add("limit", SetKind::box, 3, 1);
    box.lower = lower, box.upper = upper;
    add("contact", SetKind::friction_cone, 6, 3).mu = mu;
    add("spinning contact", SetKind::elliptic, 8, 4).mu = axes;
    rows::RowGroup& pyramid = add("pyramid", SetKind::pyramid, 6, 3);
    pyramid.mu = mu, pyramid.faces = &eight_faces();
    add("grip", SetKind::disc, 4, 2).radius = radius;
    rows::RowGroup& ellipse = add("uneven grip", SetKind::ellipse, 4, 2);
    ellipse.radius = radius, ellipse.mu = reach;
  }
  SampleGroups(const SampleGroups&) = delete;
  std::int32_t rows() const { return all.back().end(); }
};

}  // namespace trilith::test
