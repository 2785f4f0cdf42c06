#include "solve/body_graph.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "assemblies.h"
#include "base/hash.h"
#include "constraints/contact_rows.h"
#include "dense_rows.h"
#include "support/allocation.h"

namespace trilith::solve {
namespace {

using test::DenseRows;
using test::OwnedPatch;
using test::Random;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
  EXPECT_EQ(a.size(), b.size());
  double worst = 0;
  for (std::size_t i = 0; i < a.size(); ++i) worst = std::max(worst, std::abs(a[i] - b[i]));
  return worst;
}

// weights per point as full 3 x 3 matrices, in the order of points, and the same in lanes (6 per point)
struct PointWeights {
  std::vector<Mat3d> full;
  std::vector<double> lanes;
};
PointWeights random_weights(const rows::PatchRows& rows, Random& random) {
  PointWeights w{{}, std::vector<double>(2 * rows.size(), 0.0)};
  for (int patch = 0; patch < rows.patches(); ++patch)
    for (int point = 0; point < rows.points_of(patch); ++point) {
      const Vec3d a = test::uniform_vector(random), b = test::uniform_vector(random);  // a a' + b b' + 1
      const double m[6] = {1 + a.x * a.x + b.x * b.x, a.x * a.y + b.x * b.y, a.x * a.z + b.x * b.z,
                           1 + a.y * a.y + b.y * b.y, a.y * a.z + b.y * b.z, 1 + a.z * a.z + b.z * b.z};
      w.full.push_back({{m[0], m[1], m[2], m[1], m[3], m[4], m[2], m[4], m[5]}});
      const std::size_t row = rows.row(patch, point), slot = row / rows::slot_rows, lane = row % rows::patch_lanes;
      for (std::size_t i = 0; i < 6; ++i) w.lanes[(slot * 6 + i) * rows::patch_lanes + lane] = m[i];
    }
  return w;
}

// A C A' entry by entry
std::vector<double> dense_matrix(const DenseRows& a, const std::vector<Mat3d>& weight) {
  const auto n = static_cast<std::size_t>(a.rows);
  std::vector<double> m(n * n, 0.0);
  for (int p = 0; p < a.columns / 3; ++p)
    for (int i = 0; i < a.rows; ++i)
      for (int j = 0; j < a.rows; ++j)
        for (int k = 0; k < 3; ++k)
          for (int l = 0; l < 3; ++l)
            m[static_cast<std::size_t>(i) * n + static_cast<std::size_t>(j)] +=
                a.at(i, 3 * p + k) * weight[static_cast<std::size_t>(p)].m[3 * k + l] * a.at(j, 3 * p + l);
  return m;
}

void expect_blocks(BodyGraph& system, const std::vector<double>& dense) {
  const int bodies = system.patch_rows().blocks();
  double worst = 0;
  std::vector<double> block(36);
  for (int i = 0; i < bodies; ++i)
    for (int j = 0; j < bodies; ++j) {
      system.write_block(i, j, std::span<double, 36>(block.data(), 36));
      for (int r = 0; r < 6; ++r)
        for (int c = 0; c < 6; ++c)
          worst = std::max(worst, std::abs(block[static_cast<std::size_t>(6 * c + r)] -
                                           dense[static_cast<std::size_t>((6 * i + r) * 6 * bodies + 6 * j + c)]));
    }
  EXPECT_LT(worst, 1e-11);
}

struct Problem {
  std::vector<OwnedPatch> patches;
  rows::PatchRows rows;
  DenseRows dense;
};
Problem random_problem(int bodies, int extra, std::uint64_t seed) {
  Random random(seed);
  Problem p{test::random_patches(bodies, extra, random), {}, {}};
  p.rows = test::make_rows(bodies, p.patches);
  p.dense = test::dense_rows(bodies, p.patches);
  return p;
}

std::vector<Isa> isas() {
  std::vector<Isa> list;
  for (const Isa isa : {Isa::baseline, Isa::v3, Isa::v4})
    if (has_isa(isa)) list.push_back(isa);
  return list;
}

TEST(BodyGraphTest, VelocitiesAndWrenchesAreThoseOfThePlainMatrix) {
  for (std::uint64_t seed = 1; seed <= 20; ++seed) {
    const Problem p = random_problem(1 + static_cast<int>(seed), 2 * static_cast<int>(seed), seed);
    Random random(100 + seed);
    const BodyGraph system(p.rows);
    const std::vector<double> y = test::uniform_numbers(static_cast<std::size_t>(p.dense.rows), random);
    const std::vector<double> f = test::uniform_numbers(static_cast<std::size_t>(p.dense.columns), random);
    std::vector<double> row(p.rows.size()), x(y.size());
    system.apply(y, row);
    EXPECT_LT(largest_difference(test::flat_from_lanes(p.rows, row), p.dense.transposed_times(y)), 1e-12);
    system.apply_transposed(test::lanes_from_flat(p.rows, f), x);
    EXPECT_LT(largest_difference(x, p.dense.times(f)), 1e-12);
  }
}

TEST(BodyGraphTest, IdleLanesStayZero) {
  const Problem p = random_problem(5, 6, 3);
  Random random(1);
  const BodyGraph system(p.rows);
  std::vector<double> row(p.rows.size(), 5.0);
  system.apply(test::uniform_numbers(30, random), row);
  EXPECT_EQ(test::lanes_from_flat(p.rows, test::flat_from_lanes(p.rows, row)), row);
}

TEST(BodyGraphTest, FormsTheMatrixForUnitWeights) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem p = random_problem(2 + static_cast<int>(seed), 3 * static_cast<int>(seed), seed);
    BodyGraph system(p.rows);
    system.set_weights({});
    const Mat3d one{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
    expect_blocks(system, dense_matrix(p.dense, std::vector<Mat3d>(static_cast<std::size_t>(p.rows.points()), one)));
  }
}

