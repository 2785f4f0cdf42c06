#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certify/planar_refutation.h"
#include "certify/problem.h"
#include "certify/verify.h"
#include "io/json.h"
#include "model/assembly.h"
#include "statics/check.h"
#include "trilith/result.h"

namespace trilith::results {

inline constexpr std::string_view certificate_schema = "trilith.certificate/1";

/// What the claim assumes and by which gates it passed. SI units; `unit` is that of the assembly file.
struct CertificateSettings {
  double friction = 0;                   ///< default in force
  double density = 0;                    ///< default in force, kg/m^3
  Vec3d gravity{};                       ///< m/s^2
  std::string unit;                      ///< "m", "mm", ...
  std::vector<std::string> fixed_added;  ///< supports that the file does not name
  double balance_tolerance = 0;          ///< of the mean block weight
  double least_force_factor = 0;
  model::AssemblyOptions flags;  ///< only what the caller set above the file; the judge must set the same to judge the same model
};

/// A contact polygon of the proof. World axes, m; the normal points from a into b and may have any length.
struct CertificateInterface {
  std::string a, b;
  std::vector<Vec3d> polygon;
  Vec3d normal{};
  double mu = 0;
};

/// Velocity of one block's centre of mass and its angular velocity, world axes, m/s and rad/s.
struct BlockVelocity {
  std::string id;
  certify::Velocity velocity;
};

/// What a proof of the claim `cra` holds beside forces (CRA-1, CRA-11).
struct CoupledProof {
  double give_m = 0, bound_m = 0;                  ///< cra_pair
  std::vector<BlockVelocity> displacements;        ///< cra_pair: every free block, m and rad
  std::vector<std::vector<double>> alpha_N_per_m;  ///< cra_pair: one list per interface, one number per polygon vertex
  double bound_gives = 0, least_slip_gives = 0;    ///< cra_refutation
  std::vector<certify::RefutationStep> steps;      ///< cra_refutation: lemmas with their rays and clauses that follow, in order
};

/// What a verdict rests on, as a file: anyone can check it against the assembly, with any program.
struct Certificate {
  /// "force_state" or, under the claim cra, "cra_pair" (stands); "infeasibility_ray" or, under cra, "cra_refutation" (falls)
  std::string kind;
  std::string claim = "rbe";
  std::string input_sha256;
  std::string engine;
  std::optional<CertificateSettings> settings;
  std::vector<CertificateInterface> interfaces;
  std::vector<std::vector<Vec3d>>
      forces_N;  ///< force_state, cra_pair: one list per interface, one vector per polygon vertex, world axes, on b
  std::vector<BlockVelocity> velocities;  ///< infeasibility_ray: every free block; fixed ones may be left out
  std::optional<CoupledProof> coupled;    ///< cra_pair, cra_refutation
};

/// The proof that `assembly` stands. `forces`: world axes, N, in the order of its interfaces and their polygon vertices, on b. `flags`:
/// what the assembly was made with.
Certificate make_force_certificate(const model::Assembly& assembly, std::span<const Vec3d> forces, const certify::VerifySettings& settings,
                                   const model::AssemblyOptions& flags = {});

/// The proof that `assembly` falls. `velocities`: one per block; fixed ones are left out of the file.
Certificate make_collapse_certificate(const model::Assembly& assembly, std::span<const certify::Velocity> velocities,
                                      const certify::VerifySettings& settings, const model::AssemblyOptions& flags = {});

/// The proof of a check under the claim cra: its pair, its exhausted search, or the collapse of the equilibrium that came first.
Certificate make_coupled_certificate(const model::Assembly& assembly, const statics::CheckResult& result,
                                     const certify::VerifySettings& settings, const model::AssemblyOptions& flags = {});

/// `schema`, `engine`, `kind`, `claim`, `input_sha256`, `settings`, `interfaces` [{a, b, polygon, normal, mu}] and `forces_N` or
/// `velocities` {id: [vx, vy, vz, wx, wy, wz]}; a cra_pair has `forces_N`, `alpha_N_per_m`, `displacements` {id: [x, y, z, rx, ry, rz]},
/// `give_m` and `bound_m`; a cra_refutation `bound_gives`, `least_slip_gives` and `steps` [{kind, literals, ray}].
io::Json to_json(const Certificate& certificate);

/// Reads what `to_json` writes. `schema`, `engine`, `claim` and `settings` may be missing; keys that are not known are passed over. Refused
/// by path: a newer schema, an unknown kind, a missing key, a wrong type, a list of the wrong length. `source` names the file in errors.
Result<Certificate> parse_certificate(const io::Json& json, std::string_view source);

}  // namespace trilith::results
