#include "statics/order.h"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <memory>

#include "base/text.h"
#include "cli/assembly_options.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "cli/watchdog.h"
#include "io/file.h"
#include "results/order_json.h"
#include "statics/margin_report.h"

namespace trilith::cli {
namespace {

constexpr double most_steps = 1e9;

constexpr Positional positionals[] = {{"ASSEMBLY", "Trilith or COMPAS JSON, OBJ, STL, PLY, GLB, or a folder of meshes"}};
constexpr Option own_options[] = {
    {"--order", "ORDER",
     "follow this order instead of searching: ID,ID,... or a file (JSON array, a result of this command with its props, or one id a line)",
     false, true},
    {"--as-listed", "", "follow the order of the blocks in the file"},
    {"--no-props", "", "look for no props where no order stands by itself"},
    {"--margin", "", "also say of every state how much of its weight it takes sideways: the least of four directions"},
    {"--time-limit", "S", "give up after this many seconds: undecided, exit 2"},
};

/// What is held, in the words of a file.
struct NamedProp {
  std::string id;
  int from = 0, until = 0;
};

struct OrderFile {
  std::vector<std::string> ids;
  std::vector<NamedProp> props;
};

struct Request {
  std::string path;
  model::AssemblyOptions options;
  statics::OrderSettings settings;
  results::CheckEcho echo;
  std::optional<OrderFile> given;  ///< of --order
  bool as_listed = false;
  int threads = 1;
};

struct Work {
  Result<LoadedAssembly> loaded = Error{};
  std::vector<Error> refused;
  std::vector<Warning> warnings;
  statics::OrderResult result;
};

std::vector<std::string> split(std::string_view text, std::string_view marks) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t end = std::min(text.find_first_of(marks, at), text.size());
    if (end > at) words.emplace_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

/// The member `props` of a result of this command.
Result<std::vector<NamedProp>> read_props(const io::Json& json, const std::string& path) {
  std::vector<NamedProp> props;
  const io::Json* list = json.find("props");
  if (list == nullptr) return props;
  if (list->array() == nullptr) return Error{"must be an array of props", path + ":/props"};
  for (const io::Json& entry : *list->array()) {
    const std::string where = path + ":/props/" + std::to_string(props.size());
    const io::Json* id = entry.find("id");
    if (id == nullptr || id->string() == nullptr) return Error{"a prop needs the id of a block", where + "/id"};
    const auto step = [&entry](const char* key) {
      const io::Json* at = entry.find(key);
      return at != nullptr && at->number() != nullptr ? *at->number() : 0.0;
    };
    const double from = step("from_step"), until = step("until_step");
    if (!(from >= 1 && until > from && until <= most_steps) || from != std::floor(from) || until != std::floor(until))
      return Error{"a prop needs whole steps from_step >= 1 and until_step beyond it", where};
    props.push_back({*id->string(), static_cast<int>(from), static_cast<int>(until)});
  }
  return props;
}

/// The ids of a JSON array, of the member `order` of an object with its `props`, or one a line.
Result<OrderFile> read_order_file(const std::string& path) {
  const auto text = io::read_file(path);
  if (!text) return text.errors();
  const std::size_t first = text.value().find_first_not_of(" \t\r\n");
  if (first == std::string::npos || (text.value()[first] != '[' && text.value()[first] != '{'))
    return OrderFile{split(text.value(), "\r\n"), {}};
  const auto json = io::parse_json(text.value(), path);
  if (!json) return json.errors();
  const io::Json* list = json.value().array() != nullptr ? &json.value() : json.value().find("order");
  if (list == nullptr || list->array() == nullptr)
    return Error{"holds no order: expected an array of ids, or an object with one under \"order\"", path};
  OrderFile file;
  for (const io::Json& id : *list->array()) {
    if (id.string() == nullptr) return Error{"an order is made of ids", path + ":/" + std::to_string(file.ids.size())};
    file.ids.push_back(*id.string());
  }
  if (json.value().array() != nullptr) return file;
  auto props = read_props(json.value(), path);
  if (!props) return props.errors();
  file.props = std::move(props).value();
  return file;
}

/// The blocks that the ids mean: free ones, each once. Supports are skipped with a warning: they are always there.
std::vector<std::uint32_t> find_blocks(const model::Assembly& assembly, const std::vector<std::string>& ids, Work& work) {
  std::vector<std::uint32_t> order;
  std::vector<std::string_view> names;
  for (const model::Block& block : assembly.blocks) names.push_back(block.id);
  std::vector<bool> placed(assembly.blocks.size(), false);
  for (const std::string& id : ids) {
    const auto at = static_cast<std::size_t>(std::ranges::find(names, id) - names.begin());
    if (at == names.size()) {
      const std::string_view near = nearest_name(id, names);
      work.refused.push_back({"there is no block \"" + id + "\"" + (near.empty() ? "" : "; did you mean \"" + std::string(near) + "\"?"),
                              "--order", Error::Kind::refused});
    } else if (placed[at]) {
      work.refused.push_back({"block \"" + id + "\" is placed twice", "--order", Error::Kind::refused});
    } else if (assembly.blocks[at].fixed) {
      work.warnings.push_back({"is a support and always there: left out of the order", "block " + id});
    } else {
      placed[at] = true;
      order.push_back(static_cast<std::uint32_t>(at));
    }
  }
  const bool none_free = std::ranges::all_of(assembly.blocks, [](const model::Block& block) { return block.fixed; });
  if (order.empty() && work.refused.empty() && !none_free)
    work.refused.push_back({"names no free block: there is nothing to place", "--order", Error::Kind::refused});
  std::size_t left = 0;
  for (std::size_t i = 0; i < placed.size(); ++i) left += !placed[i] && !assembly.blocks[i].fixed;
  if (left > 0 && work.refused.empty())
    work.warnings.push_back({"the order leaves out " + std::to_string(left) + " of the free blocks: they are never placed", "--order"});
  if (work.refused.size() > max_errors) work.refused.resize(max_errors);
  return order;
}

/// The props with the blocks that they mean: free ones, placed by the step from which they are held.
std::vector<statics::Prop> find_props(const model::Assembly& assembly, const std::vector<NamedProp>& named,
                                      const std::vector<std::uint32_t>& order, Work& work) {
  std::vector<statics::Prop> props;
  for (std::size_t i = 0; i < named.size(); ++i) {
    const NamedProp& prop = named[i];
    const auto at = std::ranges::find_if(order, [&](std::uint32_t block) { return assembly.blocks[block].id == prop.id; });
    const auto placed = at - order.begin() + 1;
    const std::string where = "--order: /props/" + std::to_string(i);
    if (at == order.end())
      work.refused.push_back({"the order places no block \"" + prop.id + "\" that could be held", where, Error::Kind::refused});
    else if (placed > prop.from)
      work.refused.push_back({"block \"" + prop.id + "\" is to be held from step " + std::to_string(prop.from) + ", but placed in step " +
                                  std::to_string(placed),
                              where, Error::Kind::refused});
    else
      props.push_back({*at, prop.from, prop.until});
  }
  if (work.refused.size() > max_errors) work.refused.resize(max_errors);
  return props;
}

std::vector<std::uint32_t> listed_order(const model::Assembly& assembly) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i)
    if (!assembly.blocks[i].fixed) order.push_back(i);
  return order;
}

