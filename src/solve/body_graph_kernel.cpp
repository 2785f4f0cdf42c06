// Lanes over contact patches: A C A' into 6 x 6 blocks, A' y, A f, projection of contact forces (RBE-2, CONE-4). Compiled per instruction
// set.
#include "solve/body_graph_kernel.h"

#include "cones/friction_cone.h"
#include "solve/patch_lanes.h"

namespace trilith::solve {
namespace {

using rows::patch_lanes;
using rows::PatchGroup;
using rows::PatchSlot;
using rows::slot_rows;

TRI_INLINE LaneMat transposed(const LaneMat& a) { return {{a.m[0], a.m[3], a.m[6], a.m[1], a.m[4], a.m[7], a.m[2], a.m[5], a.m[8]}}; }
TRI_INLINE LaneMat sum(const LaneMat& a, const LaneMat& b) {
  LaneMat r;
  for (int i = 0; i < 9; ++i) r.m[i] = a.m[i] + b.m[i];
  return r;
}
TRI_INLINE LaneMat product(const LaneMat& a, const LaneMat& b) {
  LaneMat r;
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) r.m[3 * i + j] = a.m[3 * i] * b.m[j] + a.m[3 * i + 1] * b.m[3 + j] + a.m[3 * i + 2] * b.m[6 + j];
  return r;
}
TRI_INLINE LaneMat full(const Double8 (&upper)[6]) {
  return {{upper[0], upper[1], upper[2], upper[1], upper[3], upper[4], upper[2], upper[4], upper[5]}};
}
// R m R'
TRI_INLINE LaneMat turned(const LaneMat& r, const LaneMat& m) { return product(product(r, m), transposed(r)); }
// [d] m: cross product of d with every column
TRI_INLINE LaneMat cross_columns(const LaneVec& d, const LaneMat& m) {
  LaneMat r;
  for (int c = 0; c < 3; ++c) {
    const LaneVec v = cross(d, LaneVec{m.m[c], m.m[3 + c], m.m[6 + c]});
    r.m[c] = v.x;
    r.m[3 + c] = v.y;
    r.m[6 + c] = v.z;
  }
  return r;
}
// m [d]': cross product of d with every row
TRI_INLINE LaneMat cross_rows(const LaneMat& m, const LaneVec& d) {
  LaneMat r;
  for (int i = 0; i < 3; ++i) {
    const LaneVec v = cross(d, LaneVec{m.m[3 * i], m.m[3 * i + 1], m.m[3 * i + 2]});
    r.m[3 * i] = v.x;
    r.m[3 * i + 1] = v.y;
    r.m[3 * i + 2] = v.z;
  }
  return r;
}

// lower triangle of a symmetric block: forces, moments of forces, moments
TRI_INLINE void add_diagonal(const LaneMat& ff, const LaneMat& mf, const LaneMat& mm, const std::int32_t* position, double* blocks) {
  alignas(64) double part[21][patch_lanes];
  int count = 0;
  for (int c = 0; c < 3; ++c) {
    for (int r = c; r < 3; ++r) ff.m[3 * r + c].store(part[count++]);
    for (int r = 0; r < 3; ++r) mf.m[3 * r + c].store(part[count++]);
  }
  for (int c = 0; c < 3; ++c)
    for (int r = c; r < 3; ++r) mm.m[3 * r + c].store(part[count++]);
  static constexpr int place[21] = {0, 1, 2, 3, 4, 5, 7, 8, 9, 10, 11, 14, 15, 16, 17, 21, 22, 23, 28, 29, 35};
  for (int lane = 0; lane < patch_lanes; ++lane) {
    if (position[lane] < 0) continue;
    double* block = blocks + 36 * static_cast<std::ptrdiff_t>(position[lane]);
    for (int i = 0; i < 21; ++i) block[place[i]] += part[i][lane];
  }
}

// minus the block with rows of b and columns of a; stored transposed where a comes later in the elimination
TRI_INLINE void subtract_pair(const LaneMat& ff, const LaneMat& mf, const LaneMat& fm, const LaneMat& mm, const GroupAddress& to,
                              double* blocks) {
  alignas(64) double part[36][patch_lanes];
  for (int c = 0; c < 3; ++c)
    for (int r = 0; r < 3; ++r) {
      ff.m[3 * r + c].store(part[6 * c + r]);
      mf.m[3 * r + c].store(part[6 * c + 3 + r]);
      fm.m[3 * r + c].store(part[6 * (c + 3) + r]);
      mm.m[3 * r + c].store(part[6 * (c + 3) + 3 + r]);
    }
  for (int lane = 0; lane < patch_lanes; ++lane) {
    if (to.pair[lane] < 0) continue;
    double* block = blocks + 36 * static_cast<std::ptrdiff_t>(to.pair[lane]);
    if (to.a_is_later[lane]) {
      for (int c = 0; c < 6; ++c)
        for (int r = 0; r < 6; ++r) block[6 * c + r] -= part[6 * r + c][lane];
    } else {
      for (int i = 0; i < 36; ++i) block[i] -= part[i][lane];
    }
  }
}

// moves a patch's matrix to its two bodies: block (p, q) is X_p K X_q' with X = [1 0; [arm] 1]
TRI_INLINE void add_blocks(const PatchGroup& group, const WrenchMatrix& k, const GroupAddress& to, const BlockView& blocks) {
  const LaneMat axes = load_axes(group);
  const LaneVec a = load3(group.arm_a), b = load3(group.arm_b);
  LaneMat local_mf;
  for (int i = 0; i < 9; ++i) local_mf.m[i] = k.moment_force[i];
  const LaneMat ff = turned(axes, full(k.force_force)), mf = turned(axes, local_mf), mm = turned(axes, full(k.moment_moment));
  const LaneMat fm = transposed(mf), mf_a = sum(mf, cross_columns(a, ff)), mf_b = sum(mf, cross_columns(b, ff));
  const LaneMat mm_a = sum(mm, cross_columns(a, fm)), mm_b = sum(mm, cross_columns(b, fm));
  add_diagonal(ff, mf_a, sum(mm_a, cross_rows(mf_a, a)), to.diagonal_a, blocks.diagonal);
  add_diagonal(ff, mf_b, sum(mm_b, cross_rows(mf_b, b)), to.diagonal_b, blocks.diagonal);
  subtract_pair(ff, mf_b, transposed(mf_a), sum(mm_b, cross_rows(mf_b, a)), to, blocks.off_diagonal);
}

TRI_INLINE void load_weight(const double* from, int per_point, Double8 (&weight)[6]) {
  if (per_point == 6) {
    for (int i = 0; i < 6; ++i) weight[i] = Double8::load(from + patch_lanes * i);
  } else {
    weight[1] = weight[2] = weight[4] = Double8(0);
    weight[0] = Double8::load(from);
    weight[3] = Double8::load(from + patch_lanes);
    weight[5] = Double8::load(from + 2 * patch_lanes);
  }
}

void form(const PatchView& view, const double* weights, int per_point, const BlockView& blocks) noexcept {
  for (int g = 0; g < view.group_count; ++g) {
    const PatchGroup& group = view.groups[g];
    const PatchSlot* slots = view.slots + group.first_slot;
    WrenchMatrix k;
    set_zero(k);
    for (int s = 0; s < group.slots; ++s) {
      if (weights == nullptr) {
        add_point(slots[s], k);
        continue;
      }
      Double8 weight[6];
      load_weight(weights + static_cast<std::ptrdiff_t>(group.first_slot + s) * per_point * patch_lanes, per_point, weight);
      add_point(slots[s], weight, k);
    }
    add_blocks(group, k, blocks.address[g], blocks);
  }
}

void apply(const PatchView& view, const double* y, double* row) noexcept {
  for (int g = 0; g < view.group_count; ++g) {
    const PatchGroup& group = view.groups[g];
    const LaneScrew twist = relative_twist(group, y);
    for (int s = group.first_slot; s < group.first_slot + group.slots; ++s)
      store3(point_velocity(twist, view.slots[s]), row + static_cast<std::ptrdiff_t>(s) * slot_rows);
  }
}

void apply_transposed(const PatchView& view, const double* row, double* x) noexcept {
  for (int g = 0; g < view.group_count; ++g) {
    const PatchGroup& group = view.groups[g];
    LaneScrew wrench{{Double8(0), Double8(0), Double8(0)}, {Double8(0), Double8(0), Double8(0)}};
    for (int s = group.first_slot; s < group.first_slot + group.slots; ++s)
      add_wrench(view.slots[s], load3(row + static_cast<std::ptrdiff_t>(s) * slot_rows), wrench);
    add_to_bodies(group, wrench, x);
  }
}

void weigh(const PatchView& view, const double* weights, int per_point, double* row) noexcept {
  if (view.group_count == 0) return;
  const PatchGroup& last = view.groups[view.group_count - 1];
  for (int s = 0; s < last.first_slot + last.slots; ++s, row += slot_rows, weights += per_point * patch_lanes) {
    Double8 c[6];
    load_weight(weights, per_point, c);
    const LaneVec f = load3(row);
    if (per_point == 3)
      store3({c[0] * f.x, c[3] * f.y, c[5] * f.z}, row);
    else
      store3({c[0] * f.x + c[1] * f.y + c[2] * f.z, c[1] * f.x + c[3] * f.y + c[4] * f.z, c[2] * f.x + c[4] * f.y + c[5] * f.z}, row);
  }
}

double project(const PatchView& view, const double* mu, double dust, double* force) noexcept {
  Double8 largest(0);
  const Double8 dust_squared(dust * dust), zero(0);
  for (int g = 0; g < view.group_count; ++g) {
    const PatchGroup& group = view.groups[g];
    const Double8 group_mu = Double8::load(mu + static_cast<std::ptrdiff_t>(g) * patch_lanes);
    for (int s = group.first_slot; s < group.first_slot + group.slots; ++s) {
      double* at = force + static_cast<std::ptrdiff_t>(s) * slot_rows;
      const LaneVec f = load3(at);
      const cones::Contact3<Double8> p = cones::project(cones::Contact3<Double8>{f.x, f.y, f.z}, group_mu);
      const LaneVec foot{p.n, p.t1, p.t2}, move = f - foot;
      largest = max(largest, dot(move, move));
      const auto keep = dot(foot, foot) >= dust_squared;
      store3({select(keep, foot.x, zero), select(keep, foot.y, zero), select(keep, foot.z, zero)}, at);
    }
  }
  return sqrt(max_lanes(largest));
}

}  // namespace

namespace entry::TRILITH_ISA_NAMESPACE {
extern const BodyGraphKernel body_graph_kernel = {form, apply, apply_transposed, weigh, project};
}  // namespace entry::TRILITH_ISA_NAMESPACE

}  // namespace trilith::solve
