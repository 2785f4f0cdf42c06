// Implements (GEO-11): interfaces that the file gives.
#include <algorithm>
#include <limits>
#include <map>
#include <memory>
#include <unordered_map>

#include "base/text.h"
#include "geom/box_tree.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"
#include "model/joint_tension.h"

namespace trilith::model {
namespace {

/// The faces of one block, to ask which way is outwards at a place.
class FaceIndex {
 public:
  explicit FaceIndex(const Block& block) : block_(block), tree_(boxes(block.mesh)) {}

  /// Outward normal of the face nearest to `p` among those within `near` of it that are parallel to `n` within 45 degrees; zero where none
  /// is.
  Vec3d outward_at(const Vec3d& p, const Vec3d& n, double near) const {
    double least = near;
    Vec3d best{0, 0, 0};
    for (const std::uint32_t f : faces_near(p, near)) {
      const std::vector<Vec3d> polygon = corners(f);
      const geom::PlaneFrame plane = geom::make_plane_frame(polygon[0], unit(geom::area_vector(polygon)), polygon[1] - polygon[0]);
      const double height = abs(plane.height(p));
      if (!(abs(dot(plane.normal, n)) > 0.7) || !(height < least) || !covers(plane, polygon, p, near)) continue;
      least = height;
      best = plane.normal;
    }
    return best;
  }

  /// Whether a face within `near` of `p` is parallel to `n` within 45 degrees.
  bool lies_on(const Vec3d& p, const Vec3d& n, double near) const { return norm(outward_at(p, n, near)) > 0; }

 private:
  /// Ascending.
  std::vector<std::uint32_t> faces_near(const Vec3d& p, double near) const {
    std::vector<std::uint32_t> found;
    tree_.find_touching(geom::grow({p, p}, near), found);
    std::sort(found.begin(), found.end());
    return found;
  }

  std::vector<Vec3d> corners(std::uint32_t f) const {
    std::vector<Vec3d> polygon;
    for (const std::uint32_t v : block_.mesh.face(f)) polygon.push_back(block_.mesh.vertices[v]);
    return polygon;
  }

  static bool covers(const geom::PlaneFrame& plane, const std::vector<Vec3d>& polygon, const Vec3d& p, double near) {
    std::vector<geom::Vec2> flat;
    flat.reserve(polygon.size());
    for (const Vec3d& q : polygon) flat.push_back(plane.to_plane(q));
    return geom::contains(flat, plane.to_plane(p), near);
  }

  static std::vector<geom::Aabb> boxes(const geom::Mesh& mesh) {
    std::vector<geom::Aabb> boxes;
    for (std::size_t f = 0; f < mesh.face_count(); ++f) {
      const Vec3d first = mesh.vertices[mesh.face(f)[0]];
      geom::Aabb box{first, first};
      for (const std::uint32_t v : mesh.face(f)) {
        const Vec3d& p = mesh.vertices[v];
        box.lower = {std::min(box.lower.x, p.x), std::min(box.lower.y, p.y), std::min(box.lower.z, p.z)};
        box.upper = {std::max(box.upper.x, p.x), std::max(box.upper.y, p.y), std::max(box.upper.z, p.z)};
      }
      boxes.push_back(box);
    }
    return boxes;
  }

