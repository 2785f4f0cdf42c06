#include <algorithm>
#include <limits>

#include "base/text.h"
#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/load_model.h"
#include "results/spheres_json.h"

namespace trilith::cli {
namespace {

constexpr Positional positionals[] = {{"MODEL", "URDF or MJCF"}};
constexpr Option options[] = {
    {"--excess", "M", "spheres may stick out of a shape this far, m (.01, and half a radius between those of a capsule)"},
    {"--count", "N", "spheres for one shape at most, whatever the excess (64)"},
    {"--body", "NAME", "this link alone; may be repeated", true},
    {"--package", "DIR", "where package:// names are looked for; may be repeated", true},
    {"-o,--output", "FILE", "write the JSON there (the same as --json FILE)"},
};

geom::CoverSettings read_settings(Arguments& arguments) {
  geom::CoverSettings settings;
  settings.excess = arguments.number("--excess").value_or(settings.excess);
  if (!(settings.excess > 0)) arguments.refuse("--excess", "must be above 0");
  if (arguments.has("--excess")) settings.spacing = std::numeric_limits<double>::infinity();
  settings.most = arguments.integer("--count", 1, 10'000).value_or(settings.most);
  return settings;
}

/// Keeps the named links; false where a name is unknown or has no shapes.
bool keep_bodies(Arguments& arguments, const model::Model& model, std::vector<model::BodyCover>& covers) {
  const std::vector<std::string> wanted = arguments.texts("--body");
  if (wanted.empty()) return true;
  const auto name = [&](const model::BodyCover& cover) { return model.bodies[static_cast<std::size_t>(cover.body)].name; };
  for (const std::string& word : wanted)
    if (std::none_of(covers.begin(), covers.end(), [&](const model::BodyCover& cover) { return name(cover) == word; }))
      arguments.refuse("--body", "no link with collision shapes is called '" + escape(word) + "'");
  std::erase_if(covers,
                [&](const model::BodyCover& cover) { return std::find(wanted.begin(), wanted.end(), name(cover)) == wanted.end(); });
  return !arguments.failed();
}

}  // namespace

Exit spherize(std::span<char*> words) {
  auto parsed = parse_arguments({"spherize", "Spheres that cover the collision shapes of a robot, for clearance in planning.", positionals,
                                 options, "trilith spherize models/ur5e.urdf --excess .02 -o ur5e_spheres.json"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const geom::CoverSettings settings = read_settings(arguments);
  (void)arguments.integer("--threads", 1, 1024);
  if (arguments.failed()) return Exit::usage;

  io::LoadOptions load;
  load.urdf.package_folders = arguments.texts("--package");
  const auto model = io::load_model(arguments.positional(0), load);
  if (!model) return report_errors(model.errors());
  std::vector<Warning> warnings = model.value().warnings;
  std::vector<model::BodyCover> covers = model::cover_bodies(model.value(), settings, warnings);
  if (!keep_bodies(arguments, model.value(), covers)) return Exit::usage;
  report_warnings(warnings);
  const results::SpheresAnswer answer{covers, settings, warnings};
  const io::Json json = results::spheres_json(model.value(), answer);
  if (const auto path = arguments.text("--output"))
    if (write_output_file(arguments, *path, io::write_json(json, 2)) != Exit::yes) return Exit::io_failed;
  return write_result(arguments, json, results::spheres_text(model.value(), answer), Exit::yes);
}

}  // namespace trilith::cli
