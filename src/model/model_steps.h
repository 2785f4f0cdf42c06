#pragma once
#include "model/make_model.h"
#include "model/name_index.h"

/// The stages of make_model, in their order.
namespace trilith::model {

/// What every stage reads and fills.
struct Making {
  Model& model;
  const ModelOptions& options;
  const ModelLimits& limits;
  const InertiaRules& rules;
  Findings& findings;
  const std::vector<std::pair<std::string, std::string>>& option_places;
  NameIndex bodies{}, joints{}, geoms{}, sites{}, tendons{}, actuators{}, meshes{}, height_fields{};
  Tally laws{findings, limits.most_alike, "soft laws with numbers out of range"};

  /// What the user calls a body: "link" in URDF.
  std::string_view body_kind() const { return model.format == "urdf" ? "link" : "body"; }
  /// The place in the file that sets the option, or the file.
  const std::string& place_of_option(std::string_view option) const {
    for (const auto& [name, where] : option_places)
      if (name == option) return where;
    return model.source;
  }
};

/// What the caller sets above the file: gravity, bare, floating base.
void apply_model_options(Making& making);

/// Time step, gravity, solver numbers.
void check_simulation_options(Making& making);

/// Parents before children and depth first, elements grouped by body, poses finite, mocap bodies. Fills root, weld, mocap_index. False
/// where the tree cannot be walked: then nothing else is looked at.
bool check_bodies(Making& making);

/// Kinds, axes and ranges of joints; lays out q and v, qpos0 and spring_qpos.
void check_joints(Making& making);

/// Names of every kind, unique.
void index_names(Making& making);

/// Sizes, contact numbers and assets of shapes and sites. False where one is refused: then nothing is weighed.
bool check_shapes(Making& making);

/// Inertias: the file's or from shapes, mended as the rules say, checked. (INE-3)
void weigh_bodies(Making& making);

/// References and numbers of equalities, tendons, contact pairs and excludes.
void check_constraints(Making& making);

/// Actuators, their activations; sensors and their place among all measurements.
void check_actuators(Making& making);
void check_sensors(Making& making);

/// default_qpos: the pose of the file, followers set by their leaders, moved inside limits on request; tells what is outside a limit.
void settle_default_pose(Making& making);

/// Sizes of saved states, and that their quaternions are rotations.
void check_keyframes(Making& making);

/// Refuses numbers that are not finite or beyond the limit. `what`: "position of body "b"".
bool check_finite(const Vec3d& p, const std::string& what, const std::string& where, Making& making);

/// lower <= upper, neither NaN; one that locks is told.
void check_range(const Range& range, const std::string& owner, const std::string& where, Making& making);

/// What a soft law has that no solver can use: mixed signs, values that are clamped. Told, not changed.
void check_softness(const Softness& law, const std::string& owner, const std::string& where, Making& making);

}  // namespace trilith::model
