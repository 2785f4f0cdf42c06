#pragma once
#include <string>
#include <vector>

#include "model/elements.h"
#include "trilith/result.h"

namespace trilith::model {

/// How inertias come from shapes, and how they are mended.
struct InertiaRules {
  enum class FromShapes : std::uint8_t { never, where_absent, always } from_shapes = FromShapes::where_absent;
  bool balance = false;                          ///< inertias that break A + B >= C become the mean of the three
  double least_mass = 0, least_inertia = 0;      ///< of every moving body: kg, kg m^2
  std::optional<double> total_mass;              ///< kg: scale all masses and inertias to this sum
  std::int32_t first_group = 0, last_group = 5;  ///< groups of shapes that count
};

/// What a model is made of, in file order: bodies depth first, body 0 the world.
struct ModelElements {
  std::vector<Body> bodies;
  std::vector<Joint> joints;  ///< grouped by body, in the order of bodies
  std::vector<Geom> geoms;    ///< likewise
  std::vector<Site> sites;    ///< likewise
  std::vector<Equality> equalities;
  std::vector<Tendon> tendons;
  std::vector<Actuator> actuators;
  std::vector<Sensor> sensors;
  std::vector<ContactPair> pairs;
  std::vector<ContactExclude> excludes;
  std::vector<Keyframe> keyframes;
  std::vector<MeshAsset> meshes;
  std::vector<HeightFieldAsset> height_fields;
};

/// An articulated model as a file gives it. References are names.
struct ModelInput : ModelElements {
  std::string source;  ///< file name as the user wrote it
  std::string name;
  std::string format;  ///< "mjcf" or "urdf"
  SimulationOptions options;
  /// Where the file says an option, by its name ("timestep"); the source itself where it does not.
  std::vector<std::pair<std::string, std::string>> option_places;
  InertiaRules inertia_rules;
  std::vector<Warning> warnings;  ///< of reading
  std::string sha256;             ///< of the file's bytes and of the files it names (docs/conventions.md)
};

/// What the caller sets above the file.
struct ModelOptions {
  std::optional<Vec3d> gravity;  ///< m/s^2
  bool balance_inertia = false;
  bool floating_base = false;  ///< a free joint for every root body that has none (URDF)
  bool bare = false;           ///< no joint damping, friction loss and armature
  bool clamp_initial = false;  ///< a default pose outside its limits is moved inside
};

/// Sizes of the vectors of a state.
struct Sizes {
  std::int32_t nq = 0, nv = 0, nu = 0, na = 0, nmocap = 0, nsensordata = 0;
};

/// A checked articulated model; immutable once made, share it between threads. The elements are those of ModelInput with every "made"
/// field filled and every reference resolved.
struct Model : ModelElements {
  std::string source, name, format, sha256;
  Sizes sizes;
  SimulationOptions options;
  std::vector<double> qpos0;         ///< nq: the pose of the file, from which joints are measured (kinematics, equalities)
  std::vector<double> default_qpos;  ///< nq: where a state starts that says nothing: qpos0, but followers (mimic) where their leader puts
                                     ///< them, and inside the limits where ModelOptions::clamp_initial asks for it
  std::vector<double> spring_qpos;   ///< nq: where joint springs are slack
  double mass = 0;                   ///< kg, of all bodies
  std::vector<Warning> warnings;     ///< of reading and making
};

}  // namespace trilith::model