/// The least horizontal load factor of a state, in weights.
statics::StateMargin least_horizontal(const model::Assembly& state, const Deadline& deadline) {
  if (std::ranges::all_of(state.blocks, [](const model::Block& block) { return block.fixed; })) return {{}, "all that is placed is held"};
  statics::MarginSettings settings;
  settings.deadline = deadline;
  const statics::HorizontalMargin margin = statics::find_least_horizontal(state, settings);
  if (!margin.decided) return {{}, "how much it takes sideways is undecided: " + margin.reason};
  if (margin.unbounded) return {{}, "no sideways load brings it down"};
  return {margin.load_factor, {}};
}

std::optional<Request> read_request(Arguments& arguments, Exit& refused) {
  Request request;
  request.path = arguments.positional(0);
  request.options = read_assembly_options(arguments);
  request.threads = read_threads(arguments);
  request.as_listed = arguments.has("--as-listed");
  request.settings.allow_props = !arguments.has("--no-props");
  if (request.as_listed && arguments.has("--order")) arguments.refuse("--order", "cannot go with --as-listed");
  if (const auto limit = read_time_limit(arguments)) {
    request.echo.time_limit_s = *limit;
    request.settings.check.deadline = Deadline::after(*limit);
  }
  if (arguments.has("--margin"))
    request.settings.margin = [deadline = request.settings.check.deadline](const model::Assembly& state) {
      return least_horizontal(state, deadline);
    };
  refused = Exit::usage;
  if (arguments.failed()) return std::nullopt;
  if (const auto word = arguments.text("--order")) {
    std::error_code none;
    if (!std::filesystem::exists(*word, none)) {
      request.given = OrderFile{split(*word, ","), {}};
    } else if (auto file = read_order_file(*word)) {
      request.given = std::move(file).value();
    } else {
      refused = report_errors(file.errors());
      return std::nullopt;
    }
  }
  return request;
}

