// Terms of articulated models against records of other engines (shared data): M, bias, poses, weights of MuJoCo; everything of pinocchio
// for arms.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <set>
#include <string>
#include <vector>

#include "io/mjcf.h"
#include "io/urdf.h"
#include "model/make_model.h"
#include "multibody/constants.h"
#include "multibody/dynamics.h"
#include "multibody/kinematics.h"
#include "multibody/mass_matrix.h"
#include "multibody/tree_of_model.h"
#include "random_tree.h"
#include "support/json_files.h"
#include "support/shared_data.h"

namespace trilith::multibody {
namespace {

namespace fs = std::filesystem;

using test::numbers;

void expect_near(const std::vector<double>& ours, const std::vector<double>& theirs, double tolerance, const std::string& what) {
  ASSERT_EQ(ours.size(), theirs.size()) << what;
  EXPECT_LT(test::distance(ours, theirs), tolerance * std::max(1.0, test::largest(theirs))) << what;
}

model::Model model_of(Result<model::ModelInput> input, const model::ModelOptions& options) {
  if (!input.ok()) {
    ADD_FAILURE() << input.errors().front().what << " " << input.errors().front().where;
    return {};
  }
  Result<model::Model> model = model::make_model(std::move(input).value(), options);
  if (!model.ok()) {
    ADD_FAILURE() << model.errors().front().what << " " << model.errors().front().where;
    return {};
  }
  return std::move(model).value();
}

/// xpos and xquat of a snapshot against the bodies of the tree (mocap bodies are posed by others).
void compare_poses(const model::Model& model, const Tree& tree, const Workspace<double>& w, const io::Json& snapshot,
                   const std::string& what) {
  const std::vector<double> xpos = numbers(snapshot.find("xpos")), xquat = numbers(snapshot.find("xquat"));
  if (xpos.empty()) return;  // records of piles hold none
  ASSERT_EQ(xpos.size(), 3 * model.bodies.size()) << what;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Posed X = frame_pose(tree, w, tree.body(static_cast<std::int32_t>(b)));
    const Mat3d R = to_matrix(Quaterniond{xquat[4 * b], xquat[4 * b + 1], xquat[4 * b + 2], xquat[4 * b + 3]});
    EXPECT_LT(norm(X.p - Vec3d{xpos[3 * b], xpos[3 * b + 1], xpos[3 * b + 2]}), 1e-10 * (1 + norm(X.p))) << what;
    for (std::size_t e = 0; e < 9; ++e) EXPECT_NEAR(X.R.m[e], R.m[e], 1e-10) << what;
  }
}

/// MuJoCo keeps the principal axes of a full tensor from an iteration that leaves 1e-9 of it.
double tolerance_of(const std::string& what) { return what.starts_with("ball_top") ? 2e-8 : 1e-9; }

void compare_snapshot(const model::Model& model, const Tree& tree, const io::Json& snapshot, const std::string& what) {
  const auto n = static_cast<std::size_t>(tree.dofs());
  const std::vector<double> q = numbers(snapshot.find("qpos")), v = numbers(snapshot.find("qvel"));
  Workspace<double> w(tree);
  update_kinematics<double>(tree, q, w);
  update_velocities<double>(tree, v, w);
  compare_poses(model, tree, w, snapshot, what);
  std::vector<double> bias(n), M(n * n);
  inverse_dynamics<double>(tree, {v, {}, {}, model.options.gravity}, w, bias);
  expect_near(bias, numbers(snapshot.find("qfrc_bias")), tolerance_of(what), what + " bias");
  update_mass_matrix(tree, w);
  if (snapshot.find("M") == nullptr) return;
  write_mass_matrix<double>(tree, w, M);
  expect_near(M, numbers(snapshot.find("M")), tolerance_of(what), what + " M");
}

void compare_weights(const model::Model& model, const Tree& tree, const io::Json& compiled, const std::string& what) {
  const InverseWeights weights = make_inverse_weights(model, tree);
  EXPECT_TRUE(weights.positive) << what;
  expect_near(weights.dof, numbers(compiled.find("dof_invweight0")), tolerance_of(what), what + " dof");
  std::vector<double> body;
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    body.push_back(weights.body_translation[b]), body.push_back(weights.body_rotation[b]);
  expect_near(body, numbers(compiled.find("body_invweight0")), tolerance_of(what), what + " body");
  EXPECT_NEAR(weights.mean_inertia, numbers(compiled.find("meaninertia"))[0], tolerance_of(what) * (1 + weights.mean_inertia)) << what;
}

TEST(ReferenceTest, MassMatrixBiasPosesAndWeightsMeetMujoco) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  std::set<std::string> seen;
  int snapshots = 0;
  for (const auto& entry : fs::directory_iterator(*shared / "reference/dynamics/open")) {
    const std::string file = entry.path().filename().string();
    if (file.find(".mj312.json") == std::string::npos || file.find("signorini") != std::string::npos) continue;
    const io::Json record = test::read_json_file(entry.path());
    const std::string name = *record.find("model")->string();
    const fs::path path = *shared / "models/mjcf/open" / name;
    if (!fs::exists(path)) continue;
    const model::Model model = model_of(io::load_mjcf(path.string()), {});
    if (model.bodies.empty()) continue;
    const Tree tree = make_tree(model);
    if (seen.insert(name).second) compare_weights(model, tree, *record.find("compiled"), name);
    const io::Json::Array& all = *record.find("snapshots")->array();
    // the first and the last differ most
    for (const io::Json* snapshot : {&all.front(), &all.back()}) compare_snapshot(model, tree, *snapshot, file), ++snapshots;
  }
  EXPECT_GE(seen.size(), 15U);
  EXPECT_GE(snapshots, 60);
}

