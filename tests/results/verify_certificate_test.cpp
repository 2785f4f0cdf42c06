#include "results/verify_certificate.h"

#include <gtest/gtest.h>

#include <functional>

#include "results/proofs.h"

/// A certificate is judged against the assembly it speaks about, whatever it says itself.
namespace trilith::test {
namespace {

using certify::Verification;
using results::Certificate;
using results::verify_certificate;

Verification judge(const model::Assembly& assembly, const Certificate& c) {
  const auto result = verify_certificate(assembly, c, {});
  EXPECT_TRUE(result.ok());
  return result.ok() ? result.value() : Verification{};
}

/// Refused, and the first broken condition is this one.
void expect_broken(const model::Assembly& assembly, const Certificate& c, const std::string& what, const std::string& where) {
  const Verification v = judge(assembly, c);
  EXPECT_FALSE(v.accepted) << what;
  EXPECT_EQ(v.verdict, Verdict::undecided);
  ASSERT_FALSE(v.broken.empty()) << what;
  EXPECT_NE(v.broken[0].what.find(what), std::string::npos) << v.broken[0].what;
  EXPECT_NE(v.broken[0].where.find(where), std::string::npos) << v.broken[0].where;
  EXPECT_LE(v.broken.size(), 10u);
}

TEST(VerifyCertificateTest, ValidProofsAreAccepted) {
  for (const bool given : {true, false}) {
    for (const Structure& s : {block_on_ground(), stack_of_two(), wall(4, 4), pressed_row(4, 5, .84)}) {
      const model::Assembly assembly = assembly_of(s, given);
      const Verification v = judge(assembly, force_proof(assembly, s));
      EXPECT_TRUE(v.accepted) << v.statement;
      EXPECT_EQ(v.verdict, Verdict::stands);
    }
    for (const Structure& s : {floating_block(), block_over_edge(.25), sliding_block(.9, .84)}) {
      const model::Assembly assembly = assembly_of(s, given);
      const Verification v = judge(assembly, collapse_proof(assembly, s));
      EXPECT_TRUE(v.accepted) << v.statement;
      EXPECT_EQ(v.verdict, Verdict::falls);
    }
  }
}

TEST(VerifyCertificateTest, ForceStateNeedsNoDetectedContacts) {
  const Structure s = wall(3, 3);
  model::Assembly assembly = assembly_of(s, false);
  const Certificate c = force_proof(assembly, s);
  assembly.interfaces.clear();  // never detected: the faces of the blocks decide
  EXPECT_TRUE(judge(assembly, c).accepted);
}

TEST(VerifyCertificateTest, OtherInputIsAnError) {
  const Structure s = block_on_ground();
  const model::Assembly assembly = assembly_of(s);
  Certificate c = force_proof(assembly, s);
  c.input_sha256[5] = 'b';
  const auto result = verify_certificate(assembly, c, {});
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors()[0].where, "/input_sha256");
  EXPECT_EQ(result.errors()[0].kind, Error::Kind::refused);
}

TEST(VerifyCertificateTest, NegatedProofsAreRefused) {
  for (const bool given : {true, false}) {
    const Structure s = wall(3, 3);
    const model::Assembly assembly = assembly_of(s, given);
    Certificate c = force_proof(assembly, s);
    for (auto& list : c.forces_N)
      for (V& f : list) f = scaled(-1, f);
    expect_broken(assembly, c, "force pulls", "interface");
    const Structure edge = block_over_edge(.25);
    const model::Assembly table = assembly_of(edge, given);
    Certificate fall = collapse_proof(table, edge);
    for (auto& v : fall.velocities) v.velocity = {scaled(-1, v.velocity.linear), scaled(-1, v.velocity.angular)};
    expect_broken(table, fall, "gravity does no work", "assembly");
  }
}

TEST(VerifyCertificateTest, SettingsMustBeThoseInForce) {
  const Structure s = block_on_ground();
  const model::Assembly assembly = assembly_of(s);
  const auto damaged = [&](const std::function<void(results::CertificateSettings&)>& damage) {
    Certificate c = force_proof(assembly, s);
    damage(*c.settings);
    return c;
  };
  expect_broken(assembly, damaged([](auto& t) { t.friction = .9; }), "friction 0.9 is not the 0.84 in force", "settings/friction");
  expect_broken(assembly, damaged([](auto& t) { t.density = 2400; }), "density 2400 is not the 1000 in force", "settings/density");
  expect_broken(assembly, damaged([](auto& t) { t.gravity.x = 1; }), "gravity 1 is not the 0 in force", "settings/gravity");
  expect_broken(assembly, damaged([](auto& t) { t.unit = "mm"; }), "unit mm is not the m in force", "settings/unit");
  expect_broken(assembly, damaged([](auto& t) { t.fixed_added = {"block"}; }), "supports", "settings/fixed_added");
  Certificate c = force_proof(assembly, s);
  c.claim = "settle";
  expect_broken(assembly, c, "claim settle", "claim");
  c.claim = "cra";
  expect_broken(assembly, c, "no proof of the claim cra", "kind");
}

TEST(VerifyCertificateTest, FrictionMustBeThatOfTheAssembly) {
  Structure s = stack_of_two();
  s.patches[1].mu = .5;
  const model::Assembly given = assembly_of(s);
  EXPECT_TRUE(judge(given, force_proof(given, s)).accepted);
  Certificate c = force_proof(given, s);
  c.interfaces[1].mu = .84;
  expect_broken(given, c, "friction 0.84 is not the 0.5 in force", "interface 1 (lower - upper)");
  // detected interfaces have the default
  const model::Assembly found = assembly_of(stack_of_two(), false);
  c = force_proof(found, stack_of_two());
  c.interfaces[1].mu = 1;
  expect_broken(found, c, "friction 1 is not the 0.84 in force", "interface 1 (lower - upper)");
}

TEST(VerifyCertificateTest, UnknownBlocksAreNamed) {
  const Structure s = stack_of_two();
  const model::Assembly assembly = assembly_of(s);
  Certificate c = force_proof(assembly, s);
  c.interfaces[1].b = "roof";
  expect_broken(assembly, c, "the assembly has no block roof", "interface 1 (lower - roof)");
  const Structure cloud = floating_block();
  const model::Assembly sky = assembly_of(cloud);
  Certificate fall = collapse_proof(sky, cloud);
  fall.velocities.push_back({"sun", {}});
  expect_broken(sky, fall, "no such block", "velocity of block sun");
  fall.velocities[1].id = "cloud";
  expect_broken(sky, fall, "twice", "velocity of block cloud");
  fall.velocities.clear();
  expect_broken(sky, fall, "is missing", "velocity of block cloud");
  fall = collapse_proof(sky, cloud);
  fall.velocities.push_back({"ground", {{0, 0, -1}, {}}});
  expect_broken(sky, fall, "support moves", "block ground");
}

TEST(VerifyCertificateTest, OrderOfInterfacesAndCornersIsFree) {
  const Structure s = pressed_row(4, 5, .84);
  for (const bool given : {true, false}) {
    const model::Assembly assembly = assembly_of(s, given);
    Certificate c = force_proof(assembly, s);
    std::reverse(c.interfaces.begin(), c.interfaces.end());
    std::reverse(c.forces_N.begin(), c.forces_N.end());
    for (std::size_t i = 0; i < c.interfaces.size(); ++i) {
      std::rotate(c.interfaces[i].polygon.begin(), c.interfaces[i].polygon.begin() + 1, c.interfaces[i].polygon.end());
      std::rotate(c.forces_N[i].begin(), c.forces_N[i].begin() + 1, c.forces_N[i].end());
    }
    const Verification v = judge(assembly, c);
    EXPECT_TRUE(v.accepted) << v.statement;
    // corners moved, forces not: the pressure turns the cubes
    std::rotate(c.interfaces[2].polygon.begin(), c.interfaces[2].polygon.begin() + 2, c.interfaces[2].polygon.end());
    expect_broken(assembly, c, "unbalanced moment", "block");
  }
}

TEST(VerifyCertificateTest, InterfaceThatTheFileDoesNotListIsRefused) {
  const Structure s = stack_of_two();
  const model::Assembly assembly = assembly_of(s);
  Certificate c = force_proof(assembly, s);
  for (V& p : c.interfaces[1].polygon) p.x += 1e-3;
  expect_broken(assembly, c, "the file lists no such interface", "interface 1 (lower - upper)");
  c = force_proof(assembly, s);
  std::swap(c.interfaces[1].a, c.interfaces[1].b);
  expect_broken(assembly, c, "the file lists no such interface", "interface 1 (upper - lower)");
  c = force_proof(assembly, s);
  c.interfaces.push_back(c.interfaces[1]);  // listed twice: there is only one
  c.forces_N.push_back(c.forces_N[1]);
  expect_broken(assembly, c, "the file lists no such interface", "interface 2");
  c = force_proof(assembly, s);
  c.interfaces[0].normal = {0, .01, 1};
  expect_broken(assembly, c, "the normal is not that of the file's interface", "interface 0");
}

TEST(VerifyCertificateTest, FilesPolygonAndNormalCountNotTheCertificates) {
  // a normal tilted within tolerance would let a block on too steep a slope stand
  const Structure s = block_on_slope(.84 * (1 + 1e-6), .84);
  const model::Assembly assembly = assembly_of(s);
  Certificate c = force_proof(assembly, s);
  c.interfaces[0].normal = {-1e-5, 0, 1};
  expect_broken(assembly, c, "outside the friction cone", "interface 0 (ground - block)");
}

TEST(VerifyCertificateTest, DetectedInterfaceMustLieOnBothFaces) {
  const Structure s = stack_of_two();
  const model::Assembly assembly = assembly_of(s, false);
  Certificate c = force_proof(assembly, s);
  for (V& p : c.interfaces[1].polygon) p.z += .1;
  expect_broken(assembly, c, "does not lie on a face of block lower", "interface 1 (lower - upper), vertex 0");
  c = force_proof(assembly, s);
  c.interfaces[1].polygon[1].x = 1.1;
  expect_broken(assembly, c, "does not lie on a face", "vertex 1");
  c = force_proof(assembly, s);
  c.interfaces[1].normal = {0, .03, 1};
  expect_broken(assembly, c, "plane of its polygon", "interface 1");
}

TEST(VerifyCertificateTest, ContactLeftOutOfAForceStateCarriesNothing) {
  const Structure s = wall(3, 2);
  for (const bool given : {true, false}) {
    const model::Assembly assembly = assembly_of(s, given);
    Certificate c = force_proof(assembly, s);
    for (std::size_t i = c.interfaces.size(); i-- > 0;) {
      if (inner(c.forces_N[i][0], c.forces_N[i][0]) > 0) continue;
      c.interfaces.erase(c.interfaces.begin() + std::ptrdiff_t(i));
      c.forces_N.erase(c.forces_N.begin() + std::ptrdiff_t(i));
    }
    EXPECT_LT(c.interfaces.size(), s.patches.size());
    EXPECT_TRUE(judge(assembly, c).accepted);
    c.interfaces.pop_back();
    c.forces_N.pop_back();
    expect_broken(assembly, c, "unbalanced", "block");
  }
}

TEST(VerifyCertificateTest, ContactLeftOutOfACollapseIsMissed) {
  // a block that rests on the ground "falls" where its contact is left out
  Structure s = block_on_ground();
  s.velocities[1].linear = {0, 0, -1};
  for (const bool given : {true, false}) {
    const model::Assembly assembly = assembly_of(s, given);
    Certificate c = collapse_proof(assembly, s);
    expect_broken(assembly, c, "contact resists", "interface 0 (ground - block), vertex 0");
    c.interfaces.clear();
    expect_broken(assembly, c, "could stop the collapse", "interface 0 (ground - block)");
    // shrunk to a corner: then it is not the assembly's contact
    c = collapse_proof(assembly, s);
    for (V& p : c.interfaces[0].polygon) p = scaled(.5, p);
    EXPECT_FALSE(judge(assembly, c).accepted);
  }
}

TEST(VerifyCertificateTest, FurtherContactOfACollapseCountsToo) {
  // the certificate may know of a contact that detection left out: it can only make the proof harder
  Structure s = block_on_ground();
  s.velocities[1].linear = {0, 0, -1};
  model::Assembly assembly = assembly_of(s, false);
  const Certificate c = collapse_proof(assembly, s);
  assembly.interfaces.clear();
  expect_broken(assembly, c, "contact resists", "interface 0");
}

TEST(VerifyCertificateTest, IdsInMessagesAreHarmless) {
  Structure s = block_on_ground();
  s.bodies[1].id = "b\x1b[31m";
  const model::Assembly assembly = assembly_of(s);
  Certificate c = force_proof(assembly, s);
  c.forces_N[0][0].z *= -1;
  for (const certify::Broken& b : judge(assembly, c).broken) EXPECT_EQ(b.where.find('\x1b'), std::string::npos);
}

}  // namespace
}  // namespace trilith::test
