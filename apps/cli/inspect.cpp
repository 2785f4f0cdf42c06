#include <memory>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/run_options.h"
#include "dynamics/constraint_settings.h"
#include "dynamics/simulator.h"
#include "dynamics/terms.h"
#include "io/file.h"
#include "io/load_model.h"
#include "multibody/mass_matrix.h"
#include "multibody/tree_of_model.h"
#include "results/inspect_json.h"
#include "results/state_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"MODEL", "MJCF or URDF"}};
constexpr Option own_options[] = {
    {"--state", "FILE", "JSON with qpos, qvel, ctrl, act, tau, a, time, ...: also the terms of dynamics there", false, true},
    {"--derivatives", "", "derivatives of inverse and forward dynamics, of the rigid bodies alone"},
    {"--ee", "FRAME", "pose and Jacobians of a link, body, joint or site; may be repeated", true},
    {"--package", "FOLDER", "where package:// names of URDF files are looked for; may be repeated", true},
    {"--root", "LINK", "the link to start from, in a URDF of several trees"},
    {"--zero-means-unlimited", "", "effort and velocity 0 in a URDF are no limits"},
    {"--no-fuse", "", "accepted for users of other programs: links on fixed joints stay addressable and are always fused"},
};

struct Request {
  std::string path, options;
  model::ModelOptions model;
  dynamics::RunOverrides overrides;
  io::LoadOptions load;
  std::optional<std::string> state;
  std::vector<std::string> frames;
  bool derivatives = false;
};

/// What the caller set above the file, in words.
std::string options_in_words(const Arguments& arguments) {
  std::string words;
  for (const std::string_view option :
       {"--gravity", "--floating-base", "--bare", "--balance-inertia", "--clamp-initial", "--root", "--zero-means-unlimited"}) {
    if (!arguments.has(option)) continue;
    const std::string value = arguments.text(option).value_or("");
    words += (words.empty() ? "" : " ") + std::string(option) + (value.empty() ? "" : " " + value);
  }
  return words;
}

Request read_request(Arguments& arguments) {
  Request r;
  r.path = arguments.positional(0);
  r.model = read_model_options(arguments);
  r.overrides = read_run_overrides(arguments);
  r.load.urdf.package_folders = r.load.allowed_folders = arguments.texts("--package");
  r.load.urdf.root = arguments.text("--root").value_or("");
  r.load.urdf.zero_means_unlimited = arguments.has("--zero-means-unlimited");
  r.load.urdf.keep_going_without_meshes = true;  // what is not there is told here; who needs contacts refuses it
  r.state = arguments.text("--state");
  r.frames = arguments.texts("--ee");
  r.derivatives = arguments.has("--derivatives");
  r.options = options_in_words(arguments);
  if (!r.state && (r.derivatives || !r.frames.empty()))
    arguments.refuse(r.derivatives ? "--derivatives" : "--ee", "needs --state FILE (a file with {} is the default pose at rest)");
  return r;
}

/// `count` numbers of the state file, or none.
std::vector<double> read_vector(const io::Json& json, std::string_view key, std::size_t count, const std::string& path,
                                std::vector<Error>& errors) {
  const io::Json* value = json.find(key);
  if (value == nullptr || value->is_null()) return {};
  const std::string where = path + ":/" + std::string(key);
  std::vector<double> numbers;
  for (const io::Json& entry : value->array() != nullptr ? *value->array() : io::Json::Array{})
    if (const double* x = entry.number()) numbers.push_back(*x);
  if (value->array() == nullptr || numbers.size() != value->array()->size())
    errors.push_back({"must be an array of numbers", where});
  else if (numbers.size() != count)
    errors.push_back({"needs " + std::to_string(count) + " numbers, got " + std::to_string(numbers.size()), where});
  return numbers;
}

void find_frames(const Request& request, const model::Model& model, dynamics::TermsQuestion& question, std::vector<Error>& errors) {
  for (const std::string& name : request.frames) {
    if (auto frame = dynamics::find_frame(model, name)) {
      question.frames.push_back(std::move(*frame));
      continue;
    }
    const std::string near(nearest_name(name, dynamics::frame_names(model)));
    errors.push_back(
        {"there is no body, joint or site \"" + escape(name) + "\"" + (near.empty() ? "" : ": did you mean \"" + escape(near) + "\"?"),
         "--ee"});
  }
}

