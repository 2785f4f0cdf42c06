// Connectivity to a support (RBE-13).
#include "solve/connectivity.h"

#include <algorithm>
#include <numeric>

#include "base/check.h"
#include "linalg/fixed.h"

namespace trilith::solve {
namespace {

// disjoint sets of bodies; the last element stands for the ground
class Sets {
 public:
  explicit Sets(int count) : up_(static_cast<std::size_t>(count)) { std::iota(up_.begin(), up_.end(), 0); }
  int root(int i) {
    while (at(i) != i) i = at(i) = at(at(i));
    return i;
  }
  // the smaller number becomes the root, so that the answer does not depend on the order of the patches
  void join(int i, int j) {
    i = root(i);
    j = root(j);
    at(std::max(i, j)) = std::min(i, j);
  }

 private:
  int& at(int i) { return up_[static_cast<std::size_t>(i)]; }
  std::vector<int> up_;
};

}  // namespace

Connectivity find_floating(const rows::PatchRows& rows) {
  const int ground = rows.blocks();
  Sets sets(ground + 1);
  for (const rows::PatchGroup& group : rows.groups())
    for (int lane = 0; lane < rows::patch_lanes; ++lane)
      if (group.patch[lane] >= 0)
        sets.join(group.block_a[lane] < 0 ? ground : group.block_a[lane], group.block_b[lane] < 0 ? ground : group.block_b[lane]);

  // roots are the first bodies of their groups, so groups come out ordered
  Connectivity found;
  std::vector<int> group_of(static_cast<std::size_t>(ground) + 1, -1);
  const int held = sets.root(ground);
  for (int body = 0; body < ground; ++body) {
    const int root = sets.root(body);
    if (root == held) continue;
    int& group = group_of[static_cast<std::size_t>(root)];
    if (group < 0) {
      group = static_cast<int>(found.floating.size());
      found.floating.emplace_back();
    }
    found.floating[static_cast<std::size_t>(group)].push_back(body);
  }
  return found;
}

void write_fall(const Connectivity& connectivity, const Vec3d& direction, std::span<double> velocity) noexcept {
  std::fill(velocity.begin(), velocity.end(), 0.0);
  const Vec3d down = unit(direction);
  for (const std::vector<int>& group : connectivity.floating)
    for (const int body : group) {
      const std::size_t first = 6 * static_cast<std::size_t>(body);
      TRI_CHECK(first + 6 <= velocity.size());
      velocity[first] = down.x;
      velocity[first + 1] = down.y;
      velocity[first + 2] = down.z;
    }
}

void write_fall(const Connectivity& connectivity, std::span<const double> load, std::span<double> velocity) noexcept {
  TRI_CHECK(load.size() == velocity.size());
  std::fill(velocity.begin(), velocity.end(), 0.0);
  for (const std::vector<int>& group : connectivity.floating) {
    Vec3d net{0, 0, 0};
    for (const int body : group) {
      const double* b = load.data() + 6 * static_cast<std::size_t>(body);
      net = net - Vec3d{b[0], b[1], b[2]};
    }
    const Vec3d down = norm(net) > 0 ? unit(net) : net;
    for (const int body : group) {
      double* v = velocity.data() + 6 * static_cast<std::size_t>(body);
      v[0] = down.x;
      v[1] = down.y;
      v[2] = down.z;
    }
  }
}

}  // namespace trilith::solve
