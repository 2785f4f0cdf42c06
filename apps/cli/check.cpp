#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/rbe_options.h"
#include "cli/watchdog.h"
#include "io/compas_write.h"
#include "io/load_assembly.h"
#include "results/certificate.h"
#include "results/check_json.h"
#include "results/check_text.h"
#include "solve/registry.h"
#include "statics/check.h"
#include "statics/cra.h"
#include "statics/margin_report.h"

namespace trilith::cli {
namespace {

constexpr std::string_view claims[] = {"rbe", "cra"};
constexpr std::string_view solvers[] = {"auto", "ls", "projections", "ipm", "admm", "osqp", "ipopt"};

constexpr Positional positionals[] = {{"ASSEMBLY", "Trilith or COMPAS JSON, OBJ, STL, PLY, GLB, or a folder of meshes"}};
constexpr Option own_options[] = {
    {"--claim", "CLAIM", "what the verdict claims: rbe (rigid-block equilibrium) or cra (coupled: a motion calls up the forces)"},
    {"--solver", "RUNG",
     "auto climbs the ladder; ls, projections, ipm, admm, osqp or ipopt (claim cra only; outside ones where installed) runs one rung"},
    {"--tolerance", "T", "largest imbalance a rung may propose, in mean block weights (default: the rung's own)"},
    {"--tension", "", "also report the least pull at the joints (mortar, glue, ties) with which it would stand"},
    {"--penalty-cra", "", "with --claim cra: also solve the penalty form, which says where joints would have to pull (needs IPOPT)"},
    {"--margin", "", "where it stands, also say how much of its weight it takes sideways: the least of four directions"},
    {"--time-limit", "S", "give up after this many seconds: undecided, exit 2"},
    {"--certificate", "FILE", "write the proof here, for trilith verify"},
    {"--write-compas", "FILE", "write a COMPAS 2 assembly here, with the interfaces and their forces"},
};

struct Request {
  std::string path;
  model::AssemblyOptions options;
  statics::CheckSettings settings;
  results::CheckEcho echo;
  int threads = 1;
  bool tension = false, margin = false;
  std::optional<statics::RbeSettings> rbe;  // asked for as a report
  bool coupled = false;
  bool penalty = false;
};

/// Everything the work writes and the main thread reads once it has finished.
struct Work {
  Result<LoadedAssembly> loaded = Error{};
  statics::CheckResult result;
};

Request read_request(Arguments& arguments) {
  Request request;
  request.path = arguments.positional(0);
  request.options = read_assembly_options(arguments);
  request.threads = request.settings.threads = read_threads(arguments);
  request.tension = arguments.has("--tension");
  request.margin = arguments.has("--margin");
  request.coupled = arguments.choice("--claim", claims).value_or("rbe") == "cra";
  request.echo.solver = arguments.choice("--solver", solvers).value_or("auto");
  if (const std::string why = solve::why_not_available(request.echo.solver); !why.empty()) arguments.refuse("--solver", why);
  request.penalty = arguments.has("--penalty-cra");
  if (request.penalty && !request.coupled) arguments.refuse("--penalty-cra", "belongs to coupled analysis: add --claim cra");
  if (const std::string why = solve::why_not_available("ipopt"); request.penalty && !why.empty()) arguments.refuse("--penalty-cra", why);
  if (request.echo.solver == "ipopt" && !request.coupled) arguments.refuse("--solver", "ipopt solves coupled analysis: add --claim cra");
  if (request.echo.solver == "admm") request.settings.solver = statics::SolverChoice::admm;
  if (request.echo.solver == "osqp") request.settings.solver = statics::SolverChoice::osqp;
  request.rbe = read_rbe_options(arguments, request.echo.solver);
  if (request.echo.solver == "ls") request.settings.solver = statics::SolverChoice::ls;
  if (request.echo.solver == "ipm") request.settings.solver = statics::SolverChoice::ipm;
  if (request.echo.solver == "projections") request.settings.solver = statics::SolverChoice::projections;
  if (const auto tolerance = arguments.number("--tolerance")) {
    if (*tolerance <= 0) arguments.refuse("--tolerance", "must be above 0");
    request.echo.tolerance = request.settings.tolerance = *tolerance;
  }
  if (const auto limit = read_time_limit(arguments)) {
    request.echo.time_limit_s = *limit;
    request.settings.deadline = Deadline::after(*limit);
    if (request.rbe) request.rbe->deadline = request.settings.deadline;
  }
  return request;
}

statics::CheckResult check_coupled(const model::Assembly& assembly, const Request& request) {
  statics::CoupledSettings settings;
  settings.check = request.settings;
  settings.ipopt = request.echo.solver == "ipopt";
  statics::CheckResult result = statics::check_coupled(assembly, settings);
  if (request.penalty) result.coupled->penalty = statics::cra_penalty(assembly, {}, request.settings.deadline);
  return result;
}

Exit exit_of(Verdict verdict) {
  if (verdict == Verdict::stands) return Exit::yes;
  return verdict == Verdict::falls ? Exit::no : Exit::undecided;
}

io::Json without_answer(const Request& request, Watched why) {
  model::Assembly nothing;
  nothing.source = request.path;
  statics::CheckResult result;
  result.method = "none";
  result.status = why == Watched::time_limit ? SolveStatus::time_limit : SolveStatus::not_run;
  result.reason = early_end(why);
  return results::check_json(nothing, result, {}, request.echo);
}

Exit write_proof(const Arguments& arguments, const model::Assembly& assembly, const statics::CheckResult& result, const Request& request) {
  const certify::VerifySettings& verify = request.settings.verify;
  const auto path = arguments.text("--certificate");
  if (!path) return Exit::yes;
  if (!result.verification.accepted) {
    std::error_code none;
    std::fprintf(stderr, "trilith: no certificate written: there is no proof of an undecided answer%s\n",
                 std::filesystem::exists(*path, none) ? ("; " + escape(*path) + " is still the one of an earlier run").c_str() : "");
    return Exit::yes;
  }
  const results::Certificate proof =
      result.claim == Claim::cra          ? results::make_coupled_certificate(assembly, result, verify, request.options)
      : result.verdict == Verdict::stands ? results::make_force_certificate(assembly, result.forces_W, verify, request.options)
                                          : results::make_collapse_certificate(assembly, result.velocities, verify, request.options);
  return write_output_file(arguments, *path, io::write_json(results::to_json(proof), 1) + "\n");
}

/// The penalty form as users of COMPAS know it; its forces take the place of `forces`.
io::CompasMotion penalty_motion(const model::Assembly& assembly, const statics::PenaltyReport& penalty,
                                std::vector<std::vector<Vec3d>>& forces) {
  io::CompasMotion motion;
  forces.clear();
  std::size_t v = 0;
  for (const model::Interface& face : assembly.interfaces) {
    auto& own = forces.emplace_back();
    auto& pulls = motion.pulls.emplace_back();
    for (std::size_t k = 0; k < face.polygon.size(); ++k, ++v) {
      own.push_back({penalty.vertices[v].push, penalty.vertices[v].t1, penalty.vertices[v].t2});
      pulls.push_back(penalty.vertices[v].pull);
    }
  }
  for (const certify::Velocity& d : penalty.displacements)
    motion.displacements.push_back({d.linear.x, d.linear.y, d.linear.z, d.angular.x, d.angular.y, d.angular.z});
  return motion;
}

/// The input with forces: a COMPAS 2 file keeps all else that it holds, any other input becomes one.
Exit write_compas(const Arguments& arguments, const model::Assembly& assembly, const statics::CheckResult& result) {
  const auto path = arguments.text("--write-compas");
  if (!path) return Exit::yes;
  const std::optional<io::Json> original = io::load_compas_assembly(assembly.source, assembly.sha256);
  const bool penalty = result.coupled && result.coupled->penalty && !result.coupled->penalty->vertices.empty();
  std::vector<std::vector<Vec3d>> forces = result.forces;
  const io::CompasMotion motion = penalty ? penalty_motion(assembly, *result.coupled->penalty, forces) : io::CompasMotion{};
  const std::string text = io::write_compas_json(assembly, forces, original ? &*original : nullptr, penalty ? &motion : nullptr);
  return write_output_file(arguments, *path, text);
}

}  // namespace

Exit check(std::span<char*> words) {
  std::vector<Option> own(std::begin(own_options), std::end(own_options));
  own.insert(own.end(), rbe_options().begin(), rbe_options().end());
  const auto options = with_assembly_options(own);
  auto parsed = parse_arguments({"check", "Does this assembly stand? Answers with a verdict and the proof it rests on.", positionals,
                                 options, "trilith check wall.json --friction 0.7 --certificate proof.json"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  if (arguments.failed()) return Exit::usage;
  if (const Exit refused = check_outputs(arguments, {"--json", "--certificate", "--write-compas"}); refused != Exit::yes) return refused;

  auto work = std::make_shared<Work>();
  const auto limit = arguments.has("--time-limit") ? std::optional(request.echo.time_limit_s) : std::nullopt;
  const Watched watched = run_watched(
      [work, request] {
        work->loaded = load_checked_assembly(request.path, request.options, request.threads, true);
        if (!work->loaded.ok()) return;
        const model::Assembly& assembly = work->loaded.value().assembly;
        work->result = request.coupled ? check_coupled(assembly, request) : statics::check(assembly, request.settings);
        if (request.rbe) work->result.rbe = statics::solve_rbe(assembly, *request.rbe);
        if (request.tension) work->result.tension = statics::find_tension(assembly, {}, request.settings.deadline);
        if (request.margin && work->result.verdict == Verdict::stands) {
          statics::MarginSettings margins;
          margins.deadline = request.settings.deadline;
          work->result.horizontal = statics::find_least_horizontal(assembly, margins);
        }
      },
      limit);
  if (watched != Watched::finished) abandon(arguments, request.path, watched, without_answer(request, watched));
  if (!work->loaded.ok()) return report_errors(work->loaded.errors());

  const LoadedAssembly& loaded = work->loaded.value();
  const statics::CheckResult& result = work->result;
  report_warnings(loaded.assembly.warnings);
  const results::CheckTimes times{loaded.read_s, loaded.interfaces_s, result.solve_seconds, result.verify_seconds};
  const Exit proof = write_proof(arguments, loaded.assembly, result, request);
  const Exit answer =
      write_result(arguments, arguments.has("--json") ? results::check_json(loaded.assembly, result, times, request.echo) : io::Json(),
                   results::check_text(loaded.assembly, result, times), exit_of(result.verdict));
  const Exit compas = write_compas(arguments, loaded.assembly, result);
  if (proof != Exit::yes) return proof;
  if (compas != Exit::yes) return compas;
  return interrupt_requested() && !result.verification.accepted ? Exit::interrupted : answer;
}

}  // namespace trilith::cli
