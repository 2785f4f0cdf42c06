#pragma once
#include <cstdint>
#include <optional>
#include <string>

#include "dynamics/workspace.h"

namespace trilith::dynamics {

/// Something of the model that acts by a constraint force in the present state.
struct ConstraintSource {
  enum class Kind : std::uint8_t { equality, joint_friction, tendon_friction, joint_limit, tendon_limit, contact } kind = Kind::equality;
  std::int32_t element = -1;  ///< equality, joint, tendon, or the first geom
  std::int32_t other = -1;    ///< the second geom
};

/// Shapes of the model that may touch each other, after filters, exclusions and named pairs.
struct TouchingPair {
  std::int32_t a, b;
  double margin;  ///< m
};

/// Looks for constraints that are active in a state. Made once per run.
class ConstraintWatch {
 public:
  explicit ConstraintWatch(const System& system);
  /// The first active source, in the order equalities, friction losses, limits, contacts; nothing where all forces are smooth. Contacts are
  /// told from bounding spheres (and, against planes, from the shapes themselves): two shapes that are near each other count as touching.
  std::optional<ConstraintSource> find(const System& system, const State& state, const Workspace& w) const noexcept;

 private:
  std::optional<ConstraintSource> find_friction_or_equality(const System& system) const noexcept;
  std::optional<ConstraintSource> find_limit(const System& system, const State& state, const Workspace& w) const noexcept;
  std::optional<ConstraintSource> find_contact(const System& system, const Workspace& w) const noexcept;
  std::vector<TouchingPair> pairs_;
  std::vector<double> radius_;  ///< per geom: of the sphere around its origin that holds it, m; infinite for planes
};

/// "joint \"hip\" is at its limit"
std::string describe(const model::Model& model, const ConstraintSource& source);

}  // namespace trilith::dynamics
