#pragma once
#include <vector>

#include "multibody/tree.h"
#include "support/random.h"

/// Random trees with every joint kind, and random states of them.
namespace trilith::test {

inline Quaterniond random_turn(Random& random) {
  return normalized(Quaterniond{random.gauss(), random.gauss(), random.gauss(), random.gauss()});
}
inline Posed random_pose(Random& random, double size) { return make_pose(random_turn(random), size * random.gauss_vector()); }

/// A box of random size and place: a valid inertia with every entry filled.
inline Inertiad random_inertia(Random& random) {
  const Vec3d size{random.uniform(0.1, 0.6), random.uniform(0.1, 0.6), random.uniform(0.1, 0.6)};
  return transform(random_pose(random, 0.1), box_inertia(random.scale(0.3, 5), size));
}

struct TreeShape {
  int links = 10;
  bool free_base = false;
  bool chain = false;         ///< hinges only, each on the one before
  double massless_share = 0;  ///< of the inner links
  double root_share = 0;      ///< of links that start a tree of their own
};

/// Link i hangs on link i - 1 or one of its ancestors. A link without mass has an armature and carries one with mass.
inline multibody::TreeInput random_tree(Random& random, const TreeShape& shape) {
  using multibody::LinkKind;
  multibody::TreeInput input;
  if (shape.free_base) multibody::add_free_link(input, random_inertia(random), random.coin() ? 0.1 : 0.0);
  while (static_cast<int>(input.links.size()) < shape.links) {
    const int i = static_cast<int>(input.links.size());
    multibody::LinkInput link;
    link.parent = i - 1;
    const bool parent_empty = i > 0 && input.links[static_cast<std::size_t>(i - 1)].inertia.mass == 0;
    if (!shape.chain && !parent_empty) {
      const int top = shape.free_base ? 1 : -1;
      while (link.parent > top && random.uniform(0, 1) < 0.3) link.parent = input.links[static_cast<std::size_t>(link.parent)].parent;
      if (random.uniform(0, 1) < shape.root_share) link.parent = -1;
    }
    constexpr LinkKind kinds[] = {LinkKind::hinge, LinkKind::hinge, LinkKind::slide, LinkKind::translation, LinkKind::ball};
    link.kind = shape.chain ? LinkKind::hinge : kinds[random.index(5)];
    link.X_PJ = random_pose(random, 0.4);
    if (link.kind == LinkKind::hinge || link.kind == LinkKind::slide) link.reference = random.uniform(-1, 1);
    link.armature = random.coin() ? random.uniform(0, 0.2) : 0;
    const bool empty = !parent_empty && i + 1 < shape.links && random.uniform(0, 1) < shape.massless_share;
    if (empty)
      link.armature = random.uniform(0.05, 0.2);
    else
      link.inertia = random_inertia(random);
    input.links.push_back(link);
  }
  for (int i = 0; i < static_cast<int>(input.links.size()); ++i) input.bodies.push_back({i, random_pose(random, 0.2)});
  input.bodies.push_back({-1, random_pose(random, 0.2)});
  return input;
}

/// Coordinates: angles and lengths of order 1, unit quaternions.
inline std::vector<double> random_q(Random& random, const multibody::Tree& tree) {
  std::vector<double> q(static_cast<std::size_t>(tree.coordinates()));
  for (std::int32_t i = 0; i < tree.links(); ++i) {
    const auto at = static_cast<std::size_t>(tree.link(i).q);
    if (tree.link(i).kind == multibody::LinkKind::ball) {
      const Quaterniond turn = random_turn(random);
      q[at] = turn.w, q[at + 1] = turn.x, q[at + 2] = turn.y, q[at + 3] = turn.z;
      continue;
    }
    for (std::int32_t k = 0; k < tree.link(i).nq; ++k) q[at + static_cast<std::size_t>(k)] = random.uniform(-1.5, 1.5);
  }
  return q;
}
inline std::vector<double> random_numbers(Random& random, std::int64_t count, double size = 1) {
  std::vector<double> x(static_cast<std::size_t>(count));
  for (double& value : x) value = size * random.gauss();
  return x;
}

inline double largest(const std::vector<double>& a) {
  double size = 0;
  for (const double value : a) size = std::max(size, std::fabs(value));
  return size;
}
/// Largest |a - b|.
inline double distance(const std::vector<double>& a, const std::vector<double>& b) {
  double size = a.size() == b.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) {
    const double gap = std::fabs(a[i] - b[i]);
    size = gap <= size ? size : gap == gap ? gap : HUGE_VAL;
  }
  return size;
}

}  // namespace trilith::test
