#include <algorithm>

#include "base/text.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "dynamics/terms.h"
#include "io/file.h"
#include "io/load_model.h"
#include "multibody/tree_of_model.h"
#include "results/inspect_json.h"
#include "spatial/quaternion.h"

namespace trilith::cli {
namespace {

constexpr double quaternion_tolerance = 1e-6;  // a length off by more is told

constexpr Positional positionals[] = {{"MODEL", "MJCF or URDF"}};
constexpr Option own_options[] = {
    {"--state", "FILE", "JSON with qpos, qvel, ctrl, act, tau, a, time, ...: also the terms of dynamics there", false, true},
    {"--derivatives", "", "derivatives of inverse and forward dynamics, of the rigid bodies alone"},
    {"--ee", "FRAME", "pose and Jacobians of a link, body, joint or site; may be repeated", true},
    {"--package", "FOLDER", "where package:// names of URDF files are looked for; may be repeated", true},
    {"--root", "LINK", "the link to start from, in a URDF of several trees"},
    {"--zero-means-unlimited", "", "effort and velocity 0 in a URDF are no limits"},
    {"--gravity", "x,y,z", "gravity, m/s2 (the file's)"},
    {"--floating-base", "", "a free joint for every root that has none"},
    {"--bare", "", "rigid bodies alone: no joint damping, friction loss, armature, limits, contacts"},
    {"--balance-inertia", "", "mend inertias that break the triangle rule"},
    {"--clamp-initial", "", "move a default pose into its limits"},
    {"--no-fuse", "", "accepted for users of other programs: links on fixed joints stay addressable and are always fused"},
    {"--solver", "NAME", "options of constraints, as with simulate: --solver, --cone, --contact, ..."},
    {"--cone", "KIND", ""},
    {"--contact", "LAW", ""},
    {"--integrator", "NAME", ""},
    {"--timestep", "S", ""},
    {"--impratio", "R", ""},
    {"--tolerance", "T", ""},
    {"--iterations", "N", ""},
};

struct Request {
  std::string path, options;
  model::ModelOptions model;
  io::LoadOptions load;
  std::optional<std::string> state;
  std::vector<std::string> frames;
  bool derivatives = false;
};

model::ModelOptions read_model_options(Arguments& arguments) {
  model::ModelOptions options;
  if (arguments.has("--gravity")) options.gravity = arguments.vector("--gravity");
  options.floating_base = arguments.has("--floating-base");
  options.bare = arguments.has("--bare");
  options.balance_inertia = arguments.has("--balance-inertia");
  options.clamp_initial = arguments.has("--clamp-initial");
  return options;
}

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

bool is_zero(const std::vector<double>& x) {
  return std::ranges::all_of(x, [](double v) { return v == 0; });
}

/// Lengths 1, as the kernels and poses mean them.
void normalize_quaternions(const model::Model& model, const std::string& path, std::vector<double>& q, std::vector<Warning>& warnings) {
  for (const model::Joint& joint : model.joints) {
    if (joint.kind != model::JointKind::free && joint.kind != model::JointKind::ball) continue;
    double* at = q.data() + joint.q + (joint.kind == model::JointKind::free ? 3 : 0);
    const Quaterniond given{at[0], at[1], at[2], at[3]};
    const double length = sqrt(given.w * given.w + given.x * given.x + given.y * given.y + given.z * given.z);
    if (abs(length - 1) > quaternion_tolerance)
      warnings.push_back({"the quaternion of joint \"" + escape(joint.name) + "\" has length " + format_double(length) + ": it is scaled",
                          path + ":/qpos"});
    const Quaterniond unit = normalized(given);
    at[0] = unit.w, at[1] = unit.x, at[2] = unit.y, at[3] = unit.z;
  }
}

void tell_unread(const io::Json& state, const std::string& path, std::vector<Warning>& warnings) {
  constexpr std::string_view read[] = {"qpos", "qvel", "tau", "a", "time", "qacc_warmstart", "schema", "engine"};
  for (const auto& [key, value] : *state.object())
    if (std::ranges::find(read, key) == std::end(read) && !(value.array() != nullptr && value.array()->empty()))
      warnings.push_back({"\"" + escape(key) + "\" is not read", path + ":/" + key});
}

/// The acceleration without springs, dampers and actuators is the one with them only where there are none.
bool only_rigid_bodies(const model::Model& model, const std::vector<double>& v) {
  const auto passive = [&](const model::Joint& joint) {
    return joint.stiffness != 0 || joint.spring_damper || (joint.damping != 0 && !is_zero(v));
  };
  const bool floats = std::ranges::any_of(model.bodies, [](const model::Body& body) { return body.gravity_compensation != 0; });
  return !floats && model.actuators.empty() && model.tendons.empty() && std::ranges::none_of(model.joints, passive) &&
         model.options.medium_density == 0 && model.options.medium_viscosity == 0;
}

/// Reads the state file over the default and asks for the terms there.
std::vector<Error> answer_state(const Request& request, const model::Model& model, const multibody::Tree& tree,
                                results::InspectAnswer& answer) {
  const std::string& path = *request.state;
  const Result<std::string> text = io::read_file(path);
  if (!text) return text.errors();
  const Result<io::Json> json = io::parse_json(text.value(), path);
  if (!json) return json.errors();
  if (json.value().object() == nullptr) return {{"a state is an object with qpos, qvel, tau, a, ...", path}};
  std::vector<Error> errors;
  dynamics::TermsQuestion question;
  const auto nq = static_cast<std::size_t>(model.sizes.nq), nv = static_cast<std::size_t>(model.sizes.nv);
  question.q = read_vector(json.value(), "qpos", nq, path, errors);
  question.v = read_vector(json.value(), "qvel", nv, path, errors);
  question.tau = read_vector(json.value(), "tau", nv, path, errors);
  question.a = read_vector(json.value(), "a", nv, path, errors);
  question.derivatives = answer.derivatives = request.derivatives;
  find_frames(request, model, question, errors);
  if (!errors.empty()) return errors;
  if (question.q.empty()) question.q = model.default_qpos;
  if (question.v.empty()) question.v.assign(nv, 0);
  normalize_quaternions(model, path, question.q, answer.warnings);
  tell_unread(json.value(), path, answer.warnings);
  answer.terms = dynamics::measure_terms(model, tree, question);
  if (!answer.terms) return {{"the mass matrix is singular at this state", request.path}};
  answer.X_WB = answer.terms->X_WB;
  if (only_rigid_bodies(model, question.v)) {
    answer.passive.assign(nv, 0);
    answer.a_smooth = answer.terms->free;
  } else {
    answer.warnings.push_back({"passive and a_smooth are null: springs, dampers and actuators are not in these terms yet", request.path});
  }
  if (request.model.bare) answer.a = answer.a_smooth;
  answer.warnings.push_back({request.model.bare ? "--bare: a is that of the rigid bodies alone, without limits and contacts"
                                                : "a, contacts and rows are null: they come with contact dynamics",
                             request.path});
  return {};
}

}  // namespace

Exit inspect(std::span<char*> words) {
  auto parsed =
      parse_arguments({"inspect", "What was read: bodies, masses, joints, actuators, what was altered; with --state the terms of dynamics.",
                       positionals, own_options, "trilith inspect arm.urdf --state state.json --ee tcp --json -"},
                      words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Request request = read_request(arguments);
  if (arguments.failed()) return Exit::usage;

  auto loaded = io::load_model(request.path, request.load, request.model);
  if (!loaded) return report_errors(loaded.errors());
  const model::Model& model = loaded.value();
  report_warnings(model.warnings);
  const multibody::Tree tree = multibody::make_tree(model);
  results::InspectAnswer answer;
  answer.input = request.path;
  answer.options = request.options;
  if (!request.state) {
    answer.X_WB = dynamics::body_poses(tree, model.default_qpos);
  } else if (const auto errors = answer_state(request, model, tree, answer); !errors.empty()) {
    return report_errors(errors);
  }
  report_warnings(answer.warnings);
  return write_result(arguments, results::inspect_json(model, answer), results::inspect_text(model, answer), Exit::yes);
}

}  // namespace trilith::cli
