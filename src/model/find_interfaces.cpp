// Implements (GEO-5), (GEO-9): contacts of a whole assembly, the same for any number of threads.
#include "model/find_interfaces.h"

#include <algorithm>
#include <string>
#include <utility>

#include "base/parallel.h"
#include "base/text.h"
#include "geom/box_tree.h"
#include "geom/patches.h"
#include "linalg/fixed.h"
#include "model/joint_tension.h"

namespace trilith::model {
namespace {

using geom::DoubtfulContact;
using Pairs = std::vector<std::pair<std::uint32_t, std::uint32_t>>;

std::vector<geom::ContactSolid> make_solids(const Assembly& assembly, const ContactSettings& settings, int threads) {
  std::vector<geom::ContactSolid> solids(assembly.blocks.size());
  parallel_for(static_cast<std::int64_t>(solids.size()), threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      solids[k] = geom::make_contact_solid(assembly.blocks[k].mesh, settings);
    }
  });
  return solids;
}

/// Pairs of blocks that may touch, without pairs of supports.
Pairs find_pairs(const Assembly& assembly, const std::vector<geom::ContactSolid>& solids, const ContactSettings& settings, int threads) {
  std::vector<geom::Aabb> boxes(solids.size());
  for (std::size_t i = 0; i < boxes.size(); ++i)
    boxes[i] = geom::grow(solids[i].box, settings.doubt_factor * settings.gap_tolerance * solids[i].size);
  Pairs pairs = geom::find_touching_pairs(boxes, threads);
  std::erase_if(pairs, [&assembly](const auto& pair) { return assembly.blocks[pair.first].fixed && assembly.blocks[pair.second].fixed; });
  return pairs;
}

Interface make_interface(const Assembly& assembly, std::uint32_t a, std::uint32_t b, geom::ContactPatch patch) {
  Interface face;
  face.a = a;
  face.b = b;
  face.polygon = std::move(patch.polygon);
  face.normal = patch.normal;
  face.t1 = patch.t1;
  face.t2 = cross(patch.normal, patch.t1);
  face.mu = assembly.friction;
  face.area = patch.area;
  face.gap = patch.gap;
  bool even = false;  // contacts are cut into convex pieces: never
  if (assembly.tension_Pa > 0) face.tension = share_tension(face.polygon, assembly.tension_Pa * face.area, even);
  return face;
}

Interface make_doubtful(const Assembly& assembly, std::uint32_t a, std::uint32_t b, const DoubtfulContact& doubt) {
  geom::ContactPatch patch;
  patch.polygon = doubt.polygon;
  patch.normal = doubt.normal;
  patch.t1 = doubt.t1;
  patch.area = doubt.area;
  patch.gap = doubt.gap;
  return make_interface(assembly, a, b, std::move(patch));
}

constexpr double bond_growth = 1e-3;  // of the smaller block: the box of what two blocks share is larger by this, so that it holds a face

/// Two blocks that run into each other may hold each other in any way: the faces of the box of what they share, pressed from both sides,
/// carry any force and moment between them.
void append_bond(const Assembly& assembly, std::uint32_t a, std::uint32_t b, double gap, std::vector<Interface>& out) {
  const geom::Aabb &one = assembly.blocks[a].box, &two = assembly.blocks[b].box;
  const double grown = bond_growth * std::min(assembly.blocks[a].size, assembly.blocks[b].size);
  const Vec3d low{max(one.lower.x, two.lower.x) - grown, max(one.lower.y, two.lower.y) - grown, max(one.lower.z, two.lower.z) - grown};
  const Vec3d side{min(one.upper.x, two.upper.x) + grown - low.x, min(one.upper.y, two.upper.y) + grown - low.y,
                   min(one.upper.z, two.upper.z) + grown - low.z};
  const Vec3d axes[3] = {{side.x, 0, 0}, {0, side.y, 0}, {0, 0, side.z}};
  for (int axis = 0; axis < 3; ++axis) {
    const Vec3d u = axes[(axis + 1) % 3], v = axes[(axis + 2) % 3];
    for (const Vec3d& corner : {low, low + axes[axis]})
      for (const bool turned : {false, true}) {
        geom::ContactPatch patch;
        patch.polygon = {corner, corner + u, corner + u + v, corner + v};
        if (turned) std::swap(patch.polygon[1], patch.polygon[3]);
        patch.normal = unit(geom::area_vector(patch.polygon));
        patch.t1 = unit(patch.polygon[1] - corner);
        patch.area = norm(u) * norm(v);
        patch.gap = gap;
        out.push_back(make_interface(assembly, a, b, std::move(patch)));
      }
  }
}

