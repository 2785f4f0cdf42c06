#include "cli/generate_kinds.h"

#include <vector>

#include "cli/generate_arch_kinds.h"
#include "cli/generate_readers.h"

namespace trilith::cli {
namespace {

// options of the kinds: name, argument, meaning with unit and default

constexpr Option wall_options[] = {
    {"--columns", "N", "whole blocks in an even course (6)"},
    {"--rows", "N", "courses (6)"},
    {"--length", "M", "of a block, m (.6)"},
    {"--height", "M", "of a block, m (.3)"},
    {"--depth", "M", "of the wall, m (.3)"},
    {"--ground", "M", "height of the ground block, m (.3)"},
};

constexpr Option published_wall_options[] = {
    {"--number", "N", "1, 2 or 3: 6 courses, 10 courses, 11 courses with an opening (1)"},
};

constexpr Option opening_options[] = {
    {"--columns", "N", "whole blocks in an even course (6)"},
    {"--rows", "N", "courses (8)"},
    {"--opening-columns", "N", "width of the opening in blocks (2)"},
    {"--opening-rows", "N", "height of the opening in courses (4)"},
    {"--sill", "N", "courses below the opening (1)"},
    {"--top", "WHAT", "what spans it: none, lintel or arch (lintel)"},
    {"--voussoirs", "N", "stones of the flat arch (5)"},
    {"--skew", "DEG", "lean of its outermost joints from the vertical, degrees (15)"},
    {"--length", "M", "of a block, m (.6)"},
    {"--height", "M", "of a block, m (.3)"},
    {"--depth", "M", "of the wall, m (.3)"},
};

constexpr Option polygonal_wall_options[] = {
    {"--columns", "N", "stones in an even course (6)"},
    {"--rows", "N", "courses (5)"},
    {"--length", "M", "of a stone, about, m (.5)"},
    {"--height", "M", "of a stone, about, m (.4)"},
    {"--depth", "M", "of the wall, m (.4)"},
    {"--jitter", "SHARE", "how far points leave the regular bond, in stones, 0 to .45 (.25)"},
    {"--seed", "N", "of the random numbers (1)"},
};

constexpr Option rubble_options[] = {
    {"--columns", "N", "stones along the wall (4)"},
    {"--rows", "N", "courses (5)"},
    {"--layers", "N", "stones through the depth (1)"},
    {"--length", "M", "of a stone, about, m (.6)"},
    {"--height", "M", "of a stone, about, m (.2)"},
    {"--depth", "M", "of a stone, about, m (.5)"},
    {"--jitter", "SHARE", "how far points leave the regular bond, in stones, 0 to .45 (.15)"},
    {"--size-spread", "SHARE", "spread of the weights of the power diagram, 0 to .5 (.1)"},
    {"--seed", "N", "of the random numbers (1)"},
};

constexpr Option portal_options[] = {
    {"--drums", "N", "per post (1)"},
    {"--span", "M", "between the posts, m (2)"},
    {"--width", "M", "of a post, m (.5)"},
    {"--height", "M", "of the posts, m (3)"},
    {"--depth", "M", "m (.5)"},
    {"--lintel", "M", "height of the lintel, m (.5)"},
    {"--overhang", "M", "of the lintel beyond the posts, m (0)"},
};

constexpr Option portico_options[] = {
    {"--columns", "N", "columns (3)"},
    {"--drums", "N", "per column (4)"},
    {"--span", "M", "between the axes of columns, m (2)"},
    {"--width", "M", "of a column, m (.5)"},
    {"--height", "M", "of the columns, m (3)"},
    {"--depth", "M", "m (.5)"},
    {"--beam", "M", "height of the beams, m (.4)"},
    {"--lean", "DEG", "of the columns, degrees (3)"},
};

constexpr Option stack_options[] = {
    {"--count", "N", "blocks (3)"},
    {"--length", "M", "of a block, m (1)"},
    {"--height", "M", "of a block, m (1)"},
    {"--depth", "M", "of a block, m (1)"},
    {"--offset", "M", "shift of each block against the one below, m (0)"},
};

constexpr Option tilted_stack_options[] = {
    {"--count", "N", "blocks (4)"},
    {"--angle", "DEG", "of the slope, degrees (10)"},
    {"--length", "M", "of a block along the slope, m (1)"},
    {"--height", "M", "of a block, m (.5)"},
    {"--depth", "M", "of a block, m (1)"},
};

constexpr Option overhang_options[] = {
    {"--count", "N", "blocks (5)"},         {"--factor", "F", "overhangs over those at the limit, below 2 (.95)"},
    {"--length", "M", "of a block, m (1)"}, {"--height", "M", "of a block, m (.2)"},
    {"--depth", "M", "of a block, m (.5)"},
};

constexpr Option corbel_options[] = {
    {"--rows", "N", "courses (6)"},
    {"--offset", "M", "projection of each course, m (.08)"},
    {"--length", "M", "of the pier, m (1)"},
    {"--height", "M", "of a course, m (.2)"},
    {"--depth", "M", "m (.5)"},
    {"--span", "M", "distance to a second, facing one, m; 0: none (0)"},
};

constexpr Option incline_options[] = {
    {"--angle", "DEG", "of the slope, degrees (30)"},
    {"--length", "M", "of the block along the slope, m (1)"},
    {"--height", "M", "of the block, m (1)"},
    {"--depth", "M", "of the block, m (1)"},
};

constexpr Option h_model_options[] = {
    {"--span", "M", "length of the bar, m (1)"},
    {"--height", "M", "of the bar, m (.25)"},
    {"--width", "M", "of a post, m (.25)"},
    {"--post-height", "M", "m (1)"},
    {"--depth", "M", "m (.25)"},
    {"--free-posts", "", "the posts stand on a ground instead of being fixed"},
};

constexpr Option wedge_options[] = {
    {"--angle", "DEG", "of the faces from the vertical, degrees; positive: wider below, negative: a keystone (30)"},
    {"--width", "M", "of the narrow end, m (1)"},
    {"--height", "M", "m (1)"},
    {"--depth", "M", "m (.5)"},
};

std::optional<model::AssemblyInput> make_wall(Arguments& arguments) {
  model::WallOptions o;
  read(arguments, "--columns", o.columns);
  read(arguments, "--rows", o.rows);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--ground", o.ground_height);
  return built(arguments, o, model::generate_wall);
}

std::optional<model::AssemblyInput> make_published_wall(Arguments& arguments) {
  model::PublishedWallOptions o;
  read(arguments, "--number", o.number);
  return built(arguments, o, model::generate_published_wall);
}

void read(Arguments& arguments, std::string_view name, model::OpeningOptions::Top& top) {
  using Top = model::OpeningOptions::Top;
  constexpr std::string_view names[] = {"none", "lintel", "arch"};
  if (const auto given = arguments.choice(name, names)) top = *given == "none" ? Top::none : *given == "lintel" ? Top::lintel : Top::arch;
}

std::optional<model::AssemblyInput> make_opening(Arguments& arguments) {
  model::OpeningOptions o;
  read(arguments, "--columns", o.columns);
  read(arguments, "--rows", o.rows);
  read(arguments, "--opening-columns", o.opening_columns);
  read(arguments, "--opening-rows", o.opening_rows);
  read(arguments, "--sill", o.sill_rows);
  read(arguments, "--top", o.top);
  read(arguments, "--voussoirs", o.voussoirs);
  read_degrees(arguments, "--skew", o.skew);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_opening);
}

std::optional<model::AssemblyInput> make_polygonal_wall(Arguments& arguments) {
  model::PolygonalWallOptions o;
  read(arguments, "--columns", o.columns);
  read(arguments, "--rows", o.rows);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--jitter", o.jitter);
  read(arguments, "--seed", o.seed);
  return built(arguments, o, model::generate_polygonal_wall);
}

std::optional<model::AssemblyInput> make_rubble(Arguments& arguments) {
  model::RubbleOptions o;
  read(arguments, "--columns", o.columns);
  read(arguments, "--rows", o.rows);
  read(arguments, "--layers", o.layers);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--jitter", o.jitter);
  read(arguments, "--size-spread", o.size_spread);
  read(arguments, "--seed", o.seed);
  return built(arguments, o, model::generate_rubble);
}

std::optional<model::AssemblyInput> make_portal(Arguments& arguments) {
  model::PortalOptions o;
  read(arguments, "--drums", o.drums);
  read(arguments, "--span", o.span);
  read(arguments, "--width", o.post_width);
  read(arguments, "--height", o.post_height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--lintel", o.lintel_height);
  read(arguments, "--overhang", o.overhang);
  return built(arguments, o, model::generate_portal);
}

std::optional<model::AssemblyInput> make_portico(Arguments& arguments) {
  model::PorticoOptions o;
  read(arguments, "--columns", o.columns);
  read(arguments, "--drums", o.drums);
  read(arguments, "--span", o.span);
  read(arguments, "--width", o.width);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--beam", o.beam_height);
  read_degrees(arguments, "--lean", o.lean);
  return built(arguments, o, model::generate_portico);
}

std::optional<model::AssemblyInput> make_stack(Arguments& arguments) {
  model::StackOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--offset", o.offset);
  return built(arguments, o, model::generate_stack);
}

std::optional<model::AssemblyInput> make_tilted_stack(Arguments& arguments) {
  model::TiltedStackOptions o;
  read(arguments, "--count", o.count);
  read_degrees(arguments, "--angle", o.angle);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_tilted_stack);
}

std::optional<model::AssemblyInput> make_overhang(Arguments& arguments) {
  model::OverhangOptions o;
  read(arguments, "--count", o.count);
  read(arguments, "--factor", o.factor);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_overhang);
}

