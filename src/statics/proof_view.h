#pragma once
#include <vector>

#include "certify/problem.h"
#include "model/assembly.h"

namespace trilith::statics {

/// An interface as the verifier sees it; views into `face`.
certify::Patch patch_of(const model::Interface& face);

/// An assembly as the verifier sees it. Views into the assembly, which must outlive this object; not copyable for that reason.
class ProofView {
 public:
  explicit ProofView(const model::Assembly& assembly);
  ProofView(const ProofView&) = delete;
  ProofView& operator=(const ProofView&) = delete;

  const certify::StaticProblem& problem() const noexcept { return problem_; }
  /// With the joints that were left out as doubtful: what falls with them as contacts falls whatever they do. (GEO-13)
  const certify::StaticProblem& collapse_problem() const noexcept { return collapse_problem_; }

 private:
  std::vector<certify::Body> bodies_;
  std::vector<certify::Patch> patches_;
  std::vector<certify::Load> loads_;
  certify::StaticProblem problem_, collapse_problem_;
};

}  // namespace trilith::statics
