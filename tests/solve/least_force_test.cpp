// Forces of least cost on hand-made assemblies, and a plain outside scheme as reference.
#include "solve/least_force.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "assemblies.h"
#include "constraints/contact_rows.h"
#include "solve/body_graph.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

/// Rows, cones and system of an assembly.
struct Posed {
  explicit Posed(const model::Assembly& assembly, bool pyramids = true) : contacts(constraints::make_contact_rows(assembly)) {
    place = list_places(contacts.rows);
    mu.assign(place.size(), pyramids ? faces.effective_mu(0.84, cones::PyramidFit::inscribed) : 0.84);
    cone.name = "contact force";
    cone.set = pyramids ? rows::SetKind::pyramid : rows::SetKind::friction_cone;
    cone.block = 3;
    cone.count = 3 * static_cast<std::int32_t>(mu.size());
    cone.mu = mu;
    cone.faces = &faces;
  }
  LeastForceProblem problem(bool pulling = false) const { return {contacts.rows, contacts.load, place, cone, {1, 1e3, 1}, pulling}; }

  constraints::ContactRows contacts;
  cones::PyramidFaces faces = cones::make_pyramid_faces(8).value();
  std::vector<std::size_t> place;
  std::vector<double> mu;
  rows::RowGroup cone;
};

LeastForceReport solve(const Posed& posed, std::vector<double>& force, bool pulling = false) {
  BodyGraphSettings settings;
  settings.factor.pivot_tolerance = 1e-16;
  BodyGraph bodies(posed.contacts.rows, settings);
  LeastForce newton(posed.problem(pulling));
  std::vector<double> y(posed.contacts.load.size(), 0.0);
  const LeastForceReport report = newton.solve(bodies, {}, y);
  force.assign(newton.force().begin(), newton.force().end());
  return report;
}

TEST(LeastForceTest, AStackNeedsOneStepAndIsTheClosedForm) {
  const Posed posed(test::stack(1, 0));
  std::vector<double> force;
  const LeastForceReport report = solve(posed, force);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_LE(report.iterations, 2);
  for (const std::size_t at : posed.place) EXPECT_NEAR(force[at], 0.25, 1e-9);
  EXPECT_NEAR(report.value, 0.5 * 4 * 0.25 * 0.25, 1e-9);
}

TEST(LeastForceTest, AnArchStandsInBothConesAndCostsLessInTheWiderOne) {
  std::vector<double> force;
  const LeastForceReport pyramid = solve(Posed(test::arch(16, 0.2)), force), cone = solve(Posed(test::arch(16, 0.2), false), force);
  ASSERT_EQ(pyramid.status, SolveStatus::solved);
  ASSERT_EQ(cone.status, SolveStatus::solved);
  EXPECT_LE(cone.value, pyramid.value * (1 + 1e-9));
  EXPECT_LE(pyramid.residual, 1e-10);
}

TEST(LeastForceTest, WhatFallsHasARayAndWithPullAState) {
  const Posed posed(test::arch(16, 0.08));
  std::vector<double> force;
  const LeastForceReport net = solve(posed, force), pulled = solve(posed, force, true);
  EXPECT_EQ(net.status, SolveStatus::primal_infeasible);
  EXPECT_GE(net.force_factor, LeastForceSettings{}.least_force_factor);
  EXPECT_EQ(pulled.status, SolveStatus::solved);
}

TEST(LeastForceTest, ASolveDoesNotAllocateAndRepeatsItsBits) {
  const Posed posed(test::arch(16, 0.2));
  BodyGraph bodies(posed.contacts.rows);
  LeastForce newton(posed.problem());
  std::vector<double> y(posed.contacts.load.size(), 0.0), first;
  (void)newton.solve(bodies, {}, y);
  first = y;
  std::fill(y.begin(), y.end(), 0.0);
  const test::AllocationCount heap;
  (void)newton.solve(bodies, {}, y);
  EXPECT_EQ(heap.delta(), 0);
  EXPECT_EQ(first, y);
}

