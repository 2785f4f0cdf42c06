#include <fmt/format.h>

#include <cmath>

#include "base/clock.h"
#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/file.h"
#include "results/certificate.h"
#include "results/check_json.h"
#include "results/verify_certificate.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"ASSEMBLY", "the assembly file that was checked"},
                                      {"CERTIFICATE", "the proof that trilith check wrote"}};

Result<results::Certificate> load_certificate(const std::string& path) {
  const auto text = io::read_file(path);
  if (!text) return text.errors();
  const auto json = io::parse_json(text.value(), path);
  if (!json) return json.errors();
  return results::parse_certificate(json.value(), path);
}

/// What the check was told above the file travels in the certificate; the claim is judged under it, and the answer echoes it.
model::AssemblyOptions options_of(const results::Certificate& certificate) {
  return certificate.settings ? certificate.settings->flags : model::AssemblyOptions{};
}

/// A search has too many lemmas for exact sums: each is judged in double with a bound of its rounding.
std::string_view arithmetic_of(const results::Certificate& certificate) {
  return certificate.kind == "cra_refutation" ? "double with error bounds" : "exact";
}

io::Json verification_json(const model::Assembly& assembly, const results::Certificate& certificate, const certify::Verification& found,
                           double seconds) {
  io::Json::Array broken;
  for (const certify::Broken& condition : found.broken)
    broken.push_back(io::Json::Object{{"what", condition.what}, {"where", condition.where}});
  return io::Json::Object{{"schema", "trilith.verify/1"},
                          {"engine", TRILITH_VERSION},
                          {"input", assembly.source},
                          {"input_sha256", assembly.sha256},
                          {"settings", results::settings_json(assembly, {.solver = "none"})},
                          {"verdict", name(found.verdict)},
                          {"claim", certificate.claim},
                          {"kind", certificate.kind},
                          {"arithmetic", arithmetic_of(certificate)},
                          {"residual", found.residual},
                          {"force_factor", std::isfinite(found.force_factor) ? io::Json(found.force_factor) : io::Json()},
                          {"statement", found.statement},
                          {"broken", std::move(broken)},
                          {"time_s", seconds},
                          {"warnings", results::warnings_json(assembly.warnings)}};
}

std::string verification_text(const model::Assembly& assembly, const results::Certificate& certificate,
                              const certify::Verification& found) {
  std::string premise =
      fmt::format("  Under: friction {:.4g}, density {:.5g} kg/m3 where a block has none, gravity ({:.6g}, {:.6g}, {:.6g}) m/s2",
                  assembly.friction, assembly.density, assembly.gravity.x, assembly.gravity.y, assembly.gravity.z);
  if (assembly.contact_gap > model::Assembly{}.contact_gap)
    premise += fmt::format(", faces up to {:.3g} of the smaller block apart count as touching", assembly.contact_gap);
  premise += ".\n";
  const std::string contacts = assembly.interfaces_given
                                   ? std::string("contacts are those that the file lists")
                                   : fmt::format("contacts lie on faces of both blocks to within {:.2g} of the smaller block",
                                                 results::contact_tolerance(assembly, certify::VerifySettings{}));
  if (found.accepted)
    return fmt::format("VERIFIED: {} {}{}. Checked in {}; {}.\n  {}.\n{}", escape(assembly.source), name(found.verdict),
                       certificate.claim == "cra" ? " under the claim cra (coupled analysis)" : "",
                       certificate.kind == "cra_refutation" ? "double arithmetic with error bounds" : "exact arithmetic", contacts,
                       found.statement, premise);
  std::string text = fmt::format("REFUSED: this certificate proves nothing about {}.\n", escape(assembly.source));
  for (const certify::Broken& condition : found.broken) text += fmt::format("  {}: {}\n", escape(condition.where), escape(condition.what));
  return text + premise;
}

Exit exit_of(const certify::Verification& found) {
  if (!found.accepted) return Exit::undecided;
  return found.verdict == Verdict::stands ? Exit::yes : Exit::no;
}

}  // namespace

Exit verify(std::span<char*> words) {
  auto parsed = parse_arguments({"verify",
                                 "Checks a certificate again: independent of the solvers, in exact rational arithmetic.",
                                 positionals,
                                 {},
                                 "trilith verify wall.json proof.json"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const int threads = read_threads(arguments);
  if (arguments.failed()) return Exit::usage;

  const auto certificate = load_certificate(arguments.positional(1));
  if (!certificate) return report_errors(certificate.errors());
  const bool needs_contacts = certificate.value().kind != "force_state";  // all else is judged against every contact there is
  auto loaded = load_checked_assembly(arguments.positional(0), options_of(certificate.value()), threads, needs_contacts);
  if (!loaded) return report_errors(loaded.errors());

  const double start = wall_seconds();
  const model::Assembly& assembly = loaded.value().assembly;
  const auto found = results::verify_certificate(assembly, certificate.value(), certify::VerifySettings{});
  if (!found) return report_errors(found.errors());
  report_warnings(assembly.warnings);
  return write_result(arguments, verification_json(assembly, certificate.value(), found.value(), wall_seconds() - start),
                      verification_text(assembly, certificate.value(), found.value()), exit_of(found.value()));
}

}  // namespace trilith::cli
