#include "cli/generate_arch_kinds.h"

#include "cli/generate_readers.h"

namespace trilith::cli {
namespace {

// options of the kinds: name, argument, meaning with unit and default

constexpr Option arch_options[] = {
    {"--count", "N", "voussoirs (16)"},
    {"--angle", "DEG", "opening angle between the springings, degrees (180)"},
    {"--radius", "M", "mean radius, m (1)"},
    {"--thickness", "RATIO", "thickness over mean radius (.15)"},
    {"--depth", "M", "m (.5)"},
};

constexpr Option pointed_arch_options[] = {
    {"--count", "N", "voussoirs in all, even (16)"},
    {"--span", "M", "at the mean line, m (2)"},
    {"--radius", "M", "mean radius of both arcs, at least half the span, m (2)"},
    {"--thickness", "RATIO", "thickness over mean radius (.15)"},
    {"--depth", "M", "m (.5)"},
};

constexpr Option jack_arch_options[] = {
    {"--count", "N", "voussoirs (7)"}, {"--span", "M", "clear, at the soffit, m (2)"},
    {"--height", "M", "m (.4)"},       {"--skew", "DEG", "lean of the abutments' faces from the vertical, degrees (20)"},
    {"--depth", "M", "m (.3)"},
};

constexpr Option barrel_vault_options[] = {
    {"--count", "N", "courses around the vault (9)"}, {"--columns", "N", "stones in a course (4)"},
    {"--radius", "M", "mean radius, m (1)"},          {"--thickness", "RATIO", "thickness over mean radius (.15)"},
    {"--depth", "M", "of the vault, m (2)"},          {"--bond", "WHAT", "joints of neighbouring courses: stack or running (running)"},
};

constexpr Option cross_vault_options[] = {
    {"--count", "N", "courses of each web, even (8)"},
    {"--radius", "M", "mean radius, m (1.5)"},
    {"--thickness", "RATIO", "thickness over mean radius (.15)"},
    {"--edge", "M", "of the webs beyond the extrados, m (.3)"},
};

constexpr Option dome_options[] = {
    {"--rows", "N", "courses (7)"},
    {"--columns", "N", "stones in a course (12)"},
    {"--radius", "M", "mean radius, m (2)"},
    {"--thickness", "RATIO", "thickness over mean radius (.12)"},
    {"--eye", "DEG", "polar angle of the opening at the top, degrees (12)"},
    {"--springing", "DEG", "polar angle of the lowest bed, degrees (90)"},
    {"--keystone", "", "close the opening with one stone"},
    {"--bond", "WHAT", "joints of neighbouring courses: stack or running (running)"},
};

std::optional<model::AssemblyInput> make_arch(Arguments& arguments) {
  model::ArchOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--radius", o.radius);
  read_degrees(arguments, "--angle", o.opening);
  read(arguments, "--thickness", o.thickness_ratio);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_arch);
}

std::optional<model::AssemblyInput> make_pointed_arch(Arguments& arguments) {
  model::PointedArchOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--span", o.span);
  read(arguments, "--radius", o.radius);
  read(arguments, "--thickness", o.thickness_ratio);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_pointed_arch);
}

std::optional<model::AssemblyInput> make_jack_arch(Arguments& arguments) {
  model::JackArchOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--span", o.span);
  read(arguments, "--height", o.height);
  read_degrees(arguments, "--skew", o.skew);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_jack_arch);
}

std::optional<model::AssemblyInput> make_barrel_vault(Arguments& arguments) {
  model::BarrelVaultOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--columns", o.columns);
  read(arguments, "--radius", o.radius);
  read(arguments, "--thickness", o.thickness_ratio);
  read(arguments, "--depth", o.depth);
  read(arguments, "--bond", o.bond);
  return built(arguments, o, model::generate_barrel_vault);
}

std::optional<model::AssemblyInput> make_cross_vault(Arguments& arguments) {
  model::CrossVaultOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--radius", o.radius);
  read(arguments, "--thickness", o.thickness_ratio);
  read(arguments, "--edge", o.edge);
  return built(arguments, o, model::generate_cross_vault);
}

std::optional<model::AssemblyInput> make_dome(Arguments& arguments) {
  model::DomeOptions o;
  read(arguments, "--rows", o.rows);
  read(arguments, "--columns", o.columns);
  read(arguments, "--radius", o.radius);
  read(arguments, "--thickness", o.thickness_ratio);
  read_degrees(arguments, "--eye", o.eye);
  read_degrees(arguments, "--springing", o.springing);
  read(arguments, "--keystone", o.keystone);
  read(arguments, "--bond", o.bond);
  return built(arguments, o, model::generate_dome);
}

constexpr GenerateKind kinds[] = {
    {"arch", "circular arch on two fixed springers", arch_options, make_arch},
    {"pointed-arch", "two arcs that meet in a joint at the crown", pointed_arch_options, make_pointed_arch},
    {"jack-arch", "flat arch between fixed abutments", jack_arch_options, make_jack_arch},
    {"barrel-vault", "semicircular vault", barrel_vault_options, make_barrel_vault},
    {"cross-vault", "two barrels that meet in groins, on four fixed piers", cross_vault_options, make_cross_vault},
    {"dome", "spherical dome on a fixed ring", dome_options, make_dome},
};

}  // namespace

std::span<const GenerateKind> generate_arch_kinds() { return kinds; }

}  // namespace trilith::cli
