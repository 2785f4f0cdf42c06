// The whole closed-form rung (rows, ordering, symbolic work, form, factor, solve, cone test) on running-bond walls against CHOLMOD's
// analyse and factor of the same matrix of full 6 x 6 blocks, in one run. Arguments: parts of case names (none: all). Exit code 1 where an
// answer is wrong.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstring>
#include <memory>
#include <string>
#include <vector>

#include "base/clock.h"
#include "base/isa.h"
#include "bench_support.h"
#include "cholmod_peer.h"
#include "constraints/contact_rows.h"
#include "linalg/fixed.h"
#include "solve/body_graph.h"
#include "solve/closed_form.h"

namespace trilith::bench {
namespace {

// ---------------------------------------------------------------------------------------------------------------- walls

struct Case {
  std::string name;
  model::Assembly assembly;
};

model::Block make_block(Vec3d centre, Vec3d size, bool fixed) {
  model::Block block;
  block.fixed = fixed;
  block.density = 2400;
  block.volume = size.x * size.y * size.z;
  block.mass = block.density * block.volume;
  block.com = centre;
  block.size = std::max({size.x, size.y, size.z});
  return block;
}

model::Interface make_interface(std::uint32_t a, std::uint32_t b, std::vector<Vec3d> polygon, Vec3d normal, Vec3d t1) {
  model::Interface interface;
  interface.a = a;
  interface.b = b;
  interface.polygon = std::move(polygon);
  interface.normal = normal;
  interface.t1 = t1;
  interface.t2 = cross(normal, t1);
  interface.mu = 0.84;
  return interface;
}

/// Courses of `columns` whole blocks (.25 x .125 x .125 m); every second course has a half block at both ends. Block 0 is the ground.
model::Assembly running_bond(int columns, int courses) {
  constexpr double length = .25, height = .125, depth = .125;
  model::Assembly wall;
  wall.gravity = {0, 0, -9.80665};
  const double width = columns * length;
  wall.blocks.push_back(make_block({width / 2, depth / 2, -height / 2}, {width, depth, height}, true));
  std::vector<double> below{0, width};
  std::uint32_t first_below = 0;
  for (int y = 0; y < courses; ++y) {
    const double z = y * height;
    std::vector<double> here;
    for (int i = 0; i <= columns; ++i) here.push_back(i * length);
    if (y % 2 == 1) {
      for (double& x : here) x = std::max(0.0, x - length / 2);
      here.push_back(width);
    }
    const auto first = static_cast<std::uint32_t>(wall.blocks.size());
    for (std::size_t i = 0; i + 1 < here.size(); ++i) {
      const double x0 = here[i], x1 = here[i + 1];
      const auto block = static_cast<std::uint32_t>(wall.blocks.size());
      wall.blocks.push_back(make_block({(x0 + x1) / 2, depth / 2, z + height / 2}, {x1 - x0, depth, height}, false));
      if (i > 0)
        wall.interfaces.push_back(make_interface(
            block - 1, block, {{x0, 0, z}, {x0, depth, z}, {x0, depth, z + height}, {x0, 0, z + height}}, {1, 0, 0}, {0, 1, 0}));
      for (std::size_t k = 0; k + 1 < below.size(); ++k) {
        const double left = std::max(x0, below[k]), right = std::min(x1, below[k + 1]);
        if (right - left < 1e-9) continue;
        wall.interfaces.push_back(make_interface(first_below + static_cast<std::uint32_t>(k), block,
                                                 {{left, 0, z}, {right, 0, z}, {right, depth, z}, {left, depth, z}}, {0, 0, 1}, {1, 0, 0}));
      }
    }
    below = here;
    first_below = first;
  }
  return wall;
}

/// Turns the wall, gravity too, by a rotation without zeros, so that its matrix has none either.
model::Assembly turned(model::Assembly wall) {
  const auto turn = [](Vec3d v) {
    const Vec3d u{0.2, 0.4, 0.4}, t = 2.0 * cross(u, v);
    return v + 0.8 * t + cross(u, t);
  };
  wall.gravity = turn(wall.gravity);
  for (model::Block& block : wall.blocks) block.com = turn(block.com);
  for (model::Interface& interface : wall.interfaces) {
    interface.normal = turn(interface.normal);
    interface.t1 = turn(interface.t1);
    interface.t2 = turn(interface.t2);
    for (Vec3d& p : interface.polygon) p = turn(p);
  }
  return wall;
}

// ------------------------------------------------------------------------------------------------------------- measuring

double smallest(const std::vector<double>& v) { return *std::min_element(v.begin(), v.end()); }
double median(std::vector<double> v) {
  std::nth_element(v.begin(), v.begin() + static_cast<std::ptrdiff_t>(v.size() / 2), v.end());
  return v[v.size() / 2];
}

/// CPU seconds of the stages, one entry per repetition.
struct Stages {
  std::vector<double> rows, plan, form, factor, rest, total;
};

struct Answer {
  solve::ForceReport report;
  double imbalance = 0;  ///< measured here, in world axes, N, over the mean block weight
};

/// The balance of every block added up again from forces in N, without the library's operators.
double measure_imbalance(const model::Assembly& wall, const constraints::ContactRows& contacts, const std::vector<double>& force) {
  std::vector<Vec3d> world(static_cast<std::size_t>(contacts.first_vertex.back())), sum(wall.blocks.size()), moment(wall.blocks.size());
  constraints::write_world_forces(contacts, wall, force, world);
  for (std::size_t i = 0; i < wall.blocks.size(); ++i) sum[i] = wall.blocks[i].mass * wall.gravity;
  for (std::size_t i = 0; i < wall.interfaces.size(); ++i) {
    const model::Interface& face = wall.interfaces[i];
    for (std::size_t k = 0; k < face.polygon.size(); ++k) {
      const Vec3d f = world[static_cast<std::size_t>(contacts.first_vertex[i]) + k];
      sum[face.b] = sum[face.b] + f;
      sum[face.a] = sum[face.a] - f;
      moment[face.b] = moment[face.b] + cross(face.polygon[k] - wall.blocks[face.b].com, f);
      moment[face.a] = moment[face.a] - cross(face.polygon[k] - wall.blocks[face.a].com, f);
    }
  }
  double worst = 0;
  for (std::size_t i = 0; i < wall.blocks.size(); ++i)
    if (!wall.blocks[i].fixed) worst = std::max({worst, norm(sum[i]), norm(moment[i]) / contacts.length_m});
  return worst / contacts.weight_N;
}

Answer run_rung(const model::Assembly& wall, bool check, Stages& stages) {
  Answer answer;
  const double start = thread_cpu_seconds();
  const constraints::ContactRows contacts = constraints::make_contact_rows(wall);
  const double rows = thread_cpu_seconds();
  solve::BodyGraph system(contacts.rows);
  const double plan = thread_cpu_seconds();
  system.set_weights({});
  const double form = thread_cpu_seconds();
  const linalg::FactorReport factor_report = system.factor();
  const double factor = thread_cpu_seconds();
  solve::ClosedForm rung(contacts.rows);
  std::vector<double> force(contacts.rows.size());
  answer.report = rung.propose({contacts.rows, contacts.load}, system, false, force);
  const double end = thread_cpu_seconds();
  answer.report.factor = factor_report;
  stages.rows.push_back(rows - start);
  stages.plan.push_back(plan - rows);
  stages.form.push_back(form - plan);
  stages.factor.push_back(factor - form);
  stages.rest.push_back(end - factor);
  stages.total.push_back(end - start);
  if (check) answer.imbalance = measure_imbalance(wall, contacts, force);
  return answer;
}

// ----------------------------------------------------------------------------------------------------------------- cases

/// Ours and the peers in turn, so that a busy machine slows all alike. False where the answer is wrong.
bool run_case(const Case& c) {
  const constraints::ContactRows contacts = constraints::make_contact_rows(c.assembly);
  const int bodies = contacts.rows.blocks();
  const int repetitions = std::clamp(60000 / std::max(1, bodies), 5, 400);
  std::printf("%s: %d free blocks, %d interfaces, %d contact points, %d repetitions\n", c.name.c_str(), bodies, contacts.rows.patches(),
              contacts.rows.points(), repetitions);
  Stages stages;
  Answer answer;
  CholmodPeer peer(contacts);
  for (int i = 0; i < repetitions; ++i) {
    const Answer now = run_rung(c.assembly, i == 0, stages);
    if (i == 0) answer = now;
    peer.run();
  }
  std::printf("  ours              min %9.6f  median %9.6f   rows %.6f plan %.6f form %.6f factor %.6f solve+cones %.6f\n",
              smallest(stages.total), median(stages.total), smallest(stages.rows), smallest(stages.plan), smallest(stages.form),
              smallest(stages.factor), smallest(stages.rest));
  std::printf("  status %s, projections %d, residual %.1e, imbalance in N over the mean weight %.1e, smallest pivot ratio %.1e\n",
              std::string(name(answer.report.status)).c_str(), answer.report.iterations, answer.report.residual, answer.imbalance,
              answer.report.factor.smallest_pivot_ratio);
  double best_median = 1e300;
  for (const CholmodWay& way : peer.ways()) {
    std::printf("  CHOLMOD %-17s min %9.6f  median %9.6f\n", way.label, smallest(way.total), median(way.total));
    best_median = std::min(best_median, median(way.total));
  }
  if (!peer.ways().empty())
    std::printf("  ratio to the best CHOLMOD: min %.3f, median %.3f\n", smallest(stages.total) / peer.best(),
                median(stages.total) / best_median);
  const bool right = answer.report.status == SolveStatus::solved && answer.imbalance < 1e-8;
  if (!right) std::printf("  WRONG ANSWER\n");
  return right;
}

int run_all(int argc, char** argv) {
  choose_blas_kernels(argv);
  std::printf("kernels: %s\n", std::string(name(active_isa())).c_str());
  (void)announce_cholmod();
  const struct {
    const char* name;
    int columns, courses;
  } walls[] = {{"wall54", 7, 3}, {"wall95", 7, 5}, {"wall150", 9, 6}, {"wall1020", 25, 40}, {"wall10050", 100, 100}};
  bool right = true;
  for (const auto& wall : walls)
    for (const bool rotated : {false, true}) {
      Case c{wall.name, {}};
      if (rotated) c.name += "_rotated";
      bool wanted = argc < 2;
      for (int i = 1; i < argc; ++i) wanted = wanted || c.name.find(argv[i]) != std::string::npos;
      if (!wanted) continue;
      c.assembly = running_bond(wall.columns, wall.courses);
      if (rotated) c.assembly = turned(std::move(c.assembly));
      right = run_case(c) && right;
    }
  return right ? 0 : 1;
}

}  // namespace
}  // namespace trilith::bench

int main(int argc, char** argv) { return trilith::bench::run_all(argc, argv); }