void run(const Request& request, Work& work) {
  work.loaded = load_checked_assembly(request.path, request.options, request.threads, true);
  if (!work.loaded.ok()) return;
  const model::Assembly& assembly = work.loaded.value().assembly;
  work.warnings = assembly.warnings;
  if (!request.given && !request.as_listed) {
    work.result = statics::find_order(assembly, request.settings);
    return;
  }
  const std::vector<std::uint32_t> order = request.given ? find_blocks(assembly, request.given->ids, work) : listed_order(assembly);
  std::vector<statics::Prop> props;
  if (request.given && work.refused.empty()) props = find_props(assembly, request.given->props, order, work);
  if (work.refused.empty()) work.result = statics::follow_order(assembly, order, request.settings, props);
}

/// `given`: whether the order at hand stands; else whether there is one that needs no props.
Exit exit_of(statics::OrderOutcome outcome, bool given) {
  using Outcome = statics::OrderOutcome;
  if (outcome == Outcome::stands || (given && outcome == Outcome::with_props)) return Exit::yes;
  return outcome == Outcome::undecided || outcome == Outcome::incomplete ? Exit::undecided : Exit::no;
}

io::Json without_answer(const Request& request, Watched why) {
  model::Assembly nothing;
  nothing.source = request.path;
  statics::OrderResult result;
  result.status = why == Watched::time_limit ? SolveStatus::time_limit : SolveStatus::not_run;
  result.reason = early_end(why);
  return results::order_json(nothing, result, request.given || request.as_listed, request.echo, {});
}

}  // namespace

Exit order(std::span<char*> words) {
  const auto options = with_assembly_options(own_options);
  auto parsed =
      parse_arguments({"order", "In which order can it be built so that every state stands? With the fewest props where none does.",
                       positionals, options, "trilith order arch.json --json order.json"},
                      words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  Exit refused = Exit::usage;
  const std::optional<Request> request = read_request(arguments, refused);
  if (!request) return refused;
  if (const Exit unwritable = check_outputs(arguments, {"--json"}); unwritable != Exit::yes) return unwritable;

  auto work = std::make_shared<Work>();
  const auto limit = arguments.has("--time-limit") ? std::optional(request->echo.time_limit_s) : std::nullopt;
  const Watched watched = run_watched([work, request] { run(*request, *work); }, limit);
  if (watched != Watched::finished) abandon(arguments, request->path, watched, without_answer(*request, watched));
  if (!work->loaded.ok()) return report_errors(work->loaded.errors());
  if (!work->refused.empty()) return report_errors(work->refused);

  const model::Assembly& assembly = work->loaded.value().assembly;
  const bool given = request->given || request->as_listed;
  report_warnings(work->warnings);
  const Exit answer = write_result(arguments, results::order_json(assembly, work->result, given, request->echo, work->warnings),
                                   results::order_text(assembly, work->result, given), exit_of(work->result.outcome, given));
  return interrupt_requested() && answer == Exit::undecided ? Exit::interrupted : answer;
}

}  // namespace trilith::cli
