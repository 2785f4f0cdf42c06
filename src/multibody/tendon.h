#pragma once
#include "model/model.h"
#include "multibody/sparse_rows.h"
#include "multibody/tendon_wrap.h"
#include "multibody/tree_motion.h"

/// Tendons: lengths and their Jacobians. A fixed tendon sums joint coordinates; a spatial one is a string through sites, around spheres and
/// cylinders and over pulleys. Theory: docs/theory/dynamics.md (DYN-6) to (DYN-9).
namespace trilith::multibody {

/// The tendons of a model on its tree. Immutable; refers to both, which must live as long.
class Tendons {
 public:
  Tendons() = default;
  Tendons(const model::Model& model, const Tree& tree);

  std::int32_t count() const noexcept { return pattern_.rows(); }
  /// Degrees of freedom that can change each length. Those that carry the whole string are not among them.
  const SparseRows& pattern() const noexcept { return pattern_; }
  /// True where the tendon goes around a sphere or a cylinder.
  bool wraps(std::int32_t tendon) const noexcept { return wraps_[static_cast<std::size_t>(tendon)]; }

  /// Writes lengths (m; rad for fixed tendons of hinges) and the values of `pattern()`, m per unit of the degree of freedom. `q`:
  /// coordinates; `X_WB`: of the model's bodies; `scratch`: one number per degree of freedom, 0 before and after.
  void update(const TreeMotion& motion, std::span<const double> q, std::span<const Posed> X_WB, std::span<double> lengths,
              std::span<double> values, std::span<double> scratch) const noexcept;

  /// Jdot v of a tendon without wraps [m/s^2]: its length's acceleration where no joint accelerates. (DYN-7) Needs accelerations of links
  /// at zero joint acceleration.
  double bias_acceleration(std::int32_t tendon, const TreeMotion& motion, std::span<const Posed> X_WB) const noexcept;

 private:
  struct Leg;
  /// A straight piece, or one that may bend around a shape.
  struct Segment {
    std::int32_t first, second;  ///< sites
    std::int32_t geom = -1, side_site = -1;
    double divisor = 1;
  };
  void add_pattern(const model::Tendon& tendon);
  std::vector<Segment> segments_of(const model::Tendon& tendon) const;
  double trace_segment(const TreeMotion& motion, std::span<const Posed> X_WB, const Segment& segment,
                       std::span<double> scratch) const noexcept;
  double trace_leg(const TreeMotion& motion, const Leg& leg, double scale, std::span<double> scratch) const noexcept;
  Vec3d site_position(std::int32_t site, std::span<const Posed> X_WB) const noexcept;
  std::int32_t link_of_site(std::int32_t site) const noexcept;

  const model::Model* model_ = nullptr;
  const Tree* tree_ = nullptr;
  SparseRows pattern_;
  std::vector<std::vector<Segment>> segments_;
  std::vector<char> wraps_;
};

}  // namespace trilith::multibody
