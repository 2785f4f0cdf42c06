#include <gtest/gtest.h>

#include <functional>
#include <limits>

#include "certify/structures.h"
#include "certify/verify.h"

/// Valid proofs, damaged one way at a time: both verifiers refuse, and name what is broken.
namespace trilith::test {
namespace {

using certify::Verification;

struct Proof {
  const char* name;
  Structure structure;
  bool is_collapse;
};

/// Valid force states and collapses; every one in odd axes too.
std::vector<Proof> valid_proofs() {
  Random random(5);
  std::vector<Proof> proofs = {
      {"block", block_on_ground(), false},    {"slope", block_on_slope(.84 * (1 - 1e-11), .84), false},
      {"stack", stack_of_two(), false},       {"wall", wall(4, 4), false},
      {"row", pressed_row(4, 5, .84), false}, {"floating", floating_block(), true},
      {"edge", block_over_edge(.25), true},   {"slide", sliding_block(.9, .84), true},
  };
  const std::size_t count = proofs.size();
  for (std::size_t i = 0; i < count; ++i) {
    Structure turned = translated(rotated(proofs[i].structure, random_rotation(random)), {10, -20, 30});
    proofs.push_back({proofs[i].name, std::move(turned), proofs[i].is_collapse});
  }
  return proofs;
}

Verification judge(Structure& s, bool is_collapse, bool exactly) {
  const auto problem = s.problem();
  if (is_collapse) return exactly ? verify_collapse_exact(problem, s.velocities, {}) : verify_collapse(problem, s.velocities, {});
  return exactly ? verify_force_state_exact(problem, s.forces, {}) : verify_force_state(problem, s.forces, {});
}

/// Both verifiers refuse and the first broken condition holds the words.
void expect_refused(Structure s, bool is_collapse, const std::string& words, const std::string& what) {
  for (const bool exactly : {false, true}) {
    const Verification v = judge(s, is_collapse, exactly);
    EXPECT_FALSE(v.accepted) << what << (exactly ? ", exact" : ", double");
    EXPECT_EQ(v.verdict, Verdict::undecided);
    ASSERT_FALSE(v.broken.empty()) << what;
    EXPECT_NE(v.broken[0].what.find(words), std::string::npos) << what << ": " << v.broken[0].what << " (" << v.broken[0].where << ")";
    EXPECT_NE(v.statement.find("not proved"), std::string::npos);
  }
}

/// Applies `damage` to every valid force state (or collapse).
void refuse_all(bool is_collapse, const std::string& words, const std::string& what, const std::function<bool(Structure&)>& damage) {
  int tried = 0;
  for (const Proof& proof : valid_proofs()) {
    if (proof.is_collapse != is_collapse) continue;
    Structure s = proof.structure;
    if (!damage(s)) continue;
    ++tried;
    expect_refused(std::move(s), is_collapse, words, std::string(proof.name).append(", ").append(what));
  }
  EXPECT_GT(tried, 0) << what;
}

constexpr double nan = std::numeric_limits<double>::quiet_NaN(), infinite = std::numeric_limits<double>::infinity();

TEST(MutationTest, ValidProofsAreAccepted) {
  for (Proof& proof : valid_proofs())
    for (const bool exactly : {false, true}) {
      const Verification v = judge(proof.structure, proof.is_collapse, exactly);
      EXPECT_TRUE(v.accepted) << proof.name << ": " << v.statement;
    }
}

TEST(MutationTest, TurnedForcesPull) {
  refuse_all(false, "pulls", "all forces turned", [](Structure& s) {
    for (V& f : s.forces) f = scaled(-1, f);
    return true;
  });
}

TEST(MutationTest, ScaledForcesDoNotBalance) {
  for (const double factor : {1 + 1e-6, 1 - 1e-6})
    refuse_all(false, "unbalanced", "all forces scaled", [factor](Structure& s) {
      for (V& f : s.forces) f = scaled(factor, f);
      return true;
    });
}

TEST(MutationTest, OneScaledForceDoesNotBalance) {
  for (const double factor : {1 + 1e-6, 1 - 1e-6})
    refuse_all(false, "unbalanced", "one force scaled", [factor](Structure& s) {
      s.forces[1] = scaled(factor, s.forces[1]);
      return inner(s.forces[1], s.forces[1]) > 0;
    });
}

TEST(MutationTest, SwappedForcesDoNotBalance) {
  refuse_all(false, "unbalanced", "first and last force swapped", [](Structure& s) {
    std::swap(s.forces.front(), s.forces.back());
    const V difference = sub(s.forces.front(), s.forces.back());
    return inner(difference, difference) > 1 && s.patches.size() <= 5;
  });
}

TEST(MutationTest, ForceLeftOutIsCounted) {
  refuse_all(false, "forces for", "last force dropped", [](Structure& s) {
    s.forces.pop_back();
    return true;
  });
  refuse_all(false, "unbalanced", "a loaded force set to zero", [](Structure& s) {
    V& f = s.forces.front();
    const bool loaded = inner(f, f) > 0;
    f = {};
    return loaded;
  });
}

TEST(MutationTest, TangentialForceBeyondFrictionIsOutside) {
  refuse_all(false, "outside the friction cone", "1e-9 beyond the friction", [](Structure& s) {
    const PatchData& patch = s.patches[0];
    V& f = s.forces[0];
    const double length2 = inner(patch.normal, patch.normal), pressure = inner(f, patch.normal) / std::sqrt(length2);
    const V along = scaled(inner(f, patch.normal) / length2, patch.normal);
    V side = sub(f, along);
    if (inner(side, side) < 1e-6) side = sub(patch.polygon[1], patch.polygon[0]);
    f = add(along, scaled(patch.mu * (1 + 1e-9) * pressure / std::sqrt(inner(side, side)), side));
    return pressure > 0;
  });
}

TEST(MutationTest, ShiftedPolygonTurnsTheBlock) {
  refuse_all(false, "unbalanced moment", "polygon shifted sideways", [](Structure& s) {
    PatchData& patch = s.patches[0];
    const V shift = scaled(1e-6, sub(patch.polygon[1], patch.polygon[0]));
    for (V& p : patch.polygon) p = add(p, shift);
    return s.patches.size() <= 2;
  });
}

TEST(MutationTest, TurnedNormalBreaksTheCone) {
  refuse_all(false, "pulls", "normal turned about", [](Structure& s) {
    s.patches[0].normal = scaled(-1, s.patches[0].normal);
    return inner(s.forces[0], s.forces[0]) > 0;
  });
  refuse_all(false, "outside the friction cone", "normal tilted", [](Structure& s) {
    const V side = sub(s.patches[0].polygon[2], s.patches[0].polygon[1]);
    s.patches[0].normal = add(s.patches[0].normal, scaled(2 / std::sqrt(inner(side, side)), side));
    return inner(s.forces[0], s.forces[0]) > 0;
  });
}

TEST(MutationTest, SlopeAtItsFrictionFeelsASmallTilt) {
  Structure s = block_on_slope(.84 * (1 - 1e-11), .84);
  s.patches[0].normal = {1e-9, 0, 1};
  expect_refused(s, false, "outside the friction cone", "tilt by 1e-9");
  s.patches[0].normal = {0, 0, 1};
  s.patches[0].mu = .84 * (1 - 1e-10);
  expect_refused(s, false, "outside the friction cone", "less friction");
}

TEST(MutationTest, SwappedBodiesDoNotBalance) {
  refuse_all(false, "unbalanced", "a and b swapped", [](Structure& s) {
    std::swap(s.patches[0].a, s.patches[0].b);
    return inner(s.forces[0], s.forces[0]) > 0;
  });
}

TEST(MutationTest, WhatIsNotANumberIsRefused) {
  for (const double bad : {nan, infinite, -infinite}) {
    refuse_all(false, "not finite", "force", [bad](Structure& s) { return s.forces.back().y = bad, true; });
    refuse_all(false, "not finite", "polygon", [bad](Structure& s) { return s.patches[0].polygon[0].x = bad, true; });
    refuse_all(false, "no normal", "normal", [bad](Structure& s) { return s.patches[0].normal.z = bad, true; });
    refuse_all(false, "friction >= 0", "friction", [bad](Structure& s) { return s.patches[0].mu = bad, true; });
    refuse_all(false, "density >= 0", "density", [bad](Structure& s) { return s.bodies[1].density = bad, true; });
    refuse_all(false, "not finite", "vertex", [bad](Structure& s) { return s.bodies[1].vertices[3].z = bad, true; });
    refuse_all(false, "gravity", "gravity", [bad](Structure& s) { return s.gravity.z = bad, true; });
    refuse_all(true, "not finite", "velocity", [bad](Structure& s) { return s.velocities[1].angular.x = bad, true; });
  }
}

TEST(MutationTest, WrongIndicesAreRefused) {
  refuse_all(false, "does not exist", "block index", [](Structure& s) { return s.patches[0].b = 1000, true; });
  refuse_all(false, "to itself", "same block", [](Structure& s) { return s.patches[0].b = s.patches[0].a, true; });
  refuse_all(false, "vertex that does not exist", "face", [](Structure& s) { return s.bodies[1].face_vertex[2] = 99, true; });
  refuse_all(false, "no normal", "zero normal", [](Structure& s) { return s.patches[0].normal = {}, true; });
}

TEST(MutationTest, OtherWeightsDoNotBalance) {
  refuse_all(false, "unbalanced", "density of one block changed", [](Structure& s) { return s.bodies[1].density *= 1 + 1e-6, true; });
  refuse_all(false, "unbalanced", "weight left out", [](Structure& s) { return s.gravity = {}, true; });
  refuse_all(false, "unbalanced", "gravity turned", [](Structure& s) { return s.gravity = scaled(-1, s.gravity), true; });
}

TEST(MutationTest, BlockLeftOutOfTheBalanceIsMissed) {
  Structure s = stack_of_two();
  // the upper block's weight stays on the lower one, but its own contact is gone
  s.patches.pop_back();
  s.forces.resize(4);
  expect_refused(s, false, "unbalanced", "contact of the upper block left out");
  refuse_all(true, "velocities for", "one velocity left out", [](Structure& s2) { return s2.velocities.pop_back(), true; });
}

TEST(MutationTest, InsideOutBlockIsRefused) {
  refuse_all(false, "volume", "faces turned inwards", [](Structure& s) {
    BodyData& b = s.bodies[1];
    for (std::size_t f = 0; f + 1 < b.face_start.size(); ++f)
      std::reverse(b.face_vertex.begin() + b.face_start[f], b.face_vertex.begin() + b.face_start[f + 1]);
    return true;
  });
}

TEST(MutationTest, TurnedVelocitiesRise) {
  refuse_all(true, "gravity does no", "velocities turned", [](Structure& s) {
    for (certify::Velocity& v : s.velocities) v = {scaled(-1, v.linear), scaled(-1, v.angular)};
    return true;
  });
}

TEST(MutationTest, MovingSupportIsRefused) {
  refuse_all(true, "support moves", "support moves", [](Structure& s) { return s.velocities[0].linear.z = -1e-300, true; });
  refuse_all(true, "support moves", "support turns", [](Structure& s) { return s.velocities[0].angular.x = 1, true; });
}

TEST(MutationTest, StillBlocksDoNotFall) {
  refuse_all(true, "gravity does no", "velocities zero", [](Structure& s) {
    for (certify::Velocity& v : s.velocities) v = {};
    return true;
  });
}

TEST(MutationTest, VelocityIntoAContactIsResisted) {
  refuse_all(true, "contact resists", "pushed against the normal", [](Structure& s) {
    if (s.patches.empty()) return false;
    s.velocities[1].linear = sub(s.velocities[1].linear, scaled(2e-6, s.patches[0].normal));
    return true;
  });
  refuse_all(true, "contact resists", "slid along", [](Structure& s) {
    if (s.patches.empty()) return false;
    const V side = sub(s.patches[0].polygon[1], s.patches[0].polygon[0]);
    s.velocities[1].linear = add(s.velocities[1].linear, scaled(1e-2 / std::sqrt(inner(side, side)), side));
    return true;
  });
}

TEST(MutationTest, SwappedSidesOfAContactResist) {
  refuse_all(true, "contact resists", "a and b swapped", [](Structure& s) {
    if (s.patches.empty()) return false;
    std::swap(s.patches[0].a, s.patches[0].b);
    return true;
  });
  refuse_all(true, "contact resists", "normal turned", [](Structure& s) {
    if (s.patches.empty()) return false;
    s.patches[0].normal = scaled(-1, s.patches[0].normal);
    return true;
  });
}

TEST(MutationTest, MoreFrictionStopsTheSlide) {
  Structure s = sliding_block(.9, .84);
  s.patches[0].mu = .84 * (1 + 1e-6);
  expect_refused(s, true, "contact resists", "more friction");
}

TEST(MutationTest, PolygonBeyondTheEdgeStopsTheTurning) {
  Structure s = block_over_edge(.25);
  s.patches[0].polygon[1].x += 1e-5;
  expect_refused(s, true, "contact resists", "polygon shifted");
}

}  // namespace
}  // namespace trilith::test