/// What the joints that were left out may carry at most.
void append_doubtful(const Assembly& assembly, std::uint32_t a, std::uint32_t b, const std::vector<DoubtfulContact>& doubts,
                     const ContactSettings& settings, std::vector<Interface>& out) {
  const double deep = settings.doubt_factor * settings.gap_tolerance * std::min(assembly.blocks[a].size, assembly.blocks[b].size);
  double deepest = 0;
  for (const DoubtfulContact& doubt : doubts) {
    if (doubt.kind == DoubtfulContact::Kind::overlap) deepest = std::min(deepest, doubt.gap);
    if (!doubt.polygon.empty()) out.push_back(make_doubtful(assembly, a, b, doubt));
  }
  const bool bare = std::ranges::any_of(
      doubts, [](const DoubtfulContact& doubt) { return doubt.kind == DoubtfulContact::Kind::overlap && doubt.polygon.empty(); });
  if (bare || deepest < -deep) append_bond(assembly, a, b, deepest, out);
}

std::string place(const Vec3d& p) {
  return std::string("(") + format_quantity(p.x, "") + ", " + format_quantity(p.y, "") + ", " + format_quantity(p.z, "") + ")";
}

/// Collects what was doubtful: one line each, and one line for what carries nothing anyway.
class DoubtReport {
 public:
  DoubtReport(Assembly& assembly, const ContactSettings& settings) : assembly_(assembly), settings_(settings) {}

  /// One line for each kind of doubt that a pair of blocks has: the worst place, and the area of all.
  void add(std::uint32_t a, std::uint32_t b, const std::vector<DoubtfulContact>& doubts) {
    using Kind = DoubtfulContact::Kind;
    for (const Kind kind : {Kind::edge_or_point, Kind::small, Kind::gap, Kind::overlap}) {
      DoubtfulContact worst;
      worst.kind = kind;
      std::size_t places = 0;
      for (const DoubtfulContact& doubt : doubts) {
        if (doubt.kind != kind || doubt.told) continue;
        if (places++ == 0 || abs(doubt.gap) > abs(worst.gap)) {
          worst.gap = doubt.gap;
          worst.at = doubt.at;
        }
        worst.area += doubt.area;
      }
      if (places > 0 && kind == Kind::edge_or_point) edges_.push_back({a, b, worst});
      if (places > 0 && kind != Kind::edge_or_point && ++told_ <= settings_.most_doubts) warn(sentence(worst, places), a, b);
    }
  }

  void finish(const std::vector<bool>& has_contact) {
    // an edge is told by name where one of its blocks has nothing else to rest on; in a bond of stones edges are what one expects
    std::size_t held = 0, together = 0;
    std::string names;
    for (const Place& place : edges_) {
      const bool lonely = alone(place.a, has_contact) || alone(place.b, has_contact);
      if (!lonely) {
        ++held;
      } else if (told_ >= settings_.most_doubts) {
        if (together++ < most_named) names += (names.empty() ? "" : ", ") + pair_name(place.a, place.b);
      } else {
        ++told_;
        warn(sentence(place.doubt, 1), place.a, place.b);
      }
    }
    if (together > 0) warn(count_of(together) + ", which carries no force: " + names + (together > most_named ? ", ..." : ""), {});
    if (held > 0) warn(count_of(held) + ", which carries no force; all of these blocks have faces in contact elsewhere", {});
    if (told_ > settings_.most_doubts) warn(std::to_string(told_ - settings_.most_doubts) + " more doubtful contacts are not listed", {});
  }

