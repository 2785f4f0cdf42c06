#include "solve/latched_descent.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "recorded_program.h"
#include "support/allocation.h"
#include "support/random.h"
#include "support/shared_data.h"

namespace trilith::solve {
namespace {

/// A program whose elliptic contacts are taken apart: written from the definition, apart from constraints/latched_rows.
struct Latched {
  explicit Latched(const Program& given) : program(given) {
    program.groups.clear(), program.parameters.clear();
    storage.reserve(3 * given.groups.size());
    std::size_t discs = 0;
    for (const rows::RowGroup& group : given.groups)
      if (group.set == rows::SetKind::elliptic) discs += group.block > 4 ? 3 : group.block > 3 ? 2 : 1;
    radius.resize(discs);
    for (std::size_t g = 0; g < given.groups.size(); ++g) {
      const rows::RowGroup& group = given.groups[g];
      if (group.set == rows::SetKind::elliptic) {
        take_apart(group, given);
      } else {
        program.groups.push_back(group);
        program.parameters.push_back(given.parameters[g]);
      }
    }
  }
  FrictionLatches latches() { return {normal, R, owner, coefficient, radius}; }

  Program program;
  std::vector<std::vector<double>> storage;
  std::vector<std::int32_t> normal, owner;
  std::vector<double> R, coefficient, radius;

