#include <cstdio>
#include <cstdlib>
#include <memory>

#include "base/clock.h"
#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "linalg/fixed.h"
#include "model/make_assembly.h"
#include "results/margin_json.h"
#include "statics/margin_report.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"ASSEMBLY", "Trilith or COMPAS JSON, OBJ, STL, PLY, GLB, or a folder of meshes"}};
constexpr Option own_options[] = {
    {"--load", "x,y,z", "largest share of its weight along this direction; may be repeated", true},
    {"--tilt", "AZIMUTH_DEG", "largest angle of the ground towards this azimuth (0: x, 90: y); may be repeated", true},
    {"--polar", "N", "the same for N azimuths all around"},
    {"--friction-limit", "", "smallest friction with which it stands"},
    {"--live", "ID,x,y,z", "largest factor on this force, N, at the centre of block ID; repeated: one load of them all", true},
    {"--erosion", "", "smallest scale of the joints, about their centroids, with which it stands"},
    {"--capacity", "ID,x,y,z", "largest force in this direction at the centre of block ID"},
    {"--settle", "ID,x,y,z", "range of the push on support ID along this way, and how the structure follows it; may be repeated", true},
    {"--non-associative", "", "bracket of the load factor for friction that does not dilate"},
    {"--time-limit", "S", "give up after this many seconds: what is open is undecided, exit 2"},
};

constexpr double largest_azimuth_deg = 3600;  // ten turns: beyond, it is no azimuth but a slip

/// "ID,x,y,z" as it was written; the block is looked up once the assembly is read.
struct NamedForce {
  std::string id;
  Vec3d force{};
  std::string option;
};

struct Request {
  std::string path;
  model::AssemblyOptions options;
  statics::MarginQuestions questions;
  std::vector<NamedForce> live;
  std::optional<NamedForce> capacity;
  std::vector<NamedForce> settle;
  results::CheckEcho echo;
  Deadline deadline;
  int threads = 1;
};

struct Work {
  Result<LoadedAssembly> loaded = Error{};
  std::vector<Error> errors;
  statics::MarginReport report;
  double seconds = 0;
};

bool is_zero(const Vec3d& v) { return v.x == 0 && v.y == 0 && v.z == 0; }

/// A force that the engine can weigh: the size at which files are refused holds here too.
bool has_sane_size(const Vec3d& force) {
  const model::AssemblyLimits limits;
  const double largest = max(max(abs(force.x), abs(force.y)), abs(force.z));
  return largest >= limits.least_magnitude && largest <= limits.largest_magnitude;
}

/// The last three of the parts between commas are the force: a name may hold commas.
std::optional<NamedForce> named_force(const std::string& word, std::string_view option) {
  std::size_t cut = word.size();
  for (int i = 0; i < 3 && cut != std::string::npos && cut > 0; ++i) cut = word.rfind(',', cut - 1);
  if (cut == std::string::npos || cut == 0) return std::nullopt;
  const auto force = parse_vector(std::string_view(word).substr(cut + 1));
  if (!force || is_zero(*force)) return std::nullopt;
  return NamedForce{word.substr(0, cut), *force, std::string(option)};
}

void read_questions(Arguments& arguments, Request& request) {
  for (const std::string& word : arguments.texts("--load")) {
    const auto direction = parse_vector(word);
    if (!direction || is_zero(*direction))
      arguments.refuse("--load", "must be a direction x,y,z that is not zero");
    else
      request.questions.directions.push_back(*direction);
  }
  for (const std::string& word : arguments.texts("--tilt")) {
    const auto azimuth = parse_double(word);
    if (!azimuth || !(abs(*azimuth) <= largest_azimuth_deg)) arguments.refuse("--tilt", "must be an azimuth in degrees, -3600 to 3600");
    request.questions.tilt_deg.push_back(azimuth.value_or(0));
  }
  if (const auto count = arguments.integer("--polar", 1, 3600))
    for (int i = 0; i < *count; ++i) request.questions.tilt_deg.push_back(360.0 * i / *count);
  for (const std::string& word : arguments.texts("--live")) {
    const auto force = named_force(word, "--live");
    if (!force || !has_sane_size(force->force))
      arguments.refuse("--live", "must be ID,x,y,z with a force in N that is not zero, its largest part 1e-30 to 1e30");
    else
      request.live.push_back(*force);
  }
  if (const auto word = arguments.text("--capacity")) {
    request.capacity = named_force(*word, "--capacity");
    if (!request.capacity) arguments.refuse("--capacity", "must be ID,x,y,z with a direction that is not zero");
  }
  for (const std::string& word : arguments.texts("--settle")) {
    const auto way = named_force(word, "--settle");
    if (!way) arguments.refuse("--settle", "must be ID,x,y,z with a direction that is not zero");
    if (way) request.settle.push_back(*way);
  }
  request.questions.friction = arguments.has("--friction-limit");
  request.questions.erosion = arguments.has("--erosion");
  request.questions.non_associative = arguments.has("--non-associative");
}