std::optional<model::AssemblyInput> make_corbel(Arguments& arguments) {
  model::CorbelOptions o;
  read(arguments, "--rows", o.rows);
  read(arguments, "--offset", o.offset);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--span", o.span);
  return built(arguments, o, model::generate_corbel);
}

std::optional<model::AssemblyInput> make_incline(Arguments& arguments) {
  model::InclineOptions o;
  o.angle = 30 * model::radians_per_degree;
  read_degrees(arguments, "--angle", o.angle);
  read(arguments, "--length", o.length);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_incline);
}

std::optional<model::AssemblyInput> make_h_model(Arguments& arguments) {
  model::HModelOptions o;
  read(arguments, "--span", o.span);
  read(arguments, "--height", o.height);
  read(arguments, "--width", o.post_width);
  read(arguments, "--post-height", o.post_height);
  read(arguments, "--depth", o.depth);
  read(arguments, "--free-posts", o.free_posts);
  return built(arguments, o, model::generate_h_model);
}

std::optional<model::AssemblyInput> make_wedge(Arguments& arguments) {
  model::WedgeOptions o;
  read_degrees(arguments, "--angle", o.angle);
  read(arguments, "--width", o.width);
  read(arguments, "--height", o.height);
  read(arguments, "--depth", o.depth);
  return built(arguments, o, model::generate_wedge);
}

