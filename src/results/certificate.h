#pragma once
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "certify/problem.h"
#include "certify/verify.h"
#include "io/json.h"
#include "model/assembly.h"
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

/// What a verdict rests on, as a file: anyone can check it against the assembly, with any program.
struct Certificate {
  std::string kind;  ///< "force_state" (stands) or "infeasibility_ray" (falls)
  std::string claim = "rbe";
  std::string input_sha256;
  std::string engine;
  std::optional<CertificateSettings> settings;
  std::vector<CertificateInterface> interfaces;
  std::vector<std::vector<Vec3d>> forces_N;  ///< force_state: one list per interface, one vector per polygon vertex, world axes, on b
  std::vector<BlockVelocity> velocities;     ///< infeasibility_ray: every free block; fixed ones may be left out
};

/// The proof that `assembly` stands. `forces`: world axes, N, in the order of its interfaces and their polygon vertices, on b. `flags`:
/// what the assembly was made with.
Certificate make_force_certificate(const model::Assembly& assembly, std::span<const Vec3d> forces, const certify::VerifySettings& settings,
                                   const model::AssemblyOptions& flags = {});

/// The proof that `assembly` falls. `velocities`: one per block; fixed ones are left out of the file.
Certificate make_collapse_certificate(const model::Assembly& assembly, std::span<const certify::Velocity> velocities,
                                      const certify::VerifySettings& settings, const model::AssemblyOptions& flags = {});

/// `schema`, `engine`, `kind`, `claim`, `input_sha256`, `settings`, `interfaces` [{a, b, polygon, normal, mu}] and `forces_N` or
/// `velocities` {id: [vx, vy, vz, wx, wy, wz]}.
io::Json to_json(const Certificate& certificate);

/// Reads what `to_json` writes. `schema`, `engine`, `claim` and `settings` may be missing; keys that are not known are passed over. Refused
/// by path: a newer schema, an unknown kind, a missing key, a wrong type, a list of the wrong length. `source` names the file in errors.
Result<Certificate> parse_certificate(const io::Json& json, std::string_view source);

}  // namespace trilith::results
