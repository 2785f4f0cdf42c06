// Time of the contacts of 1,000 pairs of shapes, beside MuJoCo (whole collision pass of a model of two shapes, so with its overhead);
// and of the broad phase of a pile. Every line checks its own answers. Load makes figures of one line comparable only with its peers.
#include <cmath>
#include <cstdio>
#include <random>
#include <string>
#include <vector>

#include "bench_support.h"
#include "geom/broad_phase.h"
#include "geom/collide.h"
#include "geom/convex_mesh.h"
#include "linalg/fixed.h"

#ifdef TRILITH_HAVE_MUJOCO
#include "geom/mujoco_peer.h"
#endif

namespace {

using trilith::Posed;
using trilith::Vec3d;
using trilith::bench::least_time;
using trilith::bench::Table;
using trilith::geom::ContactPoint;
using trilith::geom::Shape;
using trilith::geom::ShapeKind;

struct Pair {
  Shape a, b;
  Posed A, B;
};

class Draw {
 public:
  double uniform(double low, double high) { return std::uniform_real_distribution<double>(low, high)(engine_); }
  Vec3d gauss() {
    const double x = normal_(engine_), y = normal_(engine_), z = normal_(engine_);
    return {x, y, z};
  }
  Vec3d direction() { return trilith::unit(gauss()); }
  Vec3d size() {
    const double x = uniform(0.05, 0.3), y = uniform(0.05, 0.3), z = uniform(0.05, 0.3);
    return {x, y, z};
  }
  trilith::Mat3d rotation() {
    const Vec3d x = direction(), y = trilith::unit(trilith::cross(x, direction()));
    return trilith::from_columns(x, y, trilith::cross(x, y));
  }

 private:
  std::mt19937_64 engine_{7};
  std::normal_distribution<double> normal_;
};

std::vector<Pair> make_pairs(ShapeKind a, ShapeKind b, const trilith::geom::ConvexMesh& mesh, int count) {
  Draw draw;
  std::vector<Pair> pairs;
  ContactPoint room[8];
  while (static_cast<int>(pairs.size()) < count) {
    Pair p{{a, draw.size(), &mesh, nullptr},
           {b, draw.size(), &mesh, nullptr},
           {draw.rotation(), {0, 0, 0}},
           {draw.rotation(), 0.25 * draw.gauss()}};
    // shallow contacts, as in a simulation
    const auto found = trilith::geom::collide(p.a, p.A, p.b, p.B, 0, room);
    if (found.count == 0) continue;
    double least = 0;
    for (int k = 0; k < found.count; ++k) least = std::min(least, room[k].distance);
    if (least > -0.01) pairs.push_back(p);
  }
  return pairs;
}

double time_ours(const std::vector<Pair>& pairs) {
  return least_time(50, 0.5,
                    [&] {
                      ContactPoint room[8];
                      int touching = 0;
                      for (const Pair& p : pairs) touching += trilith::geom::collide(p.a, p.A, p.b, p.B, 0, room).count > 0 ? 1 : 0;
                      return touching == static_cast<int>(pairs.size());
                    })
             .cpu /
         static_cast<double>(pairs.size()) * 1000;
}

#ifdef TRILITH_HAVE_MUJOCO
double time_mujoco(const std::vector<Pair>& pairs, const trilith::geom::ConvexMesh& mesh) {
  std::string asset = "<asset><mesh name='m' vertex='";
  for (const Vec3d& p : mesh.vertices()) asset += std::to_string(p.x) + " " + std::to_string(p.y) + " " + std::to_string(p.z) + " ";
  trilith::test::MujocoPair peer(pairs[0].a.kind, pairs[0].b.kind, asset + "'/></asset>");
  if (!peer.ok()) return 0;
  return least_time(50, 0.5,
                    [&] {
                      int touching = 0;
                      for (const Pair& p : pairs) touching += peer.count_contacts({p.a, p.A}, {p.b, p.B}) > 0 ? 1 : 0;
                      return touching > static_cast<int>(pairs.size()) / 2;
                    })
             .cpu /
         static_cast<double>(pairs.size()) * 1000;
}
#endif

void time_pairs(Table& table, ShapeKind a, ShapeKind b, const char* what) {
  Draw draw;
  std::vector<Vec3d> points;
  for (int i = 0; i < 40; ++i) points.push_back(0.2 * draw.direction());
  const auto mesh = trilith::geom::make_convex_mesh(points);
  const std::vector<Pair> pairs = make_pairs(a, b, *mesh, 300);
  double peer = 0;
#ifdef TRILITH_HAVE_MUJOCO
  peer = time_mujoco(pairs, *mesh);
#endif
  table.time(what, time_ours(pairs), 0, peer, "MuJoCo 2.2.2, one pass");
}

void time_broad_phase(Table& table) {
  Draw draw;
  std::vector<trilith::geom::Aabb> boxes;
  for (int i = 0; i < 10000; ++i) {
    const Vec3d low{draw.uniform(0, 3), draw.uniform(0, 3), draw.uniform(0, 2)};
    boxes.push_back({low, low + Vec3d{draw.uniform(0.08, 0.15), draw.uniform(0.08, 0.15), draw.uniform(0.08, 0.15)}});
  }
  trilith::geom::BroadPhase phase;
  trilith::geom::BroadPhase::Pairs pairs;
  const auto all = trilith::geom::find_touching_pairs(boxes, 1);
  const double ours = least_time(20, 1, [&] {
                        phase.find_pairs(boxes, pairs);
                        return pairs == all;
                      }).cpu;
  const double tree = least_time(20, 1, [&] { return trilith::geom::find_touching_pairs(boxes, 1) == all; }).cpu;
  table.time("10,000 boxes of a pile", ours, 0, tree, "box tree; " + std::to_string(all.size()) + " pairs");
}

}  // namespace

int main() {
  Table table;
  table.head("contacts of 1,000 pairs");
#ifndef TRILITH_HAVE_MUJOCO
  std::puts("MuJoCo is absent: no peer");
#endif
  time_pairs(table, ShapeKind::box, ShapeKind::box, "box, box");
  time_pairs(table, ShapeKind::capsule, ShapeKind::box, "capsule, box");
  time_pairs(table, ShapeKind::capsule, ShapeKind::capsule, "capsule, capsule");
  time_pairs(table, ShapeKind::cylinder, ShapeKind::box, "cylinder, box");
  time_pairs(table, ShapeKind::ellipsoid, ShapeKind::box, "ellipsoid, box");
  time_pairs(table, ShapeKind::box, ShapeKind::mesh, "box, mesh of 40 corners");
  time_pairs(table, ShapeKind::mesh, ShapeKind::mesh, "two meshes of 40 corners");
  time_broad_phase(table);
  return table.wrong() ? 1 : 0;
}
