#include "cli/rbe_options.h"

#include <algorithm>

namespace trilith::cli {
namespace {

constexpr Option options[] = {
    {"--faces", "K", "also report the penalty program on pyramids of K faces, 3 to 64 (8)"},
    {"--cone", "FIT", "of the penalty program: inscribed (default), circumscribed, or quadratic, the true cone"},
    {"--rbe-form", "FORM", "its friction rows: net, bounded by f+ - f- (default), or plus, by f+ alone"},
    {"--gamma", "G", "its weight of pulling forces (1000)"},
    {"--tau", "T", "its weight of tangential forces (1)"},
    {"--hessian-scale", "H", "its weight of pressing forces (1)"},
};
constexpr std::string_view cones[] = {"inscribed", "circumscribed", "quadratic"};
constexpr std::string_view forms[] = {"net", "plus"};

double weight(Arguments& arguments, std::string_view name, double otherwise) {
  const auto value = arguments.number(name);
  if (value && !(*value > 0)) arguments.refuse(name, "must be above 0");
  return value.value_or(otherwise);
}

}  // namespace

std::span<const Option> rbe_options() { return options; }

std::optional<statics::RbeSettings> read_rbe_options(Arguments& arguments, std::string_view solver) {
  const bool asked = std::any_of(std::begin(options), std::end(options), [&](const Option& o) { return arguments.has(o.name); });
  if (!asked && solver != "admm" && solver != "osqp") return {};
  statics::RbeSettings settings;
  settings.faces = arguments.integer("--faces", statics::least_rbe_faces, statics::most_rbe_faces).value_or(settings.faces);
  const std::string cone = arguments.choice("--cone", cones).value_or("inscribed");
  if (cone == "circumscribed") settings.cone = statics::RbeCone::circumscribed;
  if (cone == "quadratic") settings.cone = statics::RbeCone::quadratic;
  if (cone == "quadratic" && solver == "osqp") arguments.refuse("--cone", "osqp takes linear rows only: inscribed or circumscribed");
  if (arguments.choice("--rbe-form", forms).value_or("net") == "plus") settings.form = solve::FrictionForm::plus;
  settings.gamma = weight(arguments, "--gamma", settings.gamma);
  settings.tau = weight(arguments, "--tau", settings.tau);
  settings.hessian_scale = weight(arguments, "--hessian-scale", settings.hessian_scale);
  if (const auto tolerance = arguments.number("--tolerance"); tolerance && *tolerance > 0) settings.tolerance = *tolerance;
  if (solver == "admm") settings.engine = statics::RbeEngine::admm;
  if (solver == "osqp") settings.engine = statics::RbeEngine::osqp;
  return settings;
}

}  // namespace trilith::cli