/// Springs, dampers, actuators and constraints, and the acceleration of all of it together.
std::vector<Error> add_all_forces(const Request& request, std::shared_ptr<const model::Model> model, dynamics::State state,
                                  results::InspectAnswer& answer) {
  auto options = dynamics::resolve_run_options(model->options, request.overrides);
  if (!options) return options.errors();
  if (request.model.bare) options.value().simulation.constraints = false;
  const auto made = dynamics::make_system(std::move(model), options.value().simulation, dynamics::constraint_settings(options.value()));
  if (!made) return made.errors();
  for (const Warning& warning : options.value().warnings) answer.warnings.push_back(warning);
  for (const Warning& warning : made.value().warnings) answer.warnings.push_back(warning);
  const auto simulator = std::make_shared<dynamics::Simulator>(made.value().system);
  simulator->state() = std::move(state);
  const dynamics::StepReport report = simulator->update();
  if (report.status != dynamics::StepStatus::done)
    return {{"the accelerations cannot be computed at this state: " + std::string(name(report.status)), request.path}};
  if (report.constraints.touches_full || report.constraints.rows_left_out > 0)
    answer.warnings.push_back({"more contacts than there is room for: raise --max-contacts", request.path});
  // with the armature of tendons, and mocap bodies where the state has them
  const dynamics::Workspace& w = simulator->workspace();
  multibody::write_mass_matrix<double>(simulator->system().tree, w.tree, answer.terms->M);
  answer.terms->bias = w.bias;
  answer.X_WB = w.X_WB;
  answer.simulator = simulator;
  return {};
}

/// Reads the state file over the default and asks for the terms there.
std::vector<Error> answer_state(const Request& request, const std::shared_ptr<const model::Model>& model, const multibody::Tree& tree,
                                results::InspectAnswer& answer) {
  const std::string& path = *request.state;
  const Result<std::string> text = io::read_file(path);
  if (!text) return text.errors();
  const Result<io::Json> json = io::parse_json(text.value(), path);
  if (!json) return json.errors();
  dynamics::State state = dynamics::make_state(*model);
  auto told = results::read_state(json.value(), path, *model, state);
  if (!told) return told.errors();
  answer.warnings = std::move(told).value();
  std::vector<Error> errors;
  dynamics::TermsQuestion question;
  question.tau = read_vector(json.value(), "tau", state.v.size(), path, errors);
  question.a = read_vector(json.value(), "a", state.v.size(), path, errors);
  question.derivatives = answer.derivatives = request.derivatives;
  find_frames(request, *model, question, errors);
  if (!errors.empty()) return errors;
  question.q = state.q, question.v = state.v;
  answer.terms = dynamics::measure_terms(*model, tree, question);
  if (!answer.terms) return {{"the mass matrix is singular at this state", request.path}};
  answer.X_WB = answer.terms->X_WB;
  for (std::size_t k = 0; k < question.tau.size(); ++k) state.applied[k] += question.tau[k];
  if (auto refused = add_all_forces(request, model, std::move(state), answer); !refused.empty()) return refused;
  if (request.model.bare)
    answer.warnings.push_back({"--bare: a is that of the rigid bodies alone, without limits and contacts", request.path});
  return {};
}

}  // namespace

Exit inspect(std::span<char*> words) {
  const auto options = with_run_options(own_options);
  auto parsed =
      parse_arguments({"inspect", "What was read: bodies, masses, joints, actuators, what was altered; with --state the terms of dynamics.",
                       positionals, options, "trilith inspect arm.urdf --state state.json --ee tcp --json -"},
                      words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  if (arguments.failed()) return Exit::usage;

  auto loaded = io::load_model(request.path, request.load, request.model);
  if (!loaded) return report_errors(loaded.errors());
  const auto shared = std::make_shared<const model::Model>(std::move(loaded).value());
  const model::Model& model = *shared;
  report_warnings(model.warnings);
  const multibody::Tree tree = multibody::make_tree(model);
  results::InspectAnswer answer;
  answer.input = request.path;
  answer.options = request.options;
  if (!request.state) {
    answer.X_WB = dynamics::body_poses(tree, model.default_qpos);
  } else if (const auto errors = answer_state(request, shared, tree, answer); !errors.empty()) {
    return report_errors(errors);
  }
  report_warnings(answer.warnings);
  return write_result(arguments, results::inspect_json(model, answer), results::inspect_text(model, answer), Exit::yes);
}

}  // namespace trilith::cli
