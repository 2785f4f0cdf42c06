#pragma once
#include <optional>
#include <string>
#include <vector>

#include "model/model.h"
#include "multibody/tree.h"

namespace trilith::dynamics {

/// A named frame on a body: X_BF.
struct NamedFrame {
  std::string name;
  std::int32_t body = 0;
  Posed X_BF = identity_pose<double>();
};

/// The frame that `name` means: of a body (link), else a joint (its anchor, axes of its body), else a site. Nothing where there is none.
std::optional<NamedFrame> find_frame(const model::Model& model, const std::string& name);
/// Every name that `find_frame` knows, for a suggestion.
std::vector<std::string_view> frame_names(const model::Model& model);

/// Pose and Jacobians of a frame; 6 x nv, row-major, linear rows first.
struct FrameTerms {
  NamedFrame frame;
  Posed X_WF = identity_pose<double>();
  std::vector<double> J_world_aligned;  ///< of the frame's origin, world axes
  std::vector<double> J_spatial;        ///< of the point of the body that passes the world's origin
};

/// Where, and what to compute.
struct TermsQuestion {
  std::vector<double> q, v;  ///< nq, nv; quaternions of length 1
  std::vector<double> tau;   ///< nv: generalised forces of the caller, N or N m; empty: zero
  std::vector<double> a;     ///< nv: accelerations for inverse dynamics; empty: zero
  std::vector<NamedFrame> frames;
  bool derivatives = false;
};

/// Terms of M a + bias = tau at one state, of the rigid bodies and armatures alone: no springs, dampers, actuators and constraints.
/// Matrices nv x nv, row-major. Coordinates and tangents as `inspect` documents them: world translation and rotation in body axes for a
/// free joint.
struct Terms {
  std::vector<Posed> X_WB;  ///< per body
  std::vector<double> M, bias;
  std::vector<double> free;           ///< M^-1 (tau - bias): acceleration under the caller's forces alone
  std::vector<double> tau;            ///< M a + bias
  double kinetic = 0, potential = 0;  ///< J
  std::vector<FrameTerms> frames;
  std::vector<double> dtau_dq, dtau_dv;       ///< of tau, at `a`
  std::vector<double> da_dq, da_dv, da_dtau;  ///< of `free`, at the caller's forces
};

/// Nothing where the mass matrix is not positive definite. Mocap bodies stand where the file puts them.
std::optional<Terms> measure_terms(const model::Model& model, const multibody::Tree& tree, const TermsQuestion& question);

/// Poses of all bodies at `q`.
std::vector<Posed> body_poses(const multibody::Tree& tree, const std::vector<double>& q);

}  // namespace trilith::dynamics
