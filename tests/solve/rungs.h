#pragma once
#include <algorithm>
#include <vector>

#include "assemblies.h"
#include "certify/verify.h"
#include "constraints/contact_rows.h"
#include "solve/alternating_projections.h"
#include "solve/body_graph.h"
#include "solve/closed_form.h"

/// Runs one rung on an assembly and puts its forces before the verifier.
namespace trilith::test {

struct Outcome {
  solve::ForceReport report;
  constraints::ContactRows contacts;
  std::vector<double> force;            ///< lane layout, normalised
  std::vector<Vec3d> local_N, world_N;  ///< per vertex of every interface
  bool solved() const { return report.status == SolveStatus::solved; }
};

inline void write_newtons(const model::Assembly& assembly, Outcome& outcome) {
  outcome.local_N.resize(static_cast<std::size_t>(outcome.contacts.first_vertex.back()));
  outcome.world_N.resize(outcome.local_N.size());
  constraints::write_forces(outcome.contacts, outcome.force, outcome.local_N);
  constraints::write_world_forces(outcome.contacts, assembly, outcome.force, outcome.world_N);
}

inline Outcome run_closed_form(const model::Assembly& assembly, const solve::ClosedFormSettings& settings = {}) {
  Outcome outcome{{}, constraints::make_contact_rows(assembly), {}, {}, {}};
  const rows::PatchRows& rows = outcome.contacts.rows;
  solve::BodyGraph system(rows);
  solve::ClosedForm rung(rows, settings);
  outcome.force.assign(rows.size(), 0.0);
  outcome.report = rung.propose({rows, outcome.contacts.load}, system, true, outcome.force);
  write_newtons(assembly, outcome);
  return outcome;
}

inline Outcome run_projections(const model::Assembly& assembly, const solve::AlternatingProjectionsSettings& settings = {},
                               const Deadline& deadline = {}) {
  Outcome outcome{{}, constraints::make_contact_rows(assembly), {}, {}, {}};
  const rows::PatchRows& rows = outcome.contacts.rows;
  solve::BodyGraph system(rows);
  system.set_weights({});
  (void)system.factor();
  solve::AlternatingProjections rung(rows, settings);
  outcome.force.assign(rows.size(), 0.0);
  outcome.report = rung.propose({rows, outcome.contacts.load}, system, deadline, outcome.force);
  write_newtons(assembly, outcome);
  return outcome;
}

/// An assembly as the verifier sees it.
class JudgedProblem {
 public:
  explicit JudgedProblem(const model::Assembly& assembly) : gravity_(assembly.gravity) {
    for (const model::Block& b : assembly.blocks)
      bodies_.push_back({b.id, b.fixed, b.density, b.mesh.vertices, b.mesh.face_start, b.mesh.face_vertex});
    for (const model::Interface& i : assembly.interfaces) patches_.push_back({i.a, i.b, i.polygon, i.normal, i.mu});
  }
  certify::StaticProblem problem() const { return {bodies_, patches_, gravity_}; }

 private:
  std::vector<certify::Body> bodies_;
  std::vector<certify::Patch> patches_;
  Vec3d gravity_;
};

/// The verifier's answer to world forces.
inline certify::Verification judge(const model::Assembly& assembly, const std::vector<Vec3d>& world_N, bool exact) {
  const JudgedProblem judged(assembly);
  return exact ? certify::verify_force_state_exact(judged.problem(), world_N, {})
               : certify::verify_force_state(judged.problem(), world_N, {});
}

/// The exact verifier's answer to a motion, one velocity per block.
inline certify::Verification judge_motion(const model::Assembly& assembly, const std::vector<Vec3d>& linear,
                                          const std::vector<Vec3d>& angular) {
  std::vector<certify::Velocity> velocities(linear.size());
  for (std::size_t i = 0; i < linear.size(); ++i) velocities[i] = {linear[i], angular[i]};
  const JudgedProblem judged(assembly);
  return certify::verify_collapse_exact(judged.problem(), velocities, {});
}

/// Both judges accept; the exact one is asked up to 500 blocks (it has its own tests of size).
inline bool accepted(const model::Assembly& assembly, const Outcome& outcome) {
  if (!judge(assembly, outcome.world_N, false).accepted) return false;
  return assembly.blocks.size() > 500 || judge(assembly, outcome.world_N, true).accepted;
}

}  // namespace trilith::test
