#include "osqp_peer.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <vector>

#include "base/clock.h"
#include "solve/body_graph.h"
#ifdef TRILITH_HAVE_OSQP
#include <osqp.h>
#endif

namespace trilith::bench {

#ifdef TRILITH_HAVE_OSQP

namespace {

constexpr int faces = 8;
constexpr double pi = 3.14159265358979323846;

/// Columns of a sparse matrix, entry by entry.
struct Columns {
  std::vector<OSQPInt> start{0}, row;
  std::vector<OSQPFloat> value;

  void put(int r, double v) {
    if (v == 0) return;
    row.push_back(static_cast<OSQPInt>(r));
    value.push_back(v);
  }
  void end_column() { start.push_back(static_cast<OSQPInt>(row.size())); }
  OSQPCscMatrix* view(int rows) {
    return OSQPCscMatrix_new(rows, static_cast<OSQPInt>(start.size()) - 1, static_cast<OSQPInt>(row.size()), value.data(), row.data(),
                             start.data());
  }
};

/// Wrench of a unit force along component `c` at a point of a patch on one of its bodies.
void put_wrench(const rows::PatchGroup& group, const rows::PatchSlot& slot, int lane, int c, bool on_b, Columns& columns) {
  const int body = on_b ? group.block_b[lane] : group.block_a[lane];
  if (body < 0) return;
  const auto turned = [&](int r, int k) { return group.axes[3 * r + k][lane]; };
  const auto& arm = on_b ? group.arm_b : group.arm_a;
  Vec3d force{turned(0, c), turned(1, c), turned(2, c)}, at;
  double* const place[3] = {&at.x, &at.y, &at.z};
  for (int r = 0; r < 3; ++r) {
    *place[r] = arm[r][lane];
    for (int k = 0; k < 3; ++k) *place[r] += turned(r, k) * slot.at[k][lane];
  }
  if (!on_b) force = -1.0 * force;
  const Vec3d moment = cross(at, force);
  const double w[6] = {force.x, force.y, force.z, moment.x, moment.y, moment.z};
  for (int r = 0; r < 6; ++r) columns.put(6 * body + r, w[r]);
}

/// Equilibrium rows, then per vertex `faces` pyramid rows and one for the normal.
struct Program {
  Columns quadratic, constraint;
  std::vector<OSQPFloat> lower, upper, linear;
};

void put_point(const rows::PatchGroup& group, const rows::PatchSlot& slot, int lane, int first_row, Program& program) {
  const double mu = group.mu[lane] * std::cos(pi / faces);
  for (int c = 0; c < 3; ++c) {
    const int variable = static_cast<int>(program.linear.size());
    program.linear.push_back(0);
    program.quadratic.put(variable, 1);
    program.quadratic.end_column();
    put_wrench(group, slot, lane, c, false, program.constraint);
    put_wrench(group, slot, lane, c, true, program.constraint);
    for (int k = 0; k < faces; ++k) {
      const double part[3] = {-mu, std::cos(2 * pi * k / faces), std::sin(2 * pi * k / faces)};
      program.constraint.put(first_row + k, part[c]);
    }
    if (c == 0) program.constraint.put(first_row + faces, 1);
    program.constraint.end_column();
  }
  for (int k = 0; k <= faces; ++k) {
    program.lower.push_back(k < faces ? -OSQP_INFTY : 0);
    program.upper.push_back(k < faces ? 0 : OSQP_INFTY);
  }
}

Program make_program(const constraints::ContactRows& contacts) {
  Program program;
  program.lower = program.upper = contacts.load;
  for (const rows::PatchGroup& group : contacts.rows.groups())
    for (int s = 0; s < group.slots; ++s) {
      const rows::PatchSlot& slot = contacts.rows.slots()[static_cast<std::size_t>(group.first_slot + s)];
      for (int lane = 0; lane < rows::patch_lanes; ++lane)
        if (slot.used[lane] != 0) put_point(group, slot, lane, static_cast<int>(program.lower.size()), program);
    }
  return program;
}

double worst_imbalance(const Program& program, const std::vector<double>& load, const OSQPFloat* x) {
  std::vector<double> left(load);
  for (std::size_t c = 0; c + 1 < program.constraint.start.size(); ++c)
    for (auto k = static_cast<std::size_t>(program.constraint.start[c]); k < static_cast<std::size_t>(program.constraint.start[c + 1]);
         ++k) {
      const auto row = static_cast<std::size_t>(program.constraint.row[k]);
      if (row < left.size()) left[row] -= program.constraint.value[k] * x[c];
    }
  double worst = 0;
  for (const double v : left) worst = std::max(worst, std::abs(v));
  return worst;
}

}  // namespace

bool announce_osqp() {
  std::printf("OSQP %s with its own linear solver QDLDL, one thread\n", osqp_version());
  return true;
}

OsqpAnswer run_osqp(const constraints::ContactRows& contacts, double tolerance, double limit_s) {
  Program program = make_program(contacts);
  const auto variables = static_cast<OSQPInt>(program.linear.size()), rows = static_cast<OSQPInt>(program.lower.size());
  OSQPCscMatrix* p = program.quadratic.view(variables);
  OSQPCscMatrix* a = program.constraint.view(rows);
  OSQPSettings settings;
  osqp_set_default_settings(&settings);
  settings.verbose = 0;
  settings.eps_abs = settings.eps_rel = settings.eps_prim_inf = settings.eps_dual_inf = tolerance;
  settings.max_iter = 1000000;
  settings.time_limit = limit_s;

  OsqpAnswer answer;
  OSQPSolver* solver = nullptr;
  const double start = thread_cpu_seconds();
  const OSQPInt failed =
      osqp_setup(&solver, p, program.linear.data(), a, program.lower.data(), program.upper.data(), rows, variables, &settings);
  if (failed == 0) (void)osqp_solve(solver);
  answer.cpu_s = thread_cpu_seconds() - start;
  answer.status = failed == 0 ? solver->info->status : "set up failed";
  if (failed == 0) {
    answer.iterations = static_cast<int>(solver->info->iter);
    answer.finished = solver->info->status_val == OSQP_SOLVED || solver->info->status_val == OSQP_PRIMAL_INFEASIBLE;
    if (solver->info->status_val == OSQP_SOLVED) answer.imbalance = worst_imbalance(program, contacts.load, solver->solution->x);
  }
  osqp_cleanup(solver);
  OSQPCscMatrix_free(p);
  OSQPCscMatrix_free(a);
  return answer;
}

#else

bool announce_osqp() {
  std::printf("OSQP is absent ($TRILITH_PEERS holds no osqp.h and libosqp): no peer\n");
  return false;
}

OsqpAnswer run_osqp(const constraints::ContactRows&, double, double) { return {"absent"}; }

#endif

}  // namespace trilith::bench
