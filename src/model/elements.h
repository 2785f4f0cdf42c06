#pragma once
#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "geom/mesh.h"
#include "geom/shape.h"
#include "spatial/inertia.h"

/// What the files of articulated models name, one struct each: bodies with their joints and shapes, and what acts on them. SI units,
/// radians, w-first unit quaternions. Readers fill these with defaults and classes already applied; `make_model` resolves the references
/// and fills what is marked "made".

namespace trilith::model {

/// An element of the same model: by name as the file says it, then by its index.
struct Reference {
  std::string name;         ///< empty: none
  std::int32_t index = -1;  ///< made; -1: none
};

/// A soft constraint law as the files give it (spec of MJCF): `solref` = (time constant [s], damping ratio) where both are positive, else
/// (-stiffness, -damping); `solimp` = (d0, width d, width [m or rad], midpoint, power). Values are as written; who uses them sanitises.
struct Softness {
  std::array<double, 2> solref{0.02, 1};
  std::array<double, 5> solimp{0.9, 0.95, 0.001, 0.5, 2};
};

/// Impedances and midpoints outside are taken at the nearer of these. (docs/defaults.md)
inline constexpr double least_impedance = 1e-4, largest_impedance = 0.9999;

/// An interval; a side that is absent is infinite.
struct Range {
  double lower = 0, upper = 0;
};

enum class JointKind : std::uint8_t { free, ball, hinge, slide };

/// Degrees of freedom of a joint.
constexpr std::int32_t dofs_of(JointKind kind) noexcept { return kind == JointKind::free ? 6 : kind == JointKind::ball ? 3 : 1; }

/// A follower of another joint: q = multiplier q_other + offset (URDF).
struct Mimic {
  Reference joint;
  double multiplier = 1, offset = 0;
};

/// One joint between a body and its parent. A body without joints is welded; several joints act in file order, the first nearest to the
/// parent.
struct Joint {
  std::string name;
  std::int32_t body = -1;  ///< the body that it moves
  JointKind kind = JointKind::hinge;
  Vec3d anchor{};               ///< p_BA: a point of the axis in the body's frame B, m (hinge, ball)
  Vec3d axis{0, 0, 1};          ///< unit, in B (hinge, slide)
  double reference = 0;         ///< coordinate in the pose of the file: rad or m (hinge, slide)
  double spring_reference = 0;  ///< coordinate at which the spring is slack
  double stiffness = 0;         ///< N m/rad or N/m
  double damping = 0;           ///< N m s/rad or N s/m
  double armature = 0;          ///< added to the diagonal of the mass matrix: kg m^2 or kg
  double friction_loss = 0;     ///< N m or N
  std::optional<std::array<double, 2>>
      spring_damper;  ///< time constant [s] and damping ratio of the joint in the pose of the file: stand for stiffness and damping
  std::optional<Range> range;          ///< rad or m; ball: (0, largest angle). Absent: not limited
  std::optional<Range> force_range;    ///< bounds on the sum of actuator forces, N m or N
  std::optional<double> max_velocity;  ///< rad/s or m/s (URDF)
  std::optional<double> max_effort;    ///< N m or N (URDF)
  double margin = 0;                   ///< distance from the limit at which it acts, rad or m
  Softness limit_law, friction_law;
  bool actuator_gravity_compensation = false;  ///< gravity compensation counts as an actuator force
  std::optional<Mimic> mimic;
  std::string where;
  std::int32_t q = -1, v = -1;  ///< made: first coordinate and first degree of freedom
};

using GeomKind = geom::ShapeKind;

/// A shape fixed to a body. `size` by kind: plane half sizes x, y (0: infinite); sphere (radius); capsule and cylinder (radius, half length
/// along z); ellipsoid semi-axes; box half sizes; mesh and hfield: unused.
struct Geom {
  std::string name;
  std::int32_t body = -1;
  GeomKind kind = GeomKind::sphere;
  Vec3d size{};
  Posed pose = identity_pose<double>();  ///< X_BG
  Reference asset;                       ///< mesh or height field
  bool shell = false;                    ///< mass is spread over the surface
  std::optional<double> mass;            ///< kg; wins over density
  double density = 1000;                 ///< kg/m^3 (shell: kg/m^2)
  std::int32_t contype = 1, conaffinity = 1, condim = 3, priority = 0, group = 0;
  std::array<double, 3> friction{1, 0.005, 0.0001};  ///< sliding; torsional [m]; rolling [m]
  double solmix = 1, margin = 0, gap = 0;
  Softness law;
  bool visual_only = false;  ///< from a visual element: no mass, no contact
  std::array<float, 4> rgba{0.5F, 0.5F, 0.5F, 1};
  std::string where;
};

/// A named frame fixed to a body. `kind` and `size` matter to touch sensors and tendons that wrap around nothing else.
struct Site {
  std::string name;
  std::int32_t body = -1;
  GeomKind kind = GeomKind::sphere;
  Vec3d size{0.005, 0.005, 0.005};
  Posed pose = identity_pose<double>();  ///< X_BS
  std::int32_t group = 0;
  std::string where;
};

/// A rigid body. Body 0 is the world.
struct Body {
  std::string name;
  std::int32_t parent = 0;
  Posed pose = identity_pose<double>();  ///< X_PB in the pose of the file
  std::optional<Inertiad> inertial;      ///< as the file gives it, in B; absent: from the shapes
  std::optional<Mat3d> inertial_axes;    ///< R_BI: axes in which the file gives the moments of `inertial`; absent: a full tensor
  bool mocap = false;
  double gravity_compensation = 0;  ///< share of its weight that is held
  std::string where;
  Inertiad inertia{};                                ///< made: in B, kg and kg m^2
  Mat3d principal_axes = identity3<double>();        ///< made: R_BI, axes of the inertial frame, along principal axes of `inertia`
  std::int32_t first_joint = -1, joint_count = 0;    ///< made
  std::int32_t first_v = -1, v_count = 0, root = 0;  ///< made: degrees of freedom of its own joints; top of its kinematic tree
  std::int32_t mocap_index = -1;                     ///< made
  std::int32_t weld = 0;                             ///< made: nearest body above (or itself) that has joints or is mocap, or the world
};

enum class EqualityKind : std::uint8_t { connect, weld, joint, tendon };

/// A two-sided constraint. connect, weld: `a`, `b` are bodies (or sites), b empty: the world. joint, tendon: a is driven by b (or by
/// nothing).
struct Equality {
  std::string name;
  EqualityKind kind = EqualityKind::connect;
  Reference a, b;
  bool on_sites = false;               ///< a and b name sites
  Vec3d anchor{};                      ///< connect: in a's frame; weld: in b's frame (m)
  std::optional<Posed> relative_pose;  ///< weld: X_ab; absent: as in the pose of the file
  double torque_scale = 1;
  std::array<double, 5> polynomial{0, 1, 0, 0, 0};
  bool active = true;
  Softness law;
  std::string where;
};

/// A step of a spatial tendon's path: a site, a sphere or cylinder to wrap around (with the side that it prefers), or a pulley that divides
/// what follows.
struct PathPoint {
  enum class Kind : std::uint8_t { site, wrap, pulley } kind = Kind::site;
  Reference element, side_site;
  double divisor = 1;
};
struct TendonTerm {
  Reference joint;
  double coefficient = 0;
};

/// A tendon: fixed (`terms`, length = sum of coefficient q) or spatial (`path`).
struct Tendon {
  std::string name;
  std::vector<TendonTerm> terms;
  std::vector<PathPoint> path;
  std::optional<Range> range, force_range;
  double margin = 0, friction_loss = 0, stiffness = 0, damping = 0, armature = 0;
  std::optional<Range> spring_length;  ///< slack between the two; absent: its length where joint springs are slack
  Softness limit_law, friction_law;
  std::int32_t group = 0;
  std::string where;
};

enum class Transmission : std::uint8_t { joint, joint_in_parent, tendon, site, slider_crank, body };
enum class Activation : std::uint8_t { none, integrator, filter, filter_exact };
enum class GainKind : std::uint8_t { fixed, affine };
enum class BiasKind : std::uint8_t { none, affine };

/// force = gain(length, velocity) * (activation or control) + bias(length, velocity). gain and bias are p0 [+ p1 length + p2 velocity].
struct Actuator {
  std::string name;
  Transmission transmission = Transmission::joint;
  Reference target;       ///< joint, tendon, site or body; slider_crank: the crank's site
  Reference second_site;  ///< site: the frame of reference; slider_crank: the slider's site
  double crank_length = 0;
  std::array<double, 6> gear{1, 0, 0, 0, 0, 0};
  std::optional<Range> control_range, force_range, activation_range;
  Activation activation = Activation::none;
  std::array<double, 3> activation_parameters{1, 0, 0};
  bool early = false;  ///< the force sees the activation of the next step
  GainKind gain = GainKind::fixed;
  std::array<double, 3> gain_parameters{1, 0, 0};
  BiasKind bias = BiasKind::none;
  std::array<double, 3> bias_parameters{0, 0, 0};
  std::optional<double> damping_ratio;  ///< position servo: velocity gain from the inertia in the pose of the file
  std::int32_t group = 0;
  std::string where;
  std::int32_t act = -1;  ///< made: index of its activation
};

enum class SensorKind : std::uint8_t {
  touch,
  accelerometer,
  velocimeter,
  gyro,
  force,
  torque,
  magnetometer,
  rangefinder,
  joint_position,
  joint_velocity,
  tendon_position,
  tendon_velocity,
  actuator_position,
  actuator_velocity,
  actuator_force,
  joint_actuator_force,
  tendon_actuator_force,
  ball_quaternion,
  ball_angular_velocity,
  joint_limit_position,
  joint_limit_velocity,
  joint_limit_force,
  tendon_limit_position,
  tendon_limit_velocity,
  tendon_limit_force,
  frame_position,
  frame_quaternion,
  frame_x_axis,
  frame_y_axis,
  frame_z_axis,
  frame_linear_velocity,
  frame_angular_velocity,
  frame_linear_acceleration,
  frame_angular_acceleration,
  subtree_com,
  subtree_linear_velocity,
  subtree_angular_momentum,
  kinetic_energy,
  potential_energy,
  clock
};

enum class ElementKind : std::uint8_t { none, body, body_frame, geom, site, joint, tendon, actuator };

/// A measurement. `body` as an object means the body's inertial frame, `body_frame` its own.
struct Sensor {
  std::string name;
  SensorKind kind = SensorKind::clock;
  ElementKind object_kind = ElementKind::none, reference_kind = ElementKind::none;
  Reference object, reference;
  double cutoff = 0;  ///< 0: none
  std::string where;
  std::int32_t first = -1, dimension = 0;  ///< made: its place in the vector of all measurements
};

/// A contact pair that overrides what its two shapes say.
struct ContactPair {
  std::string name;
  Reference a, b;  ///< geoms
  std::optional<std::int32_t> condim;
  std::optional<std::array<double, 5>> friction;
  std::optional<std::array<double, 2>> solref, friction_solref;
  std::optional<std::array<double, 5>> solimp;
  std::optional<double> margin, gap;
  std::string where;
};
/// Bodies that never touch each other.
struct ContactExclude {
  Reference a, b;
  std::string where;
};

/// A saved state; an empty vector means the default.
struct Keyframe {
  std::string name;
  double time = 0;
  std::vector<double> q, v, act, ctrl, mocap_position, mocap_quaternion;
  std::string where;
};

/// A triangle or polygon mesh, lengths in m, `scale` applied.
struct MeshAsset {
  std::string name;
  geom::Mesh mesh;
  enum class Inertia : std::uint8_t { legacy, exact, convex, shell } inertia = Inertia::legacy;
  std::string where;
};
/// Heights over a grid: rows along y, columns along x. `size`: half extents x, y, height of 1, depth of the base below 0 (m).
struct HeightFieldAsset {
  std::string name;
  std::int32_t rows = 0, columns = 0;
  std::array<double, 4> size{};
  std::vector<float> heights;  ///< 0 to 1, row-major
  std::string where;
};

enum class Integrator : std::uint8_t { euler, rk4, implicit, implicit_fast };
enum class FrictionCone : std::uint8_t { pyramidal, elliptic };
enum class ContactSolver : std::uint8_t { newton, cg, pgs };

/// How the model is simulated unless the caller says otherwise.
struct SimulationOptions {
  double timestep = 0.002;  ///< s
  Vec3d gravity{0, 0, -9.81};
  Vec3d wind{}, magnetic{0, -0.5, 0};
  double medium_density = 0, medium_viscosity = 0;
  Integrator integrator = Integrator::euler;
  FrictionCone cone = FrictionCone::pyramidal;
  ContactSolver solver = ContactSolver::newton;
  std::int32_t iterations = 100, ls_iterations = 50, noslip_iterations = 0;
  double tolerance = 1e-8, ls_tolerance = 0.01, noslip_tolerance = 1e-6;
  std::optional<double> impratio;
  double override_margin = 0;
  Softness override_law;
  std::array<double, 5> override_friction{1, 1, 0.005, 0.0001, 0.0001};
  bool override_contact = false;
  // what is switched on
  bool constraints = true, equalities = true, friction_losses = true, limits = true, contacts = true, passive_forces = true,
       gravity_on = true;
  bool clamp_controls = true, warm_start = true, filter_parent = true, actuation = true, reference_safety = true, sensors = true;
  bool damp_in_euler = true;  ///< Euler treats joint damping implicitly
};

}  // namespace trilith::model
