#include <fmt/format.h>

#include <algorithm>
#include <cstdio>

#include "cli/arguments.h"
#include "cli/commands.h"
#include "cli/output.h"
#include "io/assembly_json.h"
#include "model/generate.h"

namespace trilith::cli {
namespace {

constexpr double degree = 0.017453292519943295;  // rad
constexpr int most_blocks_per_side = 100000;
constexpr double largest_length = 1e9;  // m, as far as files may go

constexpr Positional positionals[] = {{"KIND", "wall, portal, stack, arch or incline"}};
constexpr Option options[] = {
    {"-o,--output", "FILE", "where to write the assembly; left out: stdout"},
    {"--columns", "N", "wall: whole blocks in an even course (6)"},
    {"--rows", "N", "wall: courses (6)"},
    {"--drums", "N", "portal: drums per post (1)"},
    {"--count", "N", "stack: blocks (3); arch: voussoirs (16)"},
    {"--length", "M", "block length, m: wall (.6), stack (1), incline (1)"},
    {"--height", "M", "block height, m: wall (.3), stack (1), incline (1); portal: post height (3)"},
    {"--depth", "M", "block depth, m: wall (.3), portal (.5), stack (1), arch (.5), incline (1)"},
    {"--span", "M", "portal: clear distance of the posts, m (2)"},
    {"--overhang", "M", "portal: lintel beyond the posts, m (0)"},
    {"--offset", "M", "stack: shift of each block against the one below, m (0)"},
    {"--radius", "M", "arch: mean radius, m (1)"},
    {"--thickness", "RATIO", "arch: thickness over mean radius (.15)"},
    {"--angle", "DEG", "incline: slope, degrees (30)"},
    {"--friction", "MU", "friction coefficient written into the file (.84)"},
    {"--density", "RHO", "density written into the file, kg/m3 (2400)"},
};

/// Reads options into a kind's settings and remembers which it knows.
class Reader {
 public:
  explicit Reader(Arguments& arguments) : arguments_(arguments) {}

  void length(std::string_view name, double& value) { read(name, value, 0, false); }
  void distance(std::string_view name, double& value) { read(name, value, 0, true); }
  void offset(std::string_view name, double& value) { read(name, value, -1e9, true); }
  void angle(std::string_view name, double& degrees) {
    read(name, degrees, 0, true);
    if (degrees < 90) return;
    arguments_.refuse(name, "must be below 90 degrees");
    degrees = 0;
  }
  void count(std::string_view name, int& value) {
    known_.push_back(name);
    value = arguments_.integer(name, 1, most_blocks_per_side).value_or(value);
  }
  /// Options that this kind does not have are refused, not ignored.
  void refuse_others(std::string_view kind) {
    for (const Option& option : options) {
      const bool everywhere = option.name == "-o,--output" || option.name == "--friction" || option.name == "--density";
      if (!everywhere && arguments_.has(option.name) && std::find(known_.begin(), known_.end(), option.name) == known_.end())
        arguments_.refuse(option.name, fmt::format("'{}' has no such option", kind));
    }
  }

 private:
  void read(std::string_view name, double& value, double least, bool least_allowed) {
    known_.push_back(name);
    const auto given = arguments_.number(name);
    if (!given) return;
    if (*given < least || (*given == least && !least_allowed) || *given > largest_length)
      arguments_.refuse(name, fmt::format("must be above {} and at most {}, got {}", least, largest_length, *given));
    else
      value = *given;
  }

  Arguments& arguments_;
  std::vector<std::string_view> known_;
};

model::AssemblyInput make_wall(Reader& read) {
  model::WallOptions o;
  read.count("--columns", o.columns);
  read.count("--rows", o.rows);
  read.length("--length", o.length);
  read.length("--height", o.height);
  read.length("--depth", o.depth);
  return model::generate_wall(o);
}

model::AssemblyInput make_portal(Reader& read) {
  model::PortalOptions o;
  read.count("--drums", o.drums);
  read.length("--span", o.span);
  read.length("--height", o.post_height);
  read.length("--depth", o.depth);
  read.distance("--overhang", o.overhang);
  return model::generate_portal(o);
}

model::AssemblyInput make_stack(Reader& read) {
  model::StackOptions o;
  read.count("--count", o.count);
  read.length("--length", o.length);
  read.length("--height", o.height);
  read.length("--depth", o.depth);
  read.offset("--offset", o.offset);
  return model::generate_stack(o);
}

model::AssemblyInput make_arch(Reader& read) {
  model::ArchOptions o;
  read.count("--count", o.count);
  read.length("--radius", o.radius);
  read.length("--thickness", o.thickness_ratio);
  read.length("--depth", o.depth);
  return model::generate_arch(o);
}

model::AssemblyInput make_incline(Reader& read) {
  model::InclineOptions o;
  double degrees = 30;
  read.angle("--angle", degrees);
  read.length("--length", o.length);
  read.length("--height", o.height);
  read.length("--depth", o.depth);
  o.angle = degrees * degree;
  return model::generate_incline(o);
}

struct Kind {
  std::string_view name;
  model::AssemblyInput (*make)(Reader&);
};
constexpr Kind kinds[] = {
    {"wall", make_wall}, {"portal", make_portal}, {"stack", make_stack}, {"arch", make_arch}, {"incline", make_incline}};

const Kind* find_kind(std::string_view name) {
  for (const Kind& kind : kinds)
    if (kind.name == name) return &kind;
  std::fprintf(stderr, "trilith: no kind '%s'; one of: wall, portal, stack, arch, incline\n", std::string(name).c_str());
  return nullptr;
}

}  // namespace

Exit generate(std::span<char*> words) {
  auto parsed = parse_arguments({"generate", "Writes an assembly with a known answer.", positionals, options,
                                 "trilith generate wall --columns 8 --rows 6 -o wall.json"},
                                words);
  if (const Exit* exit = std::get_if<Exit>(&parsed)) return *exit;
  Arguments& arguments = std::get<Arguments>(parsed);
  const Kind* kind = find_kind(arguments.positional(0));
  if (!kind) return Exit::usage;

  Reader reader(arguments);
  model::AssemblyInput assembly = kind->make(reader);
  reader.refuse_others(kind->name);
  assembly.friction = arguments.number("--friction").value_or(0.84);
  assembly.density = arguments.number("--density").value_or(2400);
  if (arguments.failed()) return Exit::usage;

  const std::string text = io::write_assembly_json(assembly);
  const auto output = arguments.text("--output");
  if (!output && !json_on_stdout(arguments)) return write_stdout(text) ? Exit::yes : Exit::io_failed;
  if (output) {
    const Exit written = write_output_file(arguments, *output, text);
    if (written != Exit::yes) return written;
  }
  const io::Json result = io::Json::Object{{"schema", "trilith.generate/1"},
                                           {"engine", TRILITH_VERSION},
                                           {"kind", kind->name},
                                           {"output", output ? io::Json(*output) : io::Json()},
                                           {"blocks", assembly.blocks.size()}};
  return write_result(arguments, result,
                      fmt::format("{}: {} with {} blocks\n", output.value_or("(not written)"), kind->name, assembly.blocks.size()),
                      Exit::yes);
}

}  // namespace trilith::cli