BodyFrame find_frame(const model::Model& model, const Tree& tree, const std::string& name) {
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    if (model.bodies[b].name == name) return tree.body(static_cast<std::int32_t>(b));
  ADD_FAILURE() << "no frame " << name;
  return {};
}

void compare_frames(const model::Model& model, const Tree& tree, const Workspace<double>& w, const io::Json& frames) {
  const auto n = static_cast<std::size_t>(tree.dofs());
  for (const io::Json::Member& member : *frames.object()) {
    const BodyFrame frame = find_frame(model, tree, member.first);
    const Posed X = frame_pose(tree, w, frame);
    expect_near({X.p.x, X.p.y, X.p.z}, numbers(member.second.find("p")), 1e-9, member.first);
    expect_near({X.R.m, X.R.m + 9}, numbers(member.second.find("R")), 1e-9, member.first);
    std::vector<double> J(6 * n);
    write_jacobian<double>(tree, w, frame, JacobianPoint::frame, JacobianShape::dense, J);
    expect_near(J, numbers(member.second.find("J")), 1e-9, member.first + " J");
  }
}

void compare_state(const model::Model& model, const Tree& tree, const io::Json& state, const std::string& what) {
  const auto n = static_cast<std::size_t>(tree.dofs());
  const Vec3d gravity{0, 0, -9.81};
  const std::vector<double> q = numbers(state.find("q")), v = numbers(state.find("v")), a = numbers(state.find("a")),
                            tau = numbers(state.find("tau"));
  Workspace<double> w(tree);
  update_kinematics<double>(tree, q, w);
  update_velocities<double>(tree, v, w);
  compare_frames(model, tree, w, *state.find("frames"));
  std::vector<double> out(n), by_q(n * n), by_v(n * n), by_tau(n * n);
  const Vec3d com = center_of_mass(tree, w);
  inverse_dynamics_derivatives<double>(tree, {v, a, {}, gravity}, w, out, by_q, by_v);
  expect_near(out, numbers(state.find("rnea")), 1e-9, what + " rnea");
  expect_near(by_q, numbers(state.find("dtau_dq")), 1e-9, what + " dtau_dq");
  expect_near(by_v, numbers(state.find("dtau_dv")), 1e-9, what + " dtau_dv");
  inverse_dynamics<double>(tree, {v, {}, {}, gravity}, w, out);
  expect_near(out, numbers(state.find("nle")), 1e-9, what + " nle");
  forward_dynamics<double>(tree, {v, {}, {}, gravity}, tau, w, out);
  expect_near(out, numbers(state.find("aba")), 1e-9, what + " aba");
  EXPECT_EQ(forward_dynamics_derivatives<double>(tree, {v, {}, {}, gravity}, tau, w, {out, by_q, by_v, by_tau}), 0);
  expect_near(by_q, numbers(state.find("dqdd_dq")), 1e-9, what + " dqdd_dq");
  expect_near(by_v, numbers(state.find("dqdd_dv")), 1e-9, what + " dqdd_dv");
  expect_near(by_tau, numbers(state.find("dqdd_du")), 1e-9, what + " dqdd_du");
  write_mass_matrix<double>(tree, w, by_tau);
  expect_near(by_tau, numbers(state.find("M")), 1e-9, what + " M");
  expect_near({com.x, com.y, com.z}, numbers(state.find("com")), 1e-9, what + " com");
  const Energy energy = measure_energy(tree, w, v, gravity);
  expect_near({energy.kinetic, energy.potential}, {*state.find("kinetic")->number(), *state.find("potential")->number()}, 1e-9, what);
}