TEST(BodyGraphTest, AQuadraticIsAddedToItsBlocksAndMultiplies) {
  const auto contacts = constraints::make_contact_rows(test::stack(3, 0.1));
  BodyGraph plain(contacts.rows), heavy(contacts.rows);
  const auto bodies = static_cast<std::size_t>(contacts.rows.blocks());
  std::vector<double> P(36 * bodies, 0.0);
  for (std::size_t body = 0; body < bodies; ++body)
    for (std::size_t c = 0; c < 6; ++c)
      for (std::size_t r = 0; r < 6; ++r) P[36 * body + 6 * c + r] = (r == c ? 5.0 : 0.25) + static_cast<double>(body);
  heavy.set_quadratic(P);
  plain.set_weights({});
  heavy.set_weights({});
  double without[36], with[36];
  for (int i = 0; i < contacts.rows.blocks(); ++i)
    for (int j = 0; j <= i; ++j) {
      plain.write_block(i, j, without);
      heavy.write_block(i, j, with);
      for (std::size_t k = 0; k < 36; ++k)
        EXPECT_DOUBLE_EQ(with[k], without[k] + (i == j ? P[36 * static_cast<std::size_t>(i) + k] : 0.0)) << i << " " << j;
    }
  std::vector<double> x(6 * bodies), out(6 * bodies);
  for (std::size_t i = 0; i < x.size(); ++i) x[i] = 1.0 + static_cast<double>(i % 5);
  heavy.apply_quadratic(x, out);
  for (std::size_t body = 0; body < bodies; ++body)
    for (std::size_t r = 0; r < 6; ++r) {
      double sum = 0;
      for (std::size_t c = 0; c < 6; ++c) sum += P[36 * body + 6 * c + r] * x[6 * body + c];
      EXPECT_DOUBLE_EQ(out[6 * body + r], sum);
    }
  plain.apply_quadratic(x, out);
  for (const double v : out) EXPECT_EQ(v, 0);
}

TEST(BodyGraphTest, FormsTheMatrixForOneWeightPerRow) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem p = random_problem(2 + static_cast<int>(seed), 3 * static_cast<int>(seed), seed);
    Random random(seed);
    std::vector<double> flat;
    std::vector<Mat3d> full;
    for (int i = 0; i < p.rows.points(); ++i) {
      const double c[3] = {random.scale(.1, 10), random.scale(.1, 10), random.scale(.1, 10)};
      flat.insert(flat.end(), c, c + 3);
      full.push_back({{c[0], 0, 0, 0, c[1], 0, 0, 0, c[2]}});
    }
    const std::vector<double> lanes = test::lanes_from_flat(p.rows, flat);
    BodyGraph system(p.rows);
    system.set_weights({RowWeights::Shape::diagonal, lanes});
    expect_blocks(system, dense_matrix(p.dense, full));
    const std::vector<double> f = test::uniform_numbers(flat.size(), random);
    std::vector<double> row = test::lanes_from_flat(p.rows, f);
    system.apply_weights(row);
    const std::vector<double> weighed = test::flat_from_lanes(p.rows, row);
    for (std::size_t i = 0; i < f.size(); ++i) EXPECT_EQ(weighed[i], f[i] * flat[i]);
  }
}