  const Block& block_;
  geom::BoxTree tree_;
};

/// Longest extent of a polygon: the longest side of its box.
double extent(const std::vector<Vec3d>& polygon) {
  Vec3d low = polygon[0], high = polygon[0];
  for (const Vec3d& p : polygon) {
    low = {std::min(low.x, p.x), std::min(low.y, p.y), std::min(low.z, p.z)};
    high = {std::max(high.x, p.x), std::max(high.y, p.y), std::max(high.z, p.z)};
  }
  return std::max({high.x - low.x, high.y - low.y, high.z - low.z});
}

class InterfaceChecker {
 public:
  InterfaceChecker(const Setup& setup, Assembly& assembly, Findings& findings)
      : options_(setup.options),
        limits_(setup.limits),
        scale_(setup.scale),
        assembly_(assembly),
        findings_(findings),
        reversed_(findings, setup.limits.most_told, "normals of interfaces turned to point from a into b"),
        clockwise_(findings, setup.limits.most_told, "interface polygons turned to run counter-clockwise about their normal"),
        repeated_(findings, setup.limits.most_told, "interfaces listed twice and taken once"),
        tangents_(findings, setup.limits.most_told, "tangents t1 made perpendicular to their normal"),
        corners_(findings, setup.limits.most_told, "interface polygons with repeated corners, which were left out"),
        aloof_(findings, setup.limits.most_told, "interface polygons with corners off the faces of their blocks"),
        evened_(findings, setup.limits.most_told, "concave joints whose pull was shared evenly between their corners"),
        replaced_(findings, 1, "interfaces whose friction --friction replaces"),
        frictions_(findings, setup.limits.most_told, "interfaces with friction 0 or above " + format_double(setup.limits.high_friction)) {
    for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i) {
      index_.emplace(assembly.blocks[i].id, i);
      ids_.push_back(assembly.blocks[i].id);
    }
  }

  void run(const std::vector<InterfaceInput>& given, const std::string& source) {
    for (const InterfaceInput& face : given) add(face);
    for (Tally* tally : {&reversed_, &clockwise_, &repeated_, &tangents_, &corners_, &aloof_, &evened_, &replaced_, &frictions_})
      tally->finish(source);
    if (worst_off_ > 0)
      findings_.warn(std::to_string(off_plane_) + (off_plane_ == 1 ? " interface polygon is" : " interface polygons are") +
                         " not planar; the worst is off by " + format_quantity(worst_off_, "m"),
                     worst_where_);
  }

 private:
  void add(const InterfaceInput& given) {
    const auto a = find_block(given.a, given.where + "/a"), b = find_block(given.b, given.where + "/b");
    if (!a || !b) return;
    if (*a == *b) return findings_.refuse(quoted_block(given.a) + " has an interface with itself", given.where);
    Interface face;
    face.a = *a;
    face.b = *b;
    if (!take_polygon(given, face) || !take_friction(given, face)) return;
    if (!orient(given, face) || !take_tangent(given, face) || !take_tension(given, face)) return;
    if (assembly_.blocks[*a].fixed && assembly_.blocks[*b].fixed) return;
    warn_where_aloof(given, face);
    if (is_repeated(face)) return repeated_.add("interface is listed twice; taken once", given.where);
    by_pair_[std::minmax(face.a, face.b)].push_back(assembly_.interfaces.size());
    assembly_.interfaces.push_back(std::move(face));
  }

  std::optional<std::uint32_t> find_block(const std::string& id, const std::string& where) {
    const auto found = index_.find(id);
    if (found != index_.end()) return found->second;
    const std::string_view near = nearest_name(id, ids_);
    findings_.refuse("there is no " + quoted_block(id) + (near.empty() ? "" : "; did you mean \"" + escape(near) + "\"?"), where);
    return std::nullopt;
  }