 private:
  struct Place {
    std::uint32_t a, b;
    DoubtfulContact doubt;
  };
  static constexpr std::size_t most_named = 8;

  bool alone(std::uint32_t block, const std::vector<bool>& has_contact) const {
    return !assembly_.blocks[block].fixed && !has_contact[block];
  }
  static std::string count_of(std::size_t pairs) {
    return std::to_string(pairs) + (pairs == 1 ? " pair of blocks touches" : " pairs of blocks touch") + " in an edge or a point only";
  }
  std::string pair_name(std::uint32_t a, std::uint32_t b) const {
    return escape(assembly_.blocks[a].id) + " - " + escape(assembly_.blocks[b].id);
  }
  void warn(std::string what, std::string where) {
    assembly_.warnings.push_back({std::move(what), where.empty() ? assembly_.source : std::move(where)});
  }
  void warn(std::string what, std::uint32_t a, std::uint32_t b) { warn(std::move(what), "blocks " + pair_name(a, b)); }

  static std::string sentence(const DoubtfulContact& doubt, std::size_t places) {
    const std::string area = format_quantity(doubt.area, "m^2"), gap = format_quantity(abs(doubt.gap), "m");
    const std::string where = places > 1 ? " in " + std::to_string(places) + " places, the worst near " : " near ";
    const std::string at = where + place(doubt.at);
    switch (doubt.kind) {
      case DoubtfulContact::Kind::edge_or_point:
        return "touch in an edge or a point only (area " + area + ", gap " + gap + ")" + at + ": no contact";
      case DoubtfulContact::Kind::small:
        return "contact of " + area + " (gap " + gap + ") is too small and was left out," + at;
      case DoubtfulContact::Kind::gap:
        return "faces are up to " + gap + " apart over " + area + at + ": no contact there";
      case DoubtfulContact::Kind::overlap:
        return "blocks overlap by " + gap + (doubt.area > 0 ? " over " + area : "") + at + ": no contact there";
    }
    return {};
  }

  Assembly& assembly_;
  const ContactSettings& settings_;
  int told_ = 0;
  std::vector<Place> edges_;
};

/// One line for each pair that meets in a curved face, the first few; the contact is an enlargement by what the meshes leave open.
class CurveReport {
 public:
  CurveReport(Assembly& assembly, const ContactSettings& settings) : assembly_(assembly), settings_(settings) {}

  void add(std::uint32_t a, std::uint32_t b, const geom::CurvedJoint& joint) {
    if (joint.facets == 0) return;
    if (joint.gap > worst_) {
      worst_ = joint.gap;
      worst_pair_ = pair_name(a, b);
    }
    if (++count_ > settings_.most_curves) return;
    std::string what = "curved joint: " + std::to_string(joint.facets) + " pairs of facets over " + format_quantity(joint.area, "m^2");
    what += " are taken as touching though their meshes are up to " + format_quantity(joint.gap, "m") + " apart, near " + place(joint.at);
    what += ": no more than the facets leave of the curve";
    if (joint.left_out > 0) what += "; " + format_quantity(joint.left_out, "m^2") + " of it are further apart and carry nothing";
    assembly_.warnings.push_back({std::move(what), "blocks " + pair_name(a, b)});
  }

  void finish() {
    if (count_ <= settings_.most_curves) return;
    std::string what =
        std::to_string(count_ - settings_.most_curves) + " more curved joints are not listed; of all, the meshes are furthest apart (";
    assembly_.warnings.push_back({what + format_quantity(worst_, "m") + ") between " + worst_pair_, assembly_.source});
  }

 private:
  std::string pair_name(std::uint32_t a, std::uint32_t b) const {
    return escape(assembly_.blocks[a].id) + " - " + escape(assembly_.blocks[b].id);
  }

  Assembly& assembly_;
  const ContactSettings& settings_;
  int count_ = 0;
  double worst_ = 0;
  std::string worst_pair_;
};