 private:
  void add(rows::SetKind set, std::int32_t first, std::int32_t count, const Program& given) {
    rows::RowGroup& group = program.groups.emplace_back();
    group.name = "rows", group.unit = "m/s^2", group.set = set, group.mechanism = rows::Mechanism::respond;
    group.first = first, group.count = group.block = count;
    program.parameters.emplace_back().R = std::span(given.R).subspan(static_cast<std::size_t>(first), static_cast<std::size_t>(count));
  }
  void take_apart(const rows::RowGroup& contact, const Program& given) {
    add(rows::SetKind::nonnegative, contact.first, 1, given);
    normal.push_back(contact.first);
    R.push_back(given.R[static_cast<std::size_t>(contact.first)]);
    for (std::int32_t k = 1; k < contact.block;) {
      const std::int32_t size = k == 3 ? 1 : 2;
      const auto mu = contact.mu.subspan(static_cast<std::size_t>(k - 1), static_cast<std::size_t>(size));
      const bool round = size == 1 || mu[0] == mu[1];
      add(round ? rows::SetKind::disc : rows::SetKind::ellipse, contact.first + k, size, given);
      if (!round) program.groups.back().mu = storage.emplace_back(mu.begin(), mu.end());
      program.groups.back().radius = std::span<const double>(radius).subspan(coefficient.size(), 1);
      owner.push_back(static_cast<std::int32_t>(normal.size()) - 1);
      coefficient.push_back(round ? mu[0] : 1);
      k += size;
    }
  }
};

constexpr LatchSettings tight{.descent = {.tolerance = 1e-13}, .gap_tolerance = 1e-12};

struct Answer {
  LatchReport report;
  std::vector<double> x, force;
};

Answer solve(Latched& latched, const LatchSettings& settings = tight) {
  const Program& p = latched.program;
  RowSystem system(room_of(p));
  EXPECT_TRUE(system.update({p.P(), {p.p_start, p.p_column, p.l_value}}, p.G(), p.groups));
  LatchedDescent descent(p.unknowns, p.shift.size(), latched.normal.size(), settings);
  Answer answer{{}, p.center, {}};
  const SoftProgram view = p.view();
  const FrictionLatches latches = latched.latches();
  answer.report = descent.solve(view, latches, system, {}, answer.x);
  answer.force.assign(descent.force().begin(), descent.force().end());
  return answer;
}

/// A body of 2 kg pressed onto a floor and pushed sideways: unknowns (up, along, across).
Program pushed_body(double push) {
  Program p;
  p.set_P({{2, 0, 0}, {0, 2, 0}, {0, 0, 2}});
  p.center = {-9.81, push / 2, 0};
  p.shift = {0, 0, 0};
  p.R = {0.1, 0.05, 0.05};
  p.add_row({1, 0, 0});
  p.add_row({0, 1, 0});
  p.add_row({0, 0, 1});
  p.numbers = {{0.5, 0.5}};
  p.add_group(rows::SetKind::elliptic, 0, 3, 3).mu = p.numbers[0];
  return p;
}

TEST(LatchedDescentTest, PushesDoNotChangeTheNormalForceAndFrictionEndsAtItsBound) {
  const double normal = 9.81 / (0.1 + 0.5);  // f = -R^-1 (a + f / m)
  for (const double push : {0.0, 1.0, 6.0, 20.0, 500.0}) {
    const Program p = pushed_body(push);
    Latched latched(p);
    const Answer answer = solve(latched);
    EXPECT_EQ(answer.report.descent.status, SolveStatus::solved);
    EXPECT_NEAR(answer.force[0], normal, 1e-10);
    const double stick = -push / 2 / (0.05 + 0.5);
    EXPECT_NEAR(answer.force[1], std::max(stick, -0.5 * normal), 1e-10) << push;
  }
}

TEST(LatchedDescentTest, NothingIsAllocated) {
  const Program p = pushed_body(20);
  Latched latched(p);
  RowSystem system(room_of(p));
  ASSERT_TRUE(system.update({p.P(), {p.p_start, p.p_column, p.l_value}}, p.G(), latched.program.groups));
  LatchedDescent descent(p.unknowns, 3, 1, tight);
  std::vector<double> x = p.center;
  const SoftProgram view = latched.program.view();
  const FrictionLatches latches = latched.latches();
  const test::AllocationCount count;
  const LatchReport report = descent.solve(view, latches, system, {}, x);
  EXPECT_EQ(count.delta(), 0);
  EXPECT_GT(report.rounds, 0);
}

TEST(LatchedDescentTest, RoundsEndAtTheirLimit) {
  const Program p = pushed_body(500);
  Latched latched(p);
  const Answer answer = solve(latched, {.descent = {.tolerance = 1e-13}, .gap_tolerance = -1, .round_limit = 3});
  EXPECT_EQ(answer.report.descent.status, SolveStatus::iteration_limit);
  EXPECT_EQ(answer.report.rounds, 3);
}

double worst_of(const std::vector<double>& ours, const std::vector<double>& theirs) {
  double size = 1, error = 0;
  for (std::size_t i = 0; i < theirs.size(); ++i)
    size = std::max(size, std::abs(theirs[i])), error = std::max(error, std::abs(ours[i] - theirs[i]));
  return error / size;
}

TEST(LatchedDescentTest, RecordedRowsGiveTheRecordedFixedPoint) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const auto folder = *shared / "reference" / "dynamics";
  const io::Json points = test::read_json_file(folder / "open" / "signorini_fixed_points.json");
  int states = 0, rounds = 0, factorizations = 0, most_rounds = 0;
  double worst = 0, worst_force = 0;
  for (const io::Json& point : *points.find("results")->array()) {
    const io::Json dump = test::read_json_file(folder / *point.find("file")->string());
    for (const io::Json& snapshot : *dump.find("snapshots")->array()) {
      if (*snapshot.find("step")->number() != *point.find("step")->number()) continue;
      const Program p = recorded_program(snapshot, *dump.find("compiled"));
      Latched latched(p);
      const Answer answer = solve(latched);
      EXPECT_EQ(answer.report.descent.status, SolveStatus::solved) << *point.find("file")->string();
      const double a = worst_of(answer.x, test::numbers(point.find("qacc")));
      const double f = worst_of(answer.force, test::numbers(point.find("efc_force")));
      EXPECT_LT(a, 1e-8) << *point.find("file")->string() << " step " << *point.find("step")->number();
      EXPECT_LT(f, 1e-7) << *point.find("file")->string();
      worst = std::max(worst, a), worst_force = std::max(worst_force, f);
      rounds += answer.report.rounds, factorizations += answer.report.descent.factorizations;
      most_rounds = std::max(most_rounds, answer.report.rounds);
      ++states;
    }
  }
  EXPECT_GE(states, 60);
  std::printf("%d states, worst acceleration %.1e, force %.1e; %d rounds (at most %d), %d factorizations\n", states, worst, worst_force,
              rounds, most_rounds, factorizations);
}

}  // namespace
}  // namespace trilith::solve