TEST(BodyGraphTest, FormsTheMatrixForABlockPerPoint) {
  for (std::uint64_t seed = 1; seed <= 10; ++seed) {
    const Problem p = random_problem(2 + static_cast<int>(seed), 3 * static_cast<int>(seed), seed);
    Random random(seed);
    const PointWeights weights = random_weights(p.rows, random);
    BodyGraph system(p.rows);
    system.set_weights({RowWeights::Shape::triple, weights.lanes});
    expect_blocks(system, dense_matrix(p.dense, weights.full));
    const std::vector<double> f = test::uniform_numbers(static_cast<std::size_t>(p.dense.columns), random);
    std::vector<double> row = test::lanes_from_flat(p.rows, f), expected(f.size(), 0.0);
    system.apply_weights(row);
    for (std::size_t i = 0; i < f.size(); ++i)
      for (std::size_t k = 0; k < 3; ++k) expected[i] += weights.full[i / 3].m[3 * (i % 3) + k] * f[i / 3 * 3 + k];
    EXPECT_LT(largest_difference(test::flat_from_lanes(p.rows, row), expected), 1e-13);
  }
}

TEST(BodyGraphTest, SolveUndoesTheProductForOneToFourRightHandSides) {
  const Problem p = random_problem(25, 40, 9);
  Random random(9);
  const PointWeights weights = random_weights(p.rows, random);
  BodyGraph system(p.rows);
  system.set_weights({RowWeights::Shape::triple, weights.lanes});
  const linalg::FactorReport report = system.factor();
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(report.dropped_pivots, 0);
  for (std::size_t sides = 1; sides <= 4; ++sides) {
    std::vector<double> right(150 * sides), row(p.rows.size()), y(150), back(150);
    std::vector<std::vector<double>> truth;
    for (std::size_t k = 0; k < sides; ++k) {
      truth.push_back(test::uniform_numbers(150, random));
      system.apply(truth[k], row);
      system.apply_weights(row);
      system.apply_transposed(row, back);
      for (std::size_t i = 0; i < 150; ++i) right[i * sides + k] = back[i];
    }
    system.solve(right, static_cast<int>(sides));
    for (std::size_t k = 0; k < sides; ++k) {
      for (std::size_t i = 0; i < 150; ++i) y[i] = right[i * sides + k];
      EXPECT_LT(largest_difference(y, truth[k]), 1e-8);
    }
  }
}

TEST(BodyGraphTest, SeveralPatchesBetweenOnePairAddUp) {
  Random random(4);
  std::vector<OwnedPatch> patches;
  for (int i = 0; i < 11; ++i) {  // all in the same groups of lanes
    std::vector<OwnedPatch> one = test::random_patches(2, 0, random);
    one[1].description.block_a = i % 2;
    one[1].description.block_b = 1 - i % 2;
    patches.insert(patches.end(), one.begin(), one.end());
  }
  const rows::PatchRows rows = test::make_rows(2, patches);
  BodyGraph system(rows);
  system.set_weights({});
  const Mat3d one{{1, 0, 0, 0, 1, 0, 0, 0, 1}};
  expect_blocks(system, dense_matrix(test::dense_rows(2, patches), std::vector<Mat3d>(static_cast<std::size_t>(rows.points()), one)));
}