/// Dykstra's alternating projections onto the rows of  a'x = b  and  a'x <= 0, each with its own correction, as an outside reference: the
/// nearest point to zero of all of them. `unit_rows`: takes every row for one of length 1. Returns the largest misfit of an equality after
/// `sweeps`.
double run_dykstra(const std::vector<std::vector<double>>& rows, const std::vector<double>& b, std::size_t equalities, int sweeps,
                   bool unit_rows, std::vector<double>& x) {
  std::vector<double> correction(rows.size(), 0.0);
  for (int sweep = 0; sweep < sweeps; ++sweep)
    for (std::size_t i = 0; i < rows.size(); ++i) {
      double value = -b[i], squared = 0;
      for (std::size_t j = 0; j < x.size(); ++j) value += rows[i][j] * x[j], squared += rows[i][j] * rows[i][j];
      double step = value / (unit_rows ? 1 : squared) + correction[i];
      if (i >= equalities && step < 0) step = 0;
      const double move = step - correction[i];
      correction[i] = step;
      for (std::size_t j = 0; j < x.size(); ++j) x[j] -= move * rows[i][j];
    }
  double worst = 0;
  for (std::size_t i = 0; i < equalities; ++i) {
    double value = -b[i];
    for (std::size_t j = 0; j < x.size(); ++j) value += rows[i][j] * x[j];
    if (!(std::abs(value) <= worst)) worst = value == value ? std::abs(value) : std::numeric_limits<double>::infinity();
  }
  return worst;
}

/// Rows of a problem over (n, t1, t2) of every point: equilibrium, then pyramid faces. `moment`: unit of the moment rows.
void write_rows(const Posed& posed, double moment, std::vector<std::vector<double>>& rows, std::vector<double>& b) {
  const std::size_t points = posed.place.size(), equalities = posed.contacts.load.size();
  rows.assign(equalities + 8 * points, std::vector<double>(3 * points, 0.0));
  b.assign(rows.size(), 0.0);
  const BodyGraph bodies(posed.contacts.rows);
  std::vector<double> lanes(posed.contacts.rows.size(), 0.0), wrench(equalities);
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t c = 0; c < 3; ++c) {
      lanes[posed.place[p] + c * rows::patch_lanes] = 1;
      bodies.apply_transposed(lanes, wrench);
      lanes[posed.place[p] + c * rows::patch_lanes] = 0;
      for (std::size_t i = 0; i < equalities; ++i) rows[i][3 * p + c] = wrench[i] * (i % 6 < 3 ? 1 : moment);
    }
  for (std::size_t i = 0; i < equalities; ++i) b[i] = posed.contacts.load[i] * (i % 6 < 3 ? 1 : moment);
  for (std::size_t p = 0; p < points; ++p)
    for (std::size_t k = 0; k < 8; ++k) {
      std::vector<double>& row = rows[equalities + 8 * p + k];
      row[3 * p] = -posed.mu[p];
      row[3 * p + 1] = posed.faces.cosine()[k];
      row[3 * p + 2] = posed.faces.sine()[k];
    }
}

TEST(LeastForceTest, DykstrasSchemeAgreesButRunsAwayOnRowsOfMixedScaleWhereOursDoesNot) {
  const Posed arch(test::arch(16, 0.2));
  const std::size_t equalities = arch.contacts.load.size();
  std::vector<double> force;
  const LeastForceReport report = solve(arch, force);
  ASSERT_EQ(report.status, SolveStatus::solved);
  EXPECT_LT(report.residual, 1e-10);

  // with every row divided by its length it creeps to the same forces, whatever the unit of the moments
  std::vector<std::vector<double>> rows;
  std::vector<double> b;
  for (const double moment : {1.0, 1e-3}) {
    write_rows(arch, moment, rows, b);
    std::vector<double> x(3 * arch.place.size(), 0.0);
    EXPECT_LT(run_dykstra(rows, b, equalities, 2500, false, x), 1e-6);
    for (std::size_t p = 0; p < arch.place.size(); ++p) EXPECT_NEAR(x[3 * p], force[arch.place[p]], 1e-5);
  }

  // with rows taken as they are, moments in millimetres, it leaves all bounds within a few sweeps
  write_rows(arch, 1e3, rows, b);
  std::vector<double> x(3 * arch.place.size(), 0.0);
  EXPECT_GT(run_dykstra(rows, b, equalities, 20, true, x), 1e60);
}

}  // namespace
}  // namespace trilith::solve