TEST(ReferenceTest, ArmsMeetPinocchioInEveryTermAndDerivative) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const std::pair<const char*, const char*> robots[] = {
      {"iiwa14", "iiwa14/iiwa14.urdf"}, {"indy7", "indy7/indy7.urdf"}, {"ur5e", "ur5e/ur5e.urdf"}};
  for (const auto& [name, urdf] : robots) {
    const fs::path record_path = *shared / "reference/control/open" / (std::string(name) + ".json");
    const fs::path model_path = *shared / "models/robots" / urdf;
    if (!fs::exists(record_path) || !fs::exists(model_path)) continue;
    const io::Json record = test::read_json_file(record_path);
    io::UrdfOptions reading;
    reading.keep_going_without_meshes = true;
    model::ModelOptions bare;
    bare.bare = true;
    const model::Model model = model_of(io::load_urdf(model_path.string(), reading), bare);
    if (model.bodies.empty()) continue;
    const Tree tree = make_tree(model);
    for (const io::Json& state : *record.find("states")->array()) compare_state(model, tree, state, name);
  }
}

TEST(TreeOfModelTest, JointsChainAndBodiesWithoutJointsAreFused) {
  const char* const text = R"(<mujoco><worldbody>
    <body name="base" pos="1 2 3"><freejoint/><geom type="box" size=".1 .2 .3" mass="2"/>
      <body name="plate" pos="0 0 .5" euler="0 90 0"><geom type="box" size=".1 .1 .01" mass="1"/></body>
      <body name="arm" pos=".2 0 0"><joint axis="1 0 0" pos="0 0 .1" ref="20"/><joint type="slide" axis="0 -1 0"/><joint type="ball"/>
        <geom size=".1" mass="3"/></body></body>
    <body name="post" pos="5 0 0"><geom size=".1" mass="4"/></body></worldbody></mujoco>)";
  const model::Model model = model_of(io::parse_mjcf(text, "m.xml"), {});
  ASSERT_EQ(model.bodies.size(), 5U);
  const Tree tree = make_tree(model);
  EXPECT_EQ(tree.links(), 5);
  EXPECT_EQ(tree.dofs(), 11);
  EXPECT_EQ(tree.coordinates(), 13);
  EXPECT_EQ(tree.body(2).link, tree.body(1).link);
  EXPECT_EQ(tree.body(4).link, -1);
  EXPECT_DOUBLE_EQ(tree.total_mass(), 6);  // the post stands on the world
  // in the pose of the file every body is where the file says
  Workspace<double> w(tree);
  update_kinematics<double>(tree, model.qpos0, w);
  const Vec3d places[] = {{0, 0, 0}, {1, 2, 3}, {1, 2, 3.5}, {1.2, 2, 3}, {5, 0, 0}};
  for (std::int32_t b = 0; b < 5; ++b) EXPECT_LT(norm(frame_pose(tree, w, tree.body(b)).p - places[b]), 1e-14) << b;
  EXPECT_LT(norm(column(frame_pose(tree, w, tree.body(2)).R, 2) - Vec3d{1, 0, 0}), 1e-15);
}

}  // namespace
}  // namespace trilith::multibody