constexpr GenerateKind kinds[] = {
    {"wall", "running bond on a ground", wall_options, make_wall},
    {"published-wall", "benchmark walls of Ferris and Tin-Loi 2001; friction .65", published_wall_options, make_published_wall, ".65"},
    {"opening", "wall with an opening in the middle", opening_options, make_opening},
    {"polygonal-wall", "wall of Voronoi cells", polygonal_wall_options, make_polygonal_wall},
    {"rubble", "wall of irregular convex stones that fill a box", rubble_options, make_rubble},
    {"portal", "two posts and a lintel", portal_options, make_portal},
    {"portico", "leaning columns of drums under beams", portico_options, make_portico},
    {"stack", "equal blocks, each shifted against the one below", stack_options, make_stack},
    {"tilted-stack", "straight stack square to a slope", tilted_stack_options, make_tilted_stack},
    {"overhang", "harmonic stack at the edge of a table; falls where the factor is above 1", overhang_options, make_overhang},
    {"corbel", "courses that project one beyond the other", corbel_options, make_corbel},
    {"incline", "one block on a slope; slides where tan(angle) is above the friction", incline_options, make_incline},
    {"h-model", "bar clamped between two posts", h_model_options, make_h_model},
    {"wedge", "block held by friction between two leaning walls; falls where tan(angle) is above it", wedge_options, make_wedge},
};

}  // namespace

std::span<const GenerateKind> generate_kinds() {
  static const std::vector<GenerateKind> all = [] {
    std::vector<GenerateKind> list(std::begin(kinds), std::end(kinds));
    const std::span<const GenerateKind> arches = generate_arch_kinds();
    list.insert(list.end(), arches.begin(), arches.end());
    return list;
  }();
  return all;
}

}  // namespace trilith::cli
