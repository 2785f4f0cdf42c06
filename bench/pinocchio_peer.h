#pragma once
#include <memory>
#include <vector>

#include "multibody/tree.h"

/// Pinocchio as a peer of the multibody bench: one state at a time, the way its users call it.
namespace trilith::bench {

/// True where the program was built with it; else a line says so.
bool have_pinocchio();

class PinocchioPeer {
 public:
  /// Hinges, and free links (translation and ball) on the world; the end effector is body 0 of `input`.
  explicit PinocchioPeer(const multibody::TreeInput& input);
  ~PinocchioPeer();
  PinocchioPeer(const PinocchioPeer&) = delete;
  PinocchioPeer& operator=(const PinocchioPeer&) = delete;

  /// States one after the other: our coordinates and velocities, turned into pinocchio's.
  void set_states(const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& tau);

  /// Every state: computeABADerivatives and the frame Jacobian.
  void linearise();
  /// Every state: aba in world axes, and the frame's placement.
  void accelerate();
  /// What the last state gave: accelerations, then da/dq row by row (dof order of pinocchio).
  std::vector<double> last_answer() const;

 private:
  struct Parts;
  std::unique_ptr<Parts> parts_;
};

}  // namespace trilith::bench
