// What MuJoCo 2.2.2 of Debian makes of a model file, and what we make of it: masses, inertias, frames, coordinates, shapes, actuators,
// constants. On the models of the repository and on random files.
#include <gtest/gtest.h>
#include <mujoco/mujoco.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <fstream>
#include <memory>

#include "io/load_model.h"
#include "linalg/fixed.h"
#include "multibody/constants.h"
#include "multibody/tree_of_model.h"
#include "spatial/quaternion.h"
#include "support/mjcf_sample.h"

namespace trilith {
namespace {

struct Freed {
  void operator()(mjModel* m) const { mj_deleteModel(m); }
};
using Mujoco = std::unique_ptr<mjModel, Freed>;

Mujoco load_mujoco(const std::string& path) {
  char error[1000] = "";
  Mujoco model(mj_loadXML(path.c_str(), nullptr, error, sizeof error));
  // its solver gives up while it loads where a mass matrix is singular (two slides along one line)
  EXPECT_TRUE(model || std::string_view(error).find("Hessian") != std::string_view::npos) << path << ": " << error;
  return model;
}

/// Relative to 1 or the larger of the two: the other program prints nothing that it has not rounded to double once or twice.
void expect_close(double a, double b, const std::string& what, double tolerance = 1e-9) {
  EXPECT_LE(std::abs(a - b), tolerance * std::max({1.0, std::abs(a), std::abs(b)})) << what << ": ours " << a << ", MuJoCo's " << b;
}
void expect_close(const Vec3d& a, const double* b, const std::string& what, double tolerance = 1e-9) {
  expect_close(a.x, b[0], what + " x", tolerance), expect_close(a.y, b[1], what + " y", tolerance),
      expect_close(a.z, b[2], what + " z", tolerance);
}
Mat3d rotation_of(const double* q) { return to_matrix(Quaterniond{q[0], q[1], q[2], q[3]}); }
void expect_close(const Mat3d& a, const Mat3d& b, const std::string& what, double tolerance = 1e-9) {
  for (int i = 0; i < 9; ++i) expect_close(a.m[i], b.m[i], what + " entry " + std::to_string(i), tolerance);
}
std::string of(std::string_view kind, const std::string& name, std::size_t i) {
  return std::string(kind) + " " + std::to_string(i) + " " + name;
}

void compare_bodies(const model::Model& ours, const mjModel& m) {
  ASSERT_EQ(ours.bodies.size(), static_cast<std::size_t>(m.nbody));
  for (std::size_t i = 1; i < ours.bodies.size(); ++i) {
    const model::Body& body = ours.bodies[i];
    const std::string name = of("body", body.name, i);
    EXPECT_EQ(body.parent, m.body_parentid[i]) << name;
    EXPECT_EQ(body.root, m.body_rootid[i]) << name;
    EXPECT_EQ(body.mocap_index, m.body_mocapid[i]) << name;
    EXPECT_EQ(body.joint_count, m.body_jntnum[i]) << name;
    expect_close(body.pose.p, m.body_pos + 3 * i, name + " pos");
    expect_close(body.pose.R, rotation_of(m.body_quat + 4 * i), name + " quat");
    // vertices of meshes are single precision there
    const bool mesh = std::ranges::any_of(
        ours.geoms, [&](const model::Geom& g) { return g.body == static_cast<std::int32_t>(i) && g.kind == model::GeomKind::mesh; });
    const double tolerance = mesh ? 2e-6 : 1e-9;
    const double scale = std::max(1e-3, m.body_mass[i]);
    expect_close(body.inertia.mass / scale, m.body_mass[i] / scale, name + " mass", tolerance);
    if (m.body_mass[i] < 1e-12) continue;
    expect_close(body.inertia.com, m.body_ipos + 3 * i, name + " com", tolerance);
    const double* moments = m.body_inertia + 3 * i;
    const Mat3d R = rotation_of(m.body_iquat + 4 * i);
    const double largest = std::max({moments[0], moments[1], moments[2]});
    const Mat3d tensor = R * diagonal3(Vec3d{moments[0], moments[1], moments[2]}) * transpose(R);
    expect_close((1 / largest) * body.inertia.about_com, (1 / largest) * tensor, name + " inertia", tolerance);
  }
}

void compare_joints(const model::Model& ours, const mjModel& m) {
  ASSERT_EQ(ours.joints.size(), static_cast<std::size_t>(m.njnt));
  for (std::size_t j = 0; j < ours.joints.size(); ++j) {
    const model::Joint& joint = ours.joints[j];
    const std::string name = of("joint", joint.name, j);
    static constexpr int types[] = {mjJNT_FREE, mjJNT_BALL, mjJNT_HINGE, mjJNT_SLIDE};
    EXPECT_EQ(types[static_cast<std::size_t>(joint.kind)], m.jnt_type[j]) << name;
    EXPECT_EQ(joint.q, m.jnt_qposadr[j]) << name;
    EXPECT_EQ(joint.v, m.jnt_dofadr[j]) << name;
    EXPECT_EQ(joint.range.has_value(), m.jnt_limited[j] != 0) << name;
    if (joint.range && m.jnt_limited[j] != 0) {
      expect_close(joint.range->lower, m.jnt_range[2 * j], name + " lower");
      expect_close(joint.range->upper, m.jnt_range[2 * j + 1], name + " upper");
    }
    if (joint.kind == model::JointKind::hinge || joint.kind == model::JointKind::slide)
      expect_close(joint.axis, m.jnt_axis + 3 * j, name + " axis");
    if (joint.kind == model::JointKind::hinge || joint.kind == model::JointKind::ball)
      expect_close(joint.anchor, m.jnt_pos + 3 * j, name + " pos");
    expect_close(joint.armature, m.dof_armature[joint.v], name + " armature");
    expect_close(joint.friction_loss, m.dof_frictionloss[joint.v], name + " frictionloss");
    if (joint.spring_damper) continue;  // theirs are resolved already
    expect_close(joint.stiffness, m.jnt_stiffness[j], name + " stiffness");
    expect_close(joint.damping, m.dof_damping[joint.v], name + " damping");
  }
}

void compare_coordinates(const model::Model& ours, const mjModel& m) {
  ASSERT_EQ(ours.sizes.nq, m.nq);
  ASSERT_EQ(ours.sizes.nv, m.nv);
  EXPECT_EQ(ours.sizes.nu, m.nu);
  EXPECT_EQ(ours.sizes.na, m.na);
  EXPECT_EQ(ours.sizes.nmocap, m.nmocap);
  EXPECT_EQ(ours.sizes.nsensordata, m.nsensordata);
  for (const model::Joint& joint : ours.joints) {
    const bool free = joint.kind == model::JointKind::free, turns = free || joint.kind == model::JointKind::ball;
    double sign = 1;
    const int turn = joint.q + (free ? 3 : 0), count = free ? 7 : turns ? 4 : 1;
    if (turns && m.qpos0[turn] * ours.qpos0[static_cast<std::size_t>(turn)] < 0) sign = -1;  // q and -q are one rotation
    for (int i = joint.q; i < joint.q + count; ++i) {
      const double side = turns && i >= turn ? sign : 1;
      const auto at = static_cast<std::size_t>(i);
      expect_close(side * ours.qpos0[at], m.qpos0[i], joint.name + " qpos0");
      expect_close(side * ours.spring_qpos[at], m.qpos_spring[i], joint.name + " qpos_spring");
    }
  }
}

void compare_geoms(const model::Model& ours, const mjModel& m) {
  ASSERT_EQ(ours.geoms.size(), static_cast<std::size_t>(m.ngeom));
  for (std::size_t g = 0; g < ours.geoms.size(); ++g) {
    const model::Geom& geom = ours.geoms[g];
    const std::string name = of("geom", geom.name, g);
    static constexpr int types[] = {mjGEOM_PLANE,     mjGEOM_HFIELD,   mjGEOM_SPHERE, mjGEOM_CAPSULE,
                                    mjGEOM_ELLIPSOID, mjGEOM_CYLINDER, mjGEOM_BOX,    mjGEOM_MESH};
    EXPECT_EQ(types[static_cast<std::size_t>(geom.kind)], m.geom_type[g]) << name;
    EXPECT_EQ(geom.body, m.geom_bodyid[g]) << name;
    EXPECT_EQ(geom.contype, m.geom_contype[g]) << name;
    EXPECT_EQ(geom.conaffinity, m.geom_conaffinity[g]) << name;
    EXPECT_EQ(geom.condim, m.geom_condim[g]) << name;
    EXPECT_EQ(geom.priority, m.geom_priority[g]) << name;
    for (std::size_t i = 0; i < 3; ++i) expect_close(geom.friction[i], m.geom_friction[3 * g + i], name + " friction");
    for (std::size_t i = 0; i < 2; ++i) expect_close(geom.law.solref[i], m.geom_solref[mjNREF * g + i], name + " solref");
    for (std::size_t i = 0; i < 5; ++i) expect_close(geom.law.solimp[i], m.geom_solimp[mjNIMP * g + i], name + " solimp");
    expect_close(geom.margin, m.geom_margin[g], name + " margin");
    expect_close(geom.gap, m.geom_gap[g], name + " gap");
    if (geom.kind == model::GeomKind::mesh || geom.kind == model::GeomKind::hfield) continue;  // their meshes are moved to principal axes
    expect_close(geom.pose.p, m.geom_pos + 3 * g, name + " pos", 1e-6);
    const double size[3] = {geom.size.x, geom.size.y, geom.size.z};
    static constexpr int counts[] = {2, 0, 1, 2, 3, 2, 3, 0};
    for (int i = 0; i < counts[static_cast<std::size_t>(geom.kind)]; ++i)
      expect_close(size[i], m.geom_size[3 * g + i], name + " size", 1e-6);
  }
}

void compare_rest(const model::Model& ours, const mjModel& m) {
  ASSERT_EQ(ours.sites.size(), static_cast<std::size_t>(m.nsite));
  for (std::size_t s = 0; s < ours.sites.size(); ++s) {
    expect_close(ours.sites[s].pose.p, m.site_pos + 3 * s, of("site", ours.sites[s].name, s) + " pos");
    expect_close(ours.sites[s].pose.R, rotation_of(m.site_quat + 4 * s), of("site", ours.sites[s].name, s) + " quat");
  }
  ASSERT_EQ(ours.actuators.size(), static_cast<std::size_t>(m.nu));
  for (std::size_t u = 0; u < ours.actuators.size(); ++u) {
    const model::Actuator& actuator = ours.actuators[u];
    const std::string name = of("actuator", actuator.name, u);
    for (std::size_t i = 0; i < 6; ++i) expect_close(actuator.gear[i], m.actuator_gear[6 * u + i], name + " gear");
    for (std::size_t i = 0; i < 3; ++i) {
      expect_close(actuator.gain_parameters[i], m.actuator_gainprm[mjNGAIN * u + i], name + " gain");
      expect_close(actuator.bias_parameters[i], m.actuator_biasprm[mjNBIAS * u + i], name + " bias");
    }
    EXPECT_EQ(actuator.control_range.has_value(), m.actuator_ctrllimited[u] != 0) << name;
    if (actuator.control_range) expect_close(actuator.control_range->upper, m.actuator_ctrlrange[2 * u + 1], name + " ctrlrange");
  }
  ASSERT_EQ(ours.sensors.size(), static_cast<std::size_t>(m.nsensor));
  for (std::size_t s = 0; s < ours.sensors.size(); ++s) {
    EXPECT_EQ(ours.sensors[s].first, m.sensor_adr[s]) << of("sensor", ours.sensors[s].name, s);
    EXPECT_EQ(ours.sensors[s].dimension, m.sensor_dim[s]) << of("sensor", ours.sensors[s].name, s);
  }
  EXPECT_EQ(ours.tendons.size(), static_cast<std::size_t>(m.ntendon));
  EXPECT_EQ(ours.equalities.size(), static_cast<std::size_t>(m.neq));
  EXPECT_EQ(ours.pairs.size(), static_cast<std::size_t>(m.npair));
  EXPECT_EQ(ours.excludes.size(), static_cast<std::size_t>(m.nexclude));
}

/// M^-1 at the pose of the file, through the whole tree.
void compare_constants(const model::Model& ours, const mjModel& m) {
  const auto weights = multibody::make_inverse_weights(ours, multibody::make_tree(ours));
  constexpr double singular = 1e9;  // two slides along one line: the inverse is rounding there, in both programs
  const double* theirs = m.dof_invweight0;
  if (!weights.positive) {
    EXPECT_GT(*std::max_element(theirs, theirs + m.nv), singular) << "only ours is singular";
    return;
  }
  for (std::size_t k = 0; k < weights.dof.size(); ++k) {
    if (theirs[k] > singular) continue;
    expect_close(weights.dof[k] / theirs[k], 1, "invweight of dof " + std::to_string(k), 1e-5);
  }
  if (m.nv > 0) expect_close(weights.mean_inertia / m.stat.meaninertia, 1, "mean inertia", 1e-5);
}

/// False where there is nothing to compare with.
bool compare(const std::string& path) {
  SCOPED_TRACE(path);
  const auto loaded = io::load_model(path);
  EXPECT_TRUE(loaded.ok()) << (loaded.ok() ? "" : loaded.errors()[0].where + ": " + loaded.errors()[0].what);
  const Mujoco theirs = load_mujoco(path);
  if (!loaded.ok() || !theirs) return false;
  const model::Model& ours = loaded.value();
  compare_bodies(ours, *theirs);
  compare_joints(ours, *theirs);
  compare_coordinates(ours, *theirs);
  compare_geoms(ours, *theirs);
  compare_rest(ours, *theirs);
  compare_constants(ours, *theirs);
  return true;
}

TEST(CompileOracleTest, TheModelsOfTheRepositoryMeanTheSame) {
  for (const std::string name : {"arm_hand", "figure27", "fourbar", "gears", "pendulum", "pile20", "pile100", "tendons"})
    EXPECT_TRUE(compare(std::string(TRILITH_SOURCE_DIR) + "/models/" + name + ".xml"));
}

/// A link with all that is welded to it, in its frame.
Inertiad fused(const model::Model& model, std::int32_t body) {
  Inertiad sum{0, {0, 0, 0}, {}};
  std::vector<Posed> placed(model.bodies.size(), identity_pose<double>());
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const model::Body& part = model.bodies[i];
    if (part.weld != body) continue;
    if (static_cast<std::int32_t>(i) != body) placed[i] = placed[static_cast<std::size_t>(part.parent)] * part.pose;
    const Inertiad inertia = transform(placed[i], part.inertia);
    sum = sum.mass > 0 ? sum + inertia : inertia;
  }
  return sum;
}

/// A link without inertial has 0 kg here, and there the mass of its shapes.
bool weighed_by_shapes(const model::Model& model, std::int32_t body) {
  return std::ranges::any_of(model.geoms, [&](const model::Geom& geom) {
    const model::Body& carrier = model.bodies[static_cast<std::size_t>(geom.body)];
    return carrier.weld == body && !carrier.inertial;
  });
}

TEST(CompileOracleTest, LinksOfRobotsAreFusedAlike) {
  for (const std::string name : {"indy7", "iiwa14", "gen3", "go2"}) {
    const std::string path = std::string(TRILITH_SOURCE_DIR) + "/models/" + name + ".urdf";
    SCOPED_TRACE(path);
    const auto loaded = io::load_model(path);
    const Mujoco theirs = load_mujoco(path);
    ASSERT_TRUE(loaded.ok() && theirs);
    for (const model::Joint& joint : loaded.value().joints) {
      const std::string& link = loaded.value().bodies[static_cast<std::size_t>(joint.body)].name;
      const int i = mj_name2id(theirs.get(), mjOBJ_BODY, link.c_str()), j = mj_name2id(theirs.get(), mjOBJ_JOINT, joint.name.c_str());
      ASSERT_GE(i, 0) << link;
      ASSERT_GE(j, 0) << joint.name;
      if (weighed_by_shapes(loaded.value(), joint.body)) continue;
      const Inertiad ours = fused(loaded.value(), joint.body);
      expect_close(ours.mass, theirs->body_mass[i], link + " mass");
      expect_close(ours.com, theirs->body_ipos + 3 * i, link + " com");
      const double* m = theirs->body_inertia + 3 * i;
      const Mat3d R = rotation_of(theirs->body_iquat + 4 * i);
      expect_close((1 / m[0]) * ours.about_com, (1 / m[0]) * (R * diagonal3(Vec3d{m[0], m[1], m[2]}) * transpose(R)), link + " inertia",
                   2e-6);
      expect_close(joint.axis, theirs->jnt_axis + 3 * j, joint.name + " axis");
      EXPECT_EQ(joint.range.has_value(), theirs->jnt_limited[j] != 0) << joint.name;
      expect_close(joint.damping, theirs->dof_damping[theirs->jnt_dofadr[j]], joint.name + " damping");
    }
  }
}

TEST(CompileOracleTest, RandomFilesMeanTheSame) {
  namespace fs = std::filesystem;
  const fs::path folder = fs::temp_directory_path() / ("trilith_compile_" + std::to_string(::getpid()));
  constexpr std::uint64_t samples = 200;
  std::uint64_t compared = 0;
  for (std::uint64_t seed = 0; seed < samples; ++seed) {
    const test::MjcfSample sample = test::make_mjcf_sample(seed, test::MjcfDialect::debian);
    fs::remove_all(folder);
    for (const auto& [name, text] : sample.files) {
      fs::create_directories((folder / name).parent_path());
      std::ofstream(folder / name, std::ios::binary) << text;
    }
    SCOPED_TRACE("seed " + std::to_string(seed));
    compared += compare((folder / sample.main).string()) ? 1 : 0;
    if (::testing::Test::HasFailure()) break;
  }
  fs::remove_all(folder);
  EXPECT_GE(compared, samples * 9 / 10);
}

}  // namespace
}  // namespace trilith