/// One line for all faces that are not planar.
void tell_warp(Assembly& assembly, const std::vector<geom::ContactSolid>& solids, const ContactSettings& settings) {
  std::size_t count = 0, worst = 0;
  double relative = 0;
  for (std::size_t i = 0; i < solids.size(); ++i) {
    const double warp = solids[i].size > 0 ? solids[i].surface.worst_warp / solids[i].size : 0;
    if (!(warp > settings.planar_tolerance)) continue;
    ++count;
    if (warp > relative) {
      relative = warp;
      worst = i;
    }
  }
  if (count == 0) return;
  assembly.warnings.push_back({std::to_string(count) + (count == 1 ? " block has" : " blocks have") +
                                   " faces that are not planar; their contacts are taken triangle by triangle; the worst is off by " +
                                   format_quantity(solids[worst].surface.worst_warp, "m"),
                               "block " + escape(assembly.blocks[worst].id)});
}

/// A wider tolerance than the usual one enlarges contacts: says by how much.
void tell_wide_gaps(Assembly& assembly, const ContactSettings& settings) {
  const double usual = ContactSettings{}.gap_tolerance;
  if (!(settings.gap_tolerance > usual)) return;
  std::size_t count = 0;
  const Interface* worst = nullptr;
  for (const Interface& face : assembly.interfaces) {
    if (!(face.gap > usual * std::min(assembly.blocks[face.a].size, assembly.blocks[face.b].size))) continue;
    ++count;
    if (worst == nullptr || face.gap > worst->gap) worst = &face;
  }
  if (worst == nullptr) return;
  std::string what =
      std::to_string(count) + (count == 1 ? " contact is" : " contacts are") + " taken as touching though the faces are up to ";
  what +=
      format_quantity(worst->gap, "m") + " apart: the contact gap is " + format_double(settings.gap_tolerance) + " of the smaller block";
  assembly.warnings.push_back(
      {std::move(what), "blocks " + escape(assembly.blocks[worst->a].id) + " - " + escape(assembly.blocks[worst->b].id)});
}

}  // namespace

void find_interfaces(Assembly& assembly, const ContactSettings& settings, int threads) {
  if (threads <= 0) threads = hardware_threads();
  const std::vector<geom::ContactSolid> solids = make_solids(assembly, settings, threads);
  const Pairs pairs = find_pairs(assembly, solids, settings, threads);

  std::vector<geom::PatchSearch> found(pairs.size());
  parallel_for(static_cast<std::int64_t>(pairs.size()), threads, [&](std::int64_t begin, std::int64_t end, int) {
    for (std::int64_t i = begin; i < end; ++i) {
      const auto k = static_cast<std::size_t>(i);
      found[k] = geom::find_patches(solids[pairs[k].first], solids[pairs[k].second], settings);
    }
  });

  // everything below runs in the order of the pairs
  assembly.interfaces.clear();
  assembly.doubtful.clear();
  assembly.interfaces_given = false;
  assembly.doubtful_pairs = 0;
  assembly.contact_gap = settings.gap_tolerance;
  assembly.contact_area = settings.least_area;
  tell_warp(assembly, solids, settings);
  CurveReport curves(assembly, settings);
  DoubtReport report(assembly, settings);
  std::vector<bool> has_contact(assembly.blocks.size(), false);
  for (std::size_t k = 0; k < pairs.size(); ++k) {
    const auto [a, b] = pairs[k];
    for (geom::ContactPatch& patch : found[k].patches) {
      assembly.interfaces.push_back(make_interface(assembly, a, b, std::move(patch)));
      has_contact[a] = has_contact[b] = true;
    }
    const std::size_t before = assembly.doubtful.size();
    append_doubtful(assembly, a, b, found[k].doubts, settings, assembly.doubtful);
    assembly.doubtful_pairs += assembly.doubtful.size() > before ? 1 : 0;
    curves.add(a, b, found[k].curved);
    report.add(a, b, found[k].doubts);
  }
  curves.finish();
  tell_wide_gaps(assembly, settings);
  report.finish(has_contact);
}

ContactSettings contact_settings(const Assembly& assembly) {
  ContactSettings settings;
  settings.gap_tolerance = assembly.contact_gap;
  settings.least_area = assembly.contact_area;
  return settings;
}

}  // namespace trilith::model
