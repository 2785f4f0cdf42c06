#include "results/certificate.h"

#include <gtest/gtest.h>

#include "results/proofs.h"

namespace trilith::test {
namespace {

using io::Json;
using results::Certificate;

/// Writes, parses the text and reads back.
Result<Certificate> reread(const Json& json) {
  return results::parse_certificate(io::parse_json(io::write_json(json, 2), "proof.json").value(), "proof.json");
}

/// The member `key` of an object, to damage it.
Json& member(Json& json, std::string_view key) {
  for (auto& [name, value] : *json.object())
    if (name == key) return value;
  ADD_FAILURE() << "no " << key;
  return json;
}

void expect_refused(const Json& json, const std::string& where, const std::string& what) {
  const auto read = results::parse_certificate(json, "proof.json");
  ASSERT_FALSE(read.ok()) << where;
  EXPECT_EQ(read.errors()[0].where, "proof.json:" + where);
  EXPECT_NE(read.errors()[0].what.find(what), std::string::npos) << read.errors()[0].what;
  EXPECT_EQ(read.errors()[0].kind, Error::Kind::refused);
}

TEST(CertificateTest, KeysAreThoseOfTheSpecification) {
  const Json json = to_json(force_proof(assembly_of(stack_of_two()), stack_of_two()));
  std::vector<std::string> keys;
  for (const auto& [key, value] : *json.object()) keys.push_back(key);
  EXPECT_EQ(keys, (std::vector<std::string>{"schema", "engine", "kind", "claim", "input_sha256", "settings", "interfaces", "forces_N"}));
  EXPECT_EQ(*json.find("schema")->string(), "trilith.certificate/1");
  const Json& face = json.find("interfaces")->array()->at(0);
  EXPECT_EQ(*face.find("a")->string(), "ground");
  EXPECT_EQ(*face.find("b")->string(), "lower");
  EXPECT_EQ(face.find("polygon")->array()->size(), 4u);
  EXPECT_EQ(face.find("normal")->array()->size(), 3u);
  EXPECT_EQ(*face.find("mu")->number(), .84);
  const Json::Array& forces = *json.find("forces_N")->array();
  ASSERT_EQ(forces.size(), 2u);
  EXPECT_EQ(forces[0].array()->size(), 4u);
  EXPECT_EQ(*forces[1].array()->at(2).array()->at(2).number(), 1000 * 9.80665 / 4);

  const Json fall = to_json(collapse_proof(assembly_of(block_over_edge(.25)), block_over_edge(.25)));
  EXPECT_EQ(*fall.find("kind")->string(), "infeasibility_ray");
  EXPECT_EQ(fall.find("forces_N"), nullptr);
  ASSERT_EQ(fall.find("velocities")->object()->size(), 1u);  // supports are left out
  EXPECT_EQ(fall.find("velocities")->find("block")->array()->size(), 6u);
}

TEST(CertificateTest, ReadingBackGivesTheSameNumbers) {
  Random random(4);
  const Structure s = rotated(wall(3, 3), random_rotation(random));
  Certificate c = force_proof(assembly_of(s), s);
  c.settings->fixed_added = {"ground"};
  c.settings->flags.friction = .7;
  c.settings->flags.gravity = Vec3d{0, 0, -1. / 3};
  c.settings->flags.fixed = {"x", "y"};
  c.settings->flags.unit = "mm";
  const auto read = reread(to_json(c));
  ASSERT_TRUE(read.ok()) << read.errors()[0].what << read.errors()[0].where;
  EXPECT_EQ(io::write_json(to_json(read.value()), 0), io::write_json(to_json(c), 0));
  EXPECT_EQ(read.value().interfaces[3].polygon[1].y, c.interfaces[3].polygon[1].y);
  EXPECT_EQ(read.value().forces_N[5][2].z, c.forces_N[5][2].z);
  EXPECT_EQ(read.value().settings->flags.gravity->z, -1. / 3);
  EXPECT_FALSE(read.value().settings->flags.density.has_value());

  const Structure edge = block_over_edge(.25);
  const Certificate fall = collapse_proof(assembly_of(edge), edge);
  const auto fall_read = reread(to_json(fall));
  ASSERT_TRUE(fall_read.ok());
  EXPECT_EQ(fall_read.value().velocities[0].velocity.angular.y, 1);
}

TEST(CertificateTest, WhatAnyoneMayLeaveOutIsNotNeeded) {
  Json json = to_json(force_proof(assembly_of(block_on_ground()), block_on_ground()));
  std::erase_if(*json.object(), [](const Json::Member& m) {
    return m.first == "schema" || m.first == "engine" || m.first == "claim" || m.first == "settings";
  });
  json.set("remark", "by hand");
  const auto read = reread(json);
  ASSERT_TRUE(read.ok());
  EXPECT_EQ(read.value().claim, "rbe");
  EXPECT_FALSE(read.value().settings.has_value());
}

TEST(CertificateTest, RefusalsNameThePath) {
  const Json good = to_json(force_proof(assembly_of(stack_of_two()), stack_of_two()));
  const auto damaged = [&good](const auto& damage) {
    Json json = good;
    damage(json);
    return json;
  };
  expect_refused(Json(3), "/", "JSON object");
  expect_refused(damaged([](Json& j) { member(j, "schema") = "trilith.certificate/2"; }), "/schema", "newer version");
  expect_refused(damaged([](Json& j) { member(j, "schema") = "trilith.check/1"; }), "/schema", "not a certificate");
  expect_refused(damaged([](Json& j) { member(j, "schema") = "trilith.certificate/one"; }), "/schema", "not a certificate");
  expect_refused(damaged([](Json& j) { member(j, "kind") = "kkt_point"; }), "/kind", "force_state or infeasibility_ray");
  expect_refused(damaged([](Json& j) { member(j, "kind") = "infeasibility_ray"; }), "/velocities", "missing");
  expect_refused(damaged([](Json& j) { member(j, "input_sha256") = 5; }), "/input_sha256", "must be text");
  expect_refused(damaged([](Json& j) { std::erase_if(*j.object(), [](const Json::Member& m) { return m.first == "interfaces"; }); }),
                 "/interfaces", "missing");
  expect_refused(damaged([](Json& j) { member(member(j, "interfaces").array()->at(1), "mu") = Json(); }), "/interfaces/1/mu",
                 "must be a number");
  expect_refused(damaged([](Json& j) { member(member(j, "interfaces").array()->at(1), "normal").array()->pop_back(); }),
                 "/interfaces/1/normal", "must hold 3 numbers, holds 2");
  expect_refused(damaged([](Json& j) { member(member(j, "interfaces").array()->at(0), "polygon").array()->at(2) = "x"; }),
                 "/interfaces/0/polygon/2", "must be a list");
  expect_refused(damaged([](Json& j) { member(j, "forces_N").array()->pop_back(); }), "/forces_N", "1 lists for 2 interfaces");
  expect_refused(damaged([](Json& j) { member(j, "forces_N").array()->at(1).array()->pop_back(); }), "/forces_N/1",
                 "3 forces for 4 polygon vertices");
  // NaN is written as null
  expect_refused(damaged([](Json& j) { member(j, "forces_N").array()->at(0).array()->at(3).array()->at(1) = Json(); }), "/forces_N/0/3/1",
                 "must be a number");
  expect_refused(damaged([](Json& j) { member(member(j, "settings"), "gravity") = 9.81; }), "/settings/gravity", "must be a list");
  expect_refused(damaged([](Json& j) { member(member(j, "settings"), "flags") = 1; }), "/settings/flags", "must be an object");

  Json fall = to_json(collapse_proof(assembly_of(floating_block()), floating_block()));
  member(member(fall, "velocities"), "cloud").array()->pop_back();
  expect_refused(fall, "/velocities/cloud", "must hold 6 numbers, holds 5");
}

TEST(CertificateTest, ErrorsAreCollectedUpToTheLimit) {
  Json json = to_json(force_proof(assembly_of(wall(8, 8)), wall(8, 8)));
  for (Json& face : *member(json, "interfaces").array())
    for (Json& p : *member(face, "polygon").array()) p = Json();
  const auto read = results::parse_certificate(json, "proof.json");
  ASSERT_FALSE(read.ok());
  EXPECT_LE(read.errors().size(), max_errors);
}

}  // namespace
}  // namespace trilith::test
