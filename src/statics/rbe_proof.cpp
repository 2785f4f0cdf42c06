#include "statics/rbe_proof.h"

#include <vector>

#include "statics/proof_view.h"

namespace trilith::statics {
namespace {

/// The program of an assembly as the judge sees it; views into both.
class ProgramView {
 public:
  ProgramView(const model::Assembly& assembly, const RbeSettings& settings) : view_(assembly) {
    for (const model::Interface& face : assembly.interfaces) t1_.push_back(face.t1);
    program_.statics = view_.problem();
    program_.t1 = t1_;
    program_.faces = settings.cone == RbeCone::quadratic ? 0 : settings.faces;
    program_.around = settings.cone == RbeCone::circumscribed;
    program_.split = settings.form == solve::FrictionForm::plus;
    program_.pressing = settings.hessian_scale;
    program_.pulling = settings.gamma;
    program_.tangential = settings.tau;
  }
  const certify::PenaltyProgram& program() const { return program_; }

 private:
  ProofView view_;
  std::vector<Vec3d> t1_;
  certify::PenaltyProgram program_;
};

}  // namespace

certify::PenaltyVerification prove_rbe_point(const model::Assembly& assembly, const RbeSettings& settings, std::span<const Vec3d> net,
                                             std::span<const double> pulling, std::span<const certify::Velocity> multipliers) {
  const ProgramView view(assembly, settings);
  std::vector<certify::PenaltyForce> forces;
  forces.reserve(net.size());
  for (std::size_t v = 0; v < net.size(); ++v) forces.push_back({net[v].x + pulling[v], pulling[v], net[v].y, net[v].z});
  return certify::verify_penalty_point(view.program(), forces, multipliers, settings.proof);
}

certify::PenaltyVerification prove_rbe_ray(const model::Assembly& assembly, const RbeSettings& settings,
                                           std::span<const certify::Velocity> velocities) {
  const ProgramView view(assembly, settings);
  return certify::verify_penalty_ray(view.program(), velocities, settings.proof);
}

}  // namespace trilith::statics