  /// Polygon in metres without repeated corners; at least 3, finite, with an area, planar within tolerance.
  bool take_polygon(const InterfaceInput& given, Interface& face) {
    const std::string where = given.where + "/polygon";
    for (const Vec3d& corner : given.polygon) {
      const Vec3d p = scale_.to_metres(corner);
      if (!is_finite(p) || largest_component(p) > limits_.largest_coordinate) {
        findings_.refuse("interface polygon: corner " + std::to_string(&corner - given.polygon.data() + 1) +
                             " is not a finite place within " + format_quantity(limits_.largest_coordinate, "m"),
                         where);
        return false;
      }
      const auto same = [&p](const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
      if (face.polygon.empty() || !same(face.polygon.back())) face.polygon.push_back(p);
      if (face.polygon.size() > 1 && &corner == &given.polygon.back() && same(face.polygon.front())) face.polygon.pop_back();
    }
    if (face.polygon.size() < 3) {
      findings_.refuse("interface polygon needs at least 3 different corners, got " + std::to_string(face.polygon.size()), where);
      return false;
    }
    if (face.polygon.size() < given.polygon.size()) corners_.add("interface polygon repeats a corner; the repetition was left out", where);
    return measure_polygon(where, face);
  }

  bool measure_polygon(const std::string& where, Interface& face) {
    const Vec3d area = geom::area_vector(face.polygon), middle = geom::polygon_centroid(face.polygon);
    const double size = extent(face.polygon);
    face.area = norm(area);
    if (!(face.area > 1e-14 * size * size)) {
      findings_.refuse("interface polygon has no area", where);
      return false;
    }
    face.normal = unit(area);
    double off = 0;
    for (const Vec3d& p : face.polygon) off = std::max(off, abs(dot(p - middle, face.normal)));
    if (off > limits_.planar_tolerance * size) {
      findings_.refuse(
          "interface polygon is not planar: off by " + format_quantity(off, "m") + ", its extent is " + format_quantity(size, "m"), where);
      return false;
    }
    if (off <= limits_.planar_warning * size) return true;
    ++off_plane_;
    if (off > worst_off_) {
      worst_off_ = off;
      worst_where_ = where;
    }
    return true;
  }

  bool take_friction(const InterfaceInput& given, Interface& face) {
    face.mu = options_.friction || !given.friction ? assembly_.friction : *given.friction;
    if (!given.friction) return true;
    if (options_.friction) {
      replaced_.add("--friction " + format_double(*options_.friction) + " replaces the friction of an interface",
                    given.where + "/friction");
      return true;
    }
    if (!(face.mu >= 0 && face.mu <= limits_.largest_magnitude)) {
      findings_.refuse(
          "friction must be a number >= 0, at most " + format_double(limits_.largest_magnitude) + ", got " + format_double(face.mu),
          given.where + "/friction");
      return false;
    }
    if (face.mu == 0) frictions_.add("friction is 0: the joint is frictionless", given.where + "/friction");
    if (face.mu > limits_.high_friction)
      frictions_.add("friction " + format_double(face.mu) + " is above " + format_double(limits_.high_friction), given.where + "/friction");
    return true;
  }

  /// Normal from a into b: the given one where there is one, checked against the faces of the blocks; else Newell's.
  bool orient(const InterfaceInput& given, Interface& face) {
    const Vec3d newell = face.normal;
    if (given.normal) {
      const double length = norm(*given.normal);
      if (!is_finite(*given.normal) || !(length > 0) || !is_finite(length)) {
        findings_.refuse("interface normal must be three finite numbers, not all zero", given.where + "/normal");
        return false;
      }
      face.normal = unit(*given.normal);
      if (!(abs(dot(face.normal, newell)) > 0.9)) {
        findings_.refuse("interface normal does not stand on its polygon", given.where + "/normal");
        return false;
      }
    }
    const double side = side_of_blocks(face);
    const double sense = side != 0 || given.normal ? side : dot(assembly_.blocks[face.b].com - assembly_.blocks[face.a].com, face.normal);
    if (sense < 0) {
      face.normal = -face.normal;
      if (given.normal) reversed_.add("interface normal pointed from b into a; turned", given.where + "/normal");
    }
    return true;
  }

  /// Positive where the outward faces of the two blocks say that the normal points from a into b, negative where they say the opposite.
  double side_of_blocks(const Interface& face) {
    const Vec3d middle = geom::polygon_centroid(face.polygon);
    const auto outward = [&](std::uint32_t block) {
      const double near = limits_.side_tolerance * assembly_.blocks[block].size;
      return dot(faces_of(block).outward_at(middle, face.normal, near), face.normal);
    };
    return outward(face.a) - outward(face.b);
  }

  /// Contacts that the file gives are believed; one that no face is near is told.
  void warn_where_aloof(const InterfaceInput& given, const Interface& face) {
    const double near = limits_.side_tolerance * std::min(assembly_.blocks[face.a].size, assembly_.blocks[face.b].size);
    for (const std::uint32_t block : {face.a, face.b})
      for (std::size_t k = 0; k < face.polygon.size(); ++k) {
        if (faces_of(block).lies_on(face.polygon[k], face.normal, near)) continue;
        return aloof_.add("corner " + std::to_string(k + 1) + " of the interface is more than " + format_quantity(near, "m") +
                              " from every face of " + quoted_block(assembly_.blocks[block].id) +
                              " that runs along it; taken as a contact because the file gives it",
                          given.where + "/polygon");
      }
  }

  const FaceIndex& faces_of(std::uint32_t block) {
    if (faces_.empty()) faces_.resize(assembly_.blocks.size());
    if (!faces_[block]) faces_[block] = std::make_unique<FaceIndex>(assembly_.blocks[block]);
    return *faces_[block];
  }

  /// Tangents, and the polygon turned counter-clockwise about the normal (its first corner stays first).
  bool take_tangent(const InterfaceInput& given, Interface& face) {
    const Vec3d first_edge = face.polygon[1] - face.polygon[0];
    if (dot(geom::area_vector(face.polygon), face.normal) < 0) {
      std::reverse(face.polygon.begin() + 1, face.polygon.end());
      if (given.normal) clockwise_.add("interface polygon ran clockwise about its normal; turned", given.where + "/polygon");
    }
    if (given.t1) {
      const double length = norm(*given.t1), lean = abs(dot(*given.t1, face.normal));
      if (!is_finite(*given.t1) || !(length > 0) || !is_finite(length) || lean > 0.9 * length) {
        findings_.refuse("t1 must be three finite numbers across the normal", given.where + "/t1");
        return false;
      }
      if (lean > limits_.tangent_warning * length) tangents_.add("t1 was not perpendicular to the normal; made so", given.where + "/t1");
    }
    const geom::PlaneFrame frame = geom::make_plane_frame(face.polygon[0], face.normal, given.t1 ? unit(*given.t1) : first_edge);
    face.t1 = frame.t1;
    face.t2 = frame.t2;
    return true;
  }

  /// The pull that mortar, glue or a clutch carries, shared between the corners as they stand now.
  bool take_tension(const InterfaceInput& given, Interface& face) {
    const bool in_all = given.tension_N.has_value();
    const std::string key = in_all ? "tension_N" : "tension_Pa";
    if (in_all && given.tension_Pa) {
      findings_.refuse("has both tension_N and tension_Pa", given.where);
      return false;
    }
    const double value = in_all ? *given.tension_N : given.tension_Pa.value_or(assembly_.tension_Pa);
    const double total = in_all ? value : value * face.area;
    if (!(value >= 0 && max(value, total) <= limits_.largest_magnitude)) {
      findings_.refuse(
          key + " must be a number >= 0, at most " + format_double(limits_.largest_magnitude) + " in all, got " + format_double(value),
          given.where + "/" + key);
      return false;
    }
    bool even = false;
    if (total > 0) face.tension = share_tension(face.polygon, total, even);
    if (even) evened_.add("the pull that a concave joint carries was shared evenly between its corners", given.where);
    return true;
  }

  bool is_repeated(const Interface& face) const {
    const auto pair = by_pair_.find(std::minmax(face.a, face.b));
    if (pair == by_pair_.end()) return false;
    const double near = limits_.same_tolerance * extent(face.polygon);
    return std::ranges::any_of(pair->second, [&](std::size_t i) {
      const std::vector<Vec3d>& other = assembly_.interfaces[i].polygon;
      if (other.size() != face.polygon.size()) return false;
      return std::ranges::all_of(
          face.polygon, [&](const Vec3d& p) { return std::ranges::any_of(other, [&](const Vec3d& q) { return norm(p - q) <= near; }); });
    });
  }

  const AssemblyOptions& options_;
  const AssemblyLimits& limits_;
  const UnitScale scale_;
  Assembly& assembly_;
  Findings& findings_;
  Tally reversed_, clockwise_, repeated_, tangents_, corners_, aloof_, evened_, replaced_, frictions_;
  std::size_t off_plane_ = 0;
  double worst_off_ = 0;
  std::string worst_where_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<std::string_view> ids_;
  std::vector<std::unique_ptr<FaceIndex>> faces_;
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<std::size_t>> by_pair_;
};

}  // namespace

void check_interfaces(const AssemblyInput& input, const Setup& setup, Assembly& assembly, Findings& findings) {
  if (!input.interfaces) return;
  assembly.interfaces_given = true;
  InterfaceChecker(setup, assembly, findings).run(*input.interfaces, input.source + ":/interfaces");
}

}  // namespace trilith::model
