#include <string_view>
#include <tuple>

#include "base/check.h"
#include "model/generate_parts.h"

namespace trilith::model {
namespace {

/// The corners of a block on a slope, counter-clockwise seen from -y: from `along` and `above`, so long and so high.
geom::Mesh on_slope(const Slope& slope, const Vec3d& corner, const Vec3d& size, double front, double back) {
  const Vec3d quad[4] = {slope.point(corner.x + size.x, corner.z), slope.point(corner.x + size.x, corner.z + size.z),
                         slope.point(corner.x, corner.z + size.z), slope.point(corner.x, corner.z)};
  return make_prism(quad, front, back);
}

/// The fixed slope under a block of this size.
void add_slope(AssemblyInput& input, const Slope& slope, const Vec3d& block) {
  add_block(input, "slope", on_slope(slope, {-block.x, 0, -block.z}, {3 * block.x, 0, block.z}, -block.y, 2 * block.y), true);
}

}  // namespace

std::vector<Error> faults(const PortalOptions& o) {
  FaultList list;
  list.count("--drums", o.drums);
  list.length("--span", o.span);
  list.length("--width", o.post_width);
  list.length("--height", o.post_height);
  list.length("--depth", o.depth);
  list.length("--lintel", o.lintel_height);
  list.range("--overhang", o.overhang, 0, largest_length);
  return list.take();
}

AssemblyInput generate_portal(const PortalOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("portal");
  const double width = options.post_width, depth = options.depth, inner = 0.5 * options.span, outer = inner + width;
  add_block(input, "ground", make_box({-outer - width, -width, -width}, {outer + width, depth + width, 0}), true);
  for (const auto& [side, left, right] : {std::tuple("left", -outer, -inner), std::tuple("right", inner, outer)})
    for (int i = 0; i < options.drums; ++i) {
      const double low = options.post_height * i / options.drums, high = options.post_height * (i + 1) / options.drums;
      add_block(input, numbered(side, i), make_box({left, 0, low}, {right, depth, high}));
    }
  const double reach = outer + options.overhang, top = options.post_height;
  add_block(input, "lintel", make_box({-reach, 0, top}, {reach, depth, top + options.lintel_height}));
  return input;
}

std::vector<Error> faults(const PorticoOptions& o) {
  FaultList list;
  list.count("--columns", o.columns);
  list.count("--drums", o.drums);
  list.length("--span", o.span);
  list.length("--width", o.width);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.length("--beam", o.beam_height);
  list.degrees("--lean", o.lean, -80, 80);
  list.need(o.span > o.width, "--span", "the axes of the columns must be further apart than a column is wide");
  list.blocks("--columns", double(o.columns) * (o.drums + 1));
  return list.take();
}

AssemblyInput generate_portico(const PorticoOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("portico");
  const double width = options.width, depth = options.depth, far = (options.columns - 1) * options.span + width;
  add_block(input, "ground", make_box({-width, -depth, -width}, {far + width, 2 * depth, 0}), true);

  const double slope = tangent(options.lean);
  const auto level = [&](int joint) { return options.height * joint / options.drums; };
  for (int c = 0; c < options.columns; ++c)
    for (int d = 0; d < options.drums; ++d) {
      const double left = c * options.span, low = level(d), high = level(d + 1);
      const Vec3d quad[4] = {at(left + low * slope, low), at(left + width + low * slope, low), at(left + width + high * slope, high),
                             at(left + high * slope, high)};
      add_block(input, numbered(numbered("c", c + 1) + "d", d + 1), make_prism(quad, 0, depth));
    }

  // beams meet above the axes of the columns; the outer ones end flush with them
  const double shift = options.height * slope, high = options.height + options.beam_height;
  const int beams = options.columns > 1 ? options.columns - 1 : 1;
  for (int b = 0; b < beams; ++b) {
    const double left = b == 0 ? 0 : b * options.span + 0.5 * width;
    const double right = b == beams - 1 ? far : (b + 1) * options.span + 0.5 * width;
    add_block(input, numbered("beam", b + 1), make_box({left + shift, 0, options.height}, {right + shift, depth, high}));
  }
  return input;
}

std::vector<Error> faults(const StackOptions& o) {
  FaultList list;
  list.count("--count", o.count);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.range("--offset", o.offset, -largest_length, largest_length);
  return list.take();
}

AssemblyInput generate_stack(const StackOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("stack");
  const double length = options.length, depth = options.depth, height = options.height;
  add_block(input, "ground", make_box({-length, -depth, -height}, {2 * length, 2 * depth, 0}), true);
  for (int i = 0; i < options.count; ++i) {
    const double left = i * options.offset;
    add_block(input, numbered("b", i + 1), make_box({left, 0, i * height}, {left + length, depth, (i + 1) * height}));
  }
  return input;
}

std::vector<Error> faults(const TiltedStackOptions& o) {
  FaultList list;
  list.count("--count", o.count);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.degrees("--angle", o.angle, -90, 90);
  return list.take();
}

AssemblyInput generate_tilted_stack(const TiltedStackOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("tilted-stack");
  const Slope slope(options.angle);
  const Vec3d size{options.length, options.depth, options.height};
  add_slope(input, slope, size);
  for (int i = 0; i < options.count; ++i) {
    const double low = i * size.z, high = (i + 1) * size.z;
    const Vec3d quad[4] = {slope.point(size.x, low), slope.point(size.x, high), slope.point(0, high), slope.point(0, low)};
    add_block(input, numbered("b", i + 1), make_prism(quad, 0, size.y));
  }
  return input;
}

std::vector<Error> faults(const OverhangOptions& o) {
  FaultList list;
  list.count("--count", o.count);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.need(o.factor >= 0 && o.factor < 2, "--factor", "must be from 0 to below 2");
  return list.take();
}

AssemblyInput generate_overhang(const OverhangOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("overhang");
  const double length = options.length, height = options.height;
  add_block(input, "table", make_box({-2 * length, -options.depth, -height}, {0, 2 * options.depth, 0}), true);
  double edge = 0;
  for (int i = 0; i < options.count; ++i) {
    edge += options.factor * length / (2.0 * (options.count - i));
    add_block(input, numbered("b", i + 1), make_box({edge - length, 0, i * height}, {edge, options.depth, (i + 1) * height}));
  }
  return input;
}

std::vector<Error> faults(const CorbelOptions& o) {
  FaultList list;
  list.count("--rows", o.rows);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  list.range("--offset", o.offset, 0, largest_length);
  list.range("--span", o.span, 0, largest_length);
  list.need(o.span == 0 || 2 * o.rows * o.offset <= o.span, "--span", "the top courses of the two sides must not overlap");
  return list.take();
}

AssemblyInput generate_corbel(const CorbelOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("corbel");
  const double length = options.length, height = options.height, depth = options.depth;
  for (const bool mirrored : {false, true}) {
    if (mirrored && options.span == 0) break;
    const auto box = [&](double left, double right, double low, double high) {
      return mirrored ? make_box({options.span - right, 0, low}, {options.span - left, depth, high})
                      : make_box({left, 0, low}, {right, depth, high});
    };
    const std::string_view letter = mirrored ? "b" : "a";
    add_block(input, numbered(letter, 0), box(-length, 0, -height, 0), true);
    for (int row = 1; row <= options.rows; ++row)
      add_block(input, numbered(letter, row), box(-length, row * options.offset, (row - 1) * height, row * height));
  }
  return input;
}

std::vector<Error> faults(const InclineOptions& o) {
  FaultList list;
  list.degrees("--angle", o.angle, -90, 90);
  list.length("--length", o.length);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  return list.take();
}

AssemblyInput generate_incline(const InclineOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("incline");
  const Slope slope(options.angle);
  const Vec3d size{options.length, options.depth, options.height};
  add_slope(input, slope, size);
  add_block(input, "block", on_slope(slope, {0, 0, 0}, size, 0, size.y));
  return input;
}

std::vector<Error> faults(const HModelOptions& o) {
  FaultList list;
  list.length("--span", o.span);
  list.length("--height", o.height);
  list.length("--width", o.post_width);
  list.length("--post-height", o.post_height);
  list.length("--depth", o.depth);
  list.need(o.height < o.post_height, "--height", "the bar must be lower than the posts");
  return list.take();
}

AssemblyInput generate_h_model(const HModelOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("h-model");
  const double inner = 0.5 * options.span, outer = inner + options.post_width, depth = options.depth, top = options.post_height;
  if (options.free_posts) add_block(input, "ground", make_box({-2 * outer, -depth, -top}, {2 * outer, 2 * depth, 0}), true);
  add_block(input, "left", make_box({-outer, 0, 0}, {-inner, depth, top}), !options.free_posts);
  add_block(input, "right", make_box({inner, 0, 0}, {outer, depth, top}), !options.free_posts);
  const double low = 0.5 * (top - options.height), high = 0.5 * (top + options.height);
  add_block(input, "bar", make_box({-inner, 0, low}, {inner, depth, high}));
  return input;
}

std::vector<Error> faults(const WedgeOptions& o) {
  FaultList list;
  list.degrees("--angle", o.angle, -85, 85);
  list.length("--width", o.width);
  list.length("--height", o.height);
  list.length("--depth", o.depth);
  return list.take();
}

AssemblyInput generate_wedge(const WedgeOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("wedge");
  const double lean = options.height * tangent(options.angle), height = options.height;
  const double upper = 0.5 * options.width + (lean < 0 ? -lean : 0), lower = 0.5 * options.width + (lean > 0 ? lean : 0);
  const double outer = upper + lower + options.width;
  const Vec3d left[4] = {at(-outer, 0), at(-lower, 0), at(-upper, height), at(-outer, height)};
  const Vec3d right[4] = {at(lower, 0), at(outer, 0), at(outer, height), at(upper, height)};
  const Vec3d wedge[4] = {at(-lower, 0), at(lower, 0), at(upper, height), at(-upper, height)};
  add_block(input, "left", make_prism(left, 0, options.depth), true);
  add_block(input, "right", make_prism(right, 0, options.depth), true);
  add_block(input, "wedge", make_prism(wedge, 0, options.depth));
  return input;
}

}  // namespace trilith::model