TEST(BodyGraphTest, EveryInstructionSetGivesTheSameBits) {
  const Problem p = random_problem(30, 50, 17);
  Random random(17);
  const PointWeights weights = random_weights(p.rows, random);
  const std::vector<double> y = test::uniform_numbers(180, random);
  std::vector<std::vector<double>> solutions;
  for (const Isa isa : isas()) {
    Hash64 hash;
    BodyGraph system(p.rows, BodyGraphSettings{.isa = isa});
    std::vector<double> row(p.rows.size()), x(180), block(36);
    for (const bool unit : {true, false}) {
      system.set_weights(unit ? RowWeights{} : RowWeights{RowWeights::Shape::triple, weights.lanes});
      for (int i = 0; i < 30; ++i)
        for (int j = 0; j < 30; ++j) {
          system.write_block(i, j, std::span<double, 36>(block.data(), 36));
          hash.add(std::span<const double>(block));
        }
    }
    system.apply(y, row);
    system.apply_weights(row);
    system.apply_transposed(row, x);
    hash.add(std::span<const double>(row));
    hash.add(std::span<const double>(x));
    EXPECT_EQ(hex(hash.value()), "0xaaab58dc80cba7d1") << name(isa);
    (void)system.factor();
    system.solve(x, 1);
    solutions.push_back(x);
  }
  for (const std::vector<double>& x : solutions) EXPECT_EQ(x, solutions.front());
}

TEST(BodyGraphTest, FormingFactoringAndSolvingNeverAllocates) {
  const Problem p = random_problem(20, 30, 5);
  Random random(5);
  const PointWeights weights = random_weights(p.rows, random);
  BodyGraph system(p.rows);
  std::vector<double> x = test::uniform_numbers(120, random), row(p.rows.size());
  const test::AllocationCount heap;
  for (int i = 0; i < 3; ++i) {
    system.set_weights(i == 0 ? RowWeights{} : RowWeights{RowWeights::Shape::triple, weights.lanes});
    (void)system.factor();
    system.solve(x, 1);
    system.apply(x, row);
    system.apply_weights(row);
    system.apply_transposed(row, x);
  }
  EXPECT_EQ(heap.delta(), 0);
}

TEST(BodyGraphTest, SymbolicWorkIsReused) {
  const Problem p = random_problem(12, 12, 6);
  BodyGraph first(p.rows);
  BodyGraph second(p.rows, first.symbolic());
  EXPECT_EQ(first.symbolic().get(), second.symbolic().get());
  std::vector<double> a(72, 1.0), b(72, 1.0);
  for (BodyGraph* system : {&first, &second}) {
    system->set_weights({});
    (void)system->factor();
  }
  first.solve(a, 1);
  second.solve(b, 1);
  EXPECT_EQ(a, b);
}

TEST(BodyGraphTest, AFloatingPairIsReportedAsSixDependentDirections) {
  Random random(8);
  std::vector<OwnedPatch> patches = test::random_patches(2, 0, random);
  for (OwnedPatch& patch : patches) {
    patch.description.block_a = 0;
    patch.description.block_b = 1;
    patch.description.arm_b = patch.description.arm_a + Vec3d{0.3, -0.2, 0.7};  // one pair of reference points for all patches
  }
  const rows::PatchRows rows = test::make_rows(2, patches);
  BodyGraph system(rows);
  system.set_weights({});
  const linalg::FactorReport report = system.factor();
  EXPECT_TRUE(report.finite);
  EXPECT_EQ(report.dropped_pivots, 6);
  // a self-balanced load has a solution, and the solve gives one
  std::vector<double> f = test::uniform_numbers(static_cast<std::size_t>(3 * rows.points()), random), load(12), x(12), row(rows.size()),
                      back(12);
  system.apply_transposed(test::lanes_from_flat(rows, f), load);
  x = load;
  system.solve(x, 1);
  system.apply(x, row);
  system.apply_transposed(row, back);
  EXPECT_LT(largest_difference(back, load), 1e-8);
}

TEST(BodyGraphTest, ANumberThatIsNoneIsReported) {
  Problem p = random_problem(4, 4, 7);
  p.patches[2].description.arm_b.y = std::numeric_limits<double>::quiet_NaN();
  const rows::PatchRows rows = test::make_rows(4, p.patches);
  BodyGraph system(rows);
  system.set_weights({});
  EXPECT_FALSE(system.factor().finite);
}

TEST(BodyGraphTest, NoBodiesAreNoProblem) {
  const rows::PatchRows rows(0, {});
  BodyGraph system(rows);
  system.set_weights({});
  EXPECT_TRUE(system.factor().finite);
  std::vector<double> nothing;
  system.solve(nothing, 1);
  system.apply(nothing, nothing);
  EXPECT_EQ(system.unknowns(), 0);
}

}  // namespace
}  // namespace trilith::solve