Request read_request(Arguments& arguments) {
  Request request;
  request.path = arguments.positional(0);
  request.options = read_assembly_options(arguments);
  request.threads = read_threads(arguments);
  request.echo.solver = "ipm";
  if (const auto limit = read_time_limit(arguments)) {
    request.echo.time_limit_s = *limit;
    request.deadline = Deadline::after(*limit);
  }
  read_questions(arguments, request);
  return request;
}

/// The block of a named force, or a word on what is wrong with it.
std::optional<statics::BlockForce> find_block(const model::Assembly& assembly, const NamedForce& named, bool support,
                                              std::vector<Error>& errors) {
  std::vector<std::string_view> ids;
  for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i) {
    ids.push_back(assembly.blocks[i].id);
    if (assembly.blocks[i].id != named.id) continue;
    if (assembly.blocks[i].fixed == support) return statics::BlockForce{i, named.force};
    errors.push_back(
        {"block \"" + escape(named.id) + "\" is " + (support ? "no support" : "a support: a load on it moves nothing"), named.option});
    return std::nullopt;
  }
  const std::string_view near = nearest_name(named.id, ids);
  errors.push_back(
      {"there is no block \"" + escape(named.id) + "\"" + (near.empty() ? "" : "; did you mean \"" + escape(near) + "\"?"), named.option});
  return std::nullopt;
}

void answer(const Request& request, Work& work) {
  work.loaded = load_checked_assembly(request.path, request.options, request.threads, true);
  if (!work.loaded.ok()) return;
  const model::Assembly& assembly = work.loaded.value().assembly;
  statics::MarginQuestions questions = request.questions;
  for (const NamedForce& named : request.live)
    if (const auto force = find_block(assembly, named, false, work.errors)) questions.live.push_back(*force);
  for (const NamedForce& named : request.settle)
    if (const auto way = find_block(assembly, named, true, work.errors)) questions.settle.push_back(*way);
  if (request.capacity) questions.capacity = find_block(assembly, *request.capacity, false, work.errors);
  if (!work.errors.empty()) return;
  statics::MarginSettings settings;
  settings.deadline = request.deadline;
  const double start = wall_seconds();
  work.report = statics::find_margins(assembly, questions, settings);
  work.seconds = wall_seconds() - start;
}

io::Json without_answer(const Request& request, Watched why) {
  model::Assembly nothing;
  nothing.source = request.path;
  statics::MarginReport report;
  report.warnings.push_back({early_end(why), request.path});
  return results::margin_json(nothing, report, {}, request.echo);
}

}  // namespace

Exit margin(std::span<char*> words) {
  const auto options = with_assembly_options(own_options);
  auto parsed =
      parse_arguments({"margin",
                       "How far is it from falling? Limit loads, tilt, friction, joint size, supports, each proved from both sides. "
                       "Without a question: four horizontal directions and friction.",
                       positionals, options, "trilith margin wall.json --load 1,0,0 --tilt 90 --friction-limit"},
                      words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  if (arguments.failed()) return Exit::usage;
  if (const Exit unwritable = check_outputs(arguments, {"--json"}); unwritable != Exit::yes) return unwritable;

  auto work = std::make_shared<Work>();
  const auto limit = arguments.has("--time-limit") ? std::optional(request.echo.time_limit_s) : std::nullopt;
  const Watched watched = run_watched([work, request] { answer(request, *work); }, limit);
  if (watched != Watched::finished) abandon(arguments, request.path, watched, without_answer(request, watched));
  if (!work->loaded.ok()) return report_errors(work->loaded.errors());
  if (!work->errors.empty()) return report_errors(work->errors);

  const LoadedAssembly& loaded = work->loaded.value();
  report_warnings(loaded.assembly.warnings);
  report_warnings(work->report.warnings);
  const results::MarginTimes times{loaded.read_s, loaded.interfaces_s, work->seconds};
  const Exit answer =
      write_result(arguments, results::margin_json(loaded.assembly, work->report, times, request.echo),
                   results::margin_text(loaded.assembly, work->report, times), work->report.decided() ? Exit::yes : Exit::undecided);
  return interrupt_requested() && answer == Exit::undecided ? Exit::interrupted : answer;
}

}  // namespace trilith::cli
