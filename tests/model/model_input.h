#pragma once
#include <gtest/gtest.h>

#include "model/make_model.h"

/// Small articulated models for tests, built the way a reader fills them.
namespace trilith::model {

inline ModelInput empty_world() {
  ModelInput input;
  input.source = "model.xml";
  input.format = "mjcf";
  Body world;
  world.name = "world";
  input.bodies.push_back(world);
  return input;
}

inline Inertiad ball_inertial(double mass = 1, double moment = 0.1) { return {mass, {0, 0, 0}, moment * identity3<double>()}; }

/// A body of 1 kg at `p` of its parent; its index.
inline std::int32_t add_body(ModelInput& input, std::string name, std::int32_t parent = 0, Vec3d p = {0, 0, 0}) {
  Body body;
  body.where = "model.xml:/" + name;
  body.name = std::move(name);
  body.parent = parent;
  body.pose.p = p;
  body.inertial = ball_inertial();
  input.bodies.push_back(std::move(body));
  return static_cast<std::int32_t>(input.bodies.size()) - 1;
}

inline Joint& add_joint(ModelInput& input, std::string name, std::int32_t body, JointKind kind = JointKind::hinge) {
  Joint joint;
  joint.where = "model.xml:/" + name;
  joint.name = std::move(name);
  joint.body = body;
  joint.kind = kind;
  input.joints.push_back(std::move(joint));
  return input.joints.back();
}

inline Geom& add_geom(ModelInput& input, std::string name, std::int32_t body, GeomKind kind, Vec3d size) {
  Geom geom;
  geom.where = "model.xml:/" + name;
  geom.name = std::move(name);
  geom.body = body;
  geom.kind = kind;
  geom.size = size;
  input.geoms.push_back(std::move(geom));
  return input.geoms.back();
}

/// Two hinges in a row: bodies "upper", "lower", joints "shoulder", "elbow".
inline ModelInput two_links() {
  ModelInput input = empty_world();
  const std::int32_t upper = add_body(input, "upper", 0, {0, 0, 1});
  const std::int32_t lower = add_body(input, "lower", upper, {0.5, 0, 0});
  add_joint(input, "shoulder", upper);
  add_joint(input, "elbow", lower);
  return input;
}

inline Model made(ModelInput input, const ModelOptions& options = {}) {
  Result<Model> result = make_model(std::move(input), options);
  EXPECT_TRUE(result.ok()) << (result.ok() ? "" : result.errors()[0].where + ": " + result.errors()[0].what);
  return result.ok() ? std::move(result).value() : Model{};
}

inline std::vector<Error> refused(ModelInput input, const ModelOptions& options = {}) {
  const Result<Model> result = make_model(std::move(input), options);
  EXPECT_FALSE(result.ok());
  return result.ok() ? std::vector<Error>{} : result.errors();
}

inline void expect_refused(ModelInput input, std::string_view what, std::string_view where = "") {
  const auto errors = refused(std::move(input));
  ASSERT_EQ(errors.size(), 1U) << (errors.size() > 1 ? errors[1].what : "");
  EXPECT_NE(errors[0].what.find(what), std::string::npos) << errors[0].what;
  EXPECT_NE(errors[0].where.find(where), std::string::npos) << errors[0].where;
}

/// Exactly one warning, which says `what`.
inline void expect_told(const Model& model, std::string_view what) {
  ASSERT_EQ(model.warnings.size(), 1U) << (model.warnings.size() > 1 ? model.warnings[1].what : "");
  EXPECT_NE(model.warnings[0].what.find(what), std::string::npos) << model.warnings[0].what;
}

}  // namespace trilith::model
