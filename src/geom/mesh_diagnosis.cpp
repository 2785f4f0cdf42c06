// Implements (GEO-1), (GEO-2), (SOL-2): what is wrong with a mesh, and what can be mended.
#include "geom/mesh_diagnosis.h"

#include <algorithm>
#include <numeric>

#include "base/text.h"
#include "geom/box_tree.h"
#include "geom/inside.h"
#include "geom/mass_properties.h"
#include "geom/mesh_bodies.h"
#include "geom/mesh_edges.h"
#include "geom/mesh_solid.h"
#include "linalg/fixed.h"

namespace trilith::geom {
namespace {

std::string counted(std::size_t count, std::string_view one, std::string_view many) {
  return std::to_string(count) + " " + std::string(count == 1 ? one : many);
}

bool is_finite(double x) { return x - x == 0; }
bool is_finite(const Vec3d& p) { return is_finite(p.x) && is_finite(p.y) && is_finite(p.z); }

/// The repair of one mesh: a list of steps over `result.mesh`, which keep the number each vertex had in the input.
class Repair {
 public:
  Repair(Mesh mesh, const MeshSettings& settings) : settings_(settings) {
    result_.mesh = std::move(mesh);
    original_.resize(result_.mesh.vertices.size());
    std::iota(original_.begin(), original_.end(), 1U);
  }

  MeshDiagnosis run() {
    if (!check_numbers()) return std::move(result_);
    weld_points();
    drop_collapsed_faces();
    drop_unused_vertices();
    if (mesh().face_count() == 0) return fail("mesh has no face with an area");
    size_ = longest_side(bounding_box(mesh()));
    if (is_coplanar()) {
      result_.flat = true;
      return std::move(result_);
    }
    close();
    if (!result_.errors.empty()) return std::move(result_);
    orient();
    drop_unused_vertices();
    const Vec3d side = bounding_box(mesh()).upper - bounding_box(mesh()).lower;
    result_.flat = !(abs(measure_volume(mesh())) > settings_.flat_volume * side.x * side.y * side.z);
    if (result_.flat) return std::move(result_);
    SolidFinding solid = examine_solid(mesh(), SolidSettings{});
    if (!solid.error.empty()) return fail(std::move(solid.error));
    if (!solid.warning.empty()) warn(std::move(solid.warning));
    return std::move(result_);
  }

 private:
  Mesh& mesh() { return result_.mesh; }
  void warn(std::string what) { result_.warnings.push_back(std::move(what)); }
  MeshDiagnosis fail(std::string what) {
    result_.errors.push_back(std::move(what));
    return std::move(result_);
  }

  /// "vertices 5-6, 6-7, ..."
  std::string places(const std::vector<HalfEdge>& edges) const {
    std::string text = "vertices ";
    const auto shown = std::min(edges.size(), static_cast<std::size_t>(settings_.most_listed));
    for (std::size_t i = 0; i < shown; ++i)
      text += (i > 0 ? ", " : "") + std::to_string(original_[edges[i].low]) + "-" + std::to_string(original_[edges[i].high]);
    return shown < edges.size() ? text + ", ..." : text;
  }

  bool check_numbers() {
    const Mesh& m = result_.mesh;
    for (std::size_t i = 0; i < m.vertices.size(); ++i)
      if (!is_finite(m.vertices[i])) result_.errors.push_back("vertex " + std::to_string(i + 1) + " is not a finite number");
    for (std::size_t f = 0; f < m.face_count(); ++f)
      for (const std::uint32_t v : m.face(f))
        if (v >= m.vertices.size())
          result_.errors.push_back("face " + std::to_string(f + 1) + " names vertex " + std::to_string(v + 1) + " of " +
                                   std::to_string(m.vertices.size()));
    const auto most = static_cast<std::size_t>(settings_.most_listed);
    if (result_.errors.size() > most) result_.errors.resize(most);
    return result_.errors.empty();
  }

  /// Points faces at the first of all vertices that `kept` maps together.
  void map_vertices(const std::vector<std::uint32_t>& kept) {
    for (std::uint32_t& v : mesh().face_vertex) v = kept[v];
  }

  void weld_points() {
    const std::size_t welded = weld_equal_points(mesh());
    welded_ = welded > 0;
    if (welded_) warn(counted(welded, "duplicate vertex", "duplicate vertices") + " welded");
  }

  /// Removes repeated neighbours from every face and faces with fewer than 3 corners.
  void drop_collapsed_faces() {
    Mesh clean;
    std::size_t repeated = 0, dropped = 0;
    std::vector<std::uint32_t> corners;
    for (std::size_t f = 0; f < mesh().face_count(); ++f) {
      const auto face = mesh().face(f);
      corners.clear();
      for (const std::uint32_t v : face)
        if (corners.empty() || corners.back() != v) corners.push_back(v);
      while (corners.size() > 1 && corners.front() == corners.back()) corners.pop_back();
      repeated += corners.size() != face.size() ? 1 : 0;
      dropped += corners.size() < 3 ? 1 : 0;
      if (corners.size() >= 3) clean.add_face(corners);
    }
    if (repeated == 0 && dropped == 0) return;
    mesh().face_start = std::move(clean.face_start);
    mesh().face_vertex = std::move(clean.face_vertex);
    if (repeated > dropped) warn(counted(repeated - dropped, "face", "faces") + " repeated a corner; the repetition was left out");
    if (dropped > 0) warn(counted(dropped, "face", "faces") + " with fewer than 3 different corners left out");
  }

  void drop_unused_vertices() {
    std::vector<bool> used(mesh().vertices.size(), false);
    for (const std::uint32_t v : mesh().face_vertex) used[v] = true;
    const auto count = static_cast<std::size_t>(std::count(used.begin(), used.end(), true));
    if (count == used.size()) return;
    std::vector<std::uint32_t> place(used.size(), 0);
    std::uint32_t next = 0;
    for (std::uint32_t v = 0; v < used.size(); ++v) {
      if (!used[v]) continue;
      place[v] = next;
      mesh().vertices[next] = mesh().vertices[v];
      original_[next++] = original_[v];
    }
    const std::size_t unused = used.size() - count;
    mesh().vertices.resize(count);
    original_.resize(count);
    map_vertices(place);
    if (!welded_) warn(counted(unused, "vertex", "vertices") + " used by no face left out");
  }

  bool is_coplanar() {
    // the plane through the first vertex, the one furthest from it, and the one furthest from their line
    const auto& points = mesh().vertices;
    const Vec3d p = points[0];
    const auto furthest = [&points](auto distance) {
      double best = 0;
      Vec3d at = points[0];
      for (const Vec3d& q : points)
        if (const double d = distance(q); d > best) best = d, at = q;
      return std::pair(best, at);
    };
    const Vec3d along = unit(furthest([&](const Vec3d& q) { return norm(q - p); }).second - p);
    const auto [height, q] = furthest([&](const Vec3d& r) { return norm(cross(along, r - p)); });
    const double thin = settings_.flat_tolerance * size_;
    if (!(height > thin)) return true;
    const Vec3d normal = unit(cross(along, q - p));
    return !(furthest([&](const Vec3d& r) { return abs(dot(r - p, normal)); }).first > thin);
  }

  /// Meets every side with its opposite, or says why that cannot be.
  void close() {
    edges_ = list_half_edges(mesh());
    EdgeCount count = count_edges(edges_);
    if (!count.unpaired.empty() || !count.crowded.empty()) mend_gaps(count);
    if (!count.crowded.empty() && count.unpaired.empty())
      warn(counted(count.crowded.size(), "edge is", "edges are") + " shared by more than two faces (" + places(count.crowded) + ")");
    if (count.unpaired.empty()) return;
    if (!count.boundary.empty())
      result_.errors.push_back("mesh is open: " + counted(count.boundary.size(), "boundary edge", "boundary edges") + " (" +
                               places(count.boundary) + ")");
    if (!count.crowded.empty())
      result_.errors.push_back("mesh is not a solid: " + counted(count.crowded.size(), "edge is", "edges are") +
                               " shared by more than two faces (" + places(count.crowded) + ")");
    if (result_.errors.empty() && !orient_by_flood(mesh(), edges_, turned_))
      result_.errors.emplace_back("mesh is one-sided: no winding of its faces has an outside");
    if (result_.errors.empty()) edges_ = list_half_edges(mesh());
  }

  /// The repairs of an open mesh, each kept only where it leaves fewer unpaired sides.
  void mend_gaps(EdgeCount& count) {
    try_repair(count, [this](const EdgeCount&) { return drop_repeated_faces(false); });
    try_repair(count, [this](const EdgeCount&) { return drop_repeated_faces(true); });
    if (count.unpaired.empty()) return;
    try_repair(count, [this](const EdgeCount& c) { return split_edges(c); });
    try_repair(count, [this](const EdgeCount& c) { return weld_near_points(c); });
  }

  template <class Step>
  void try_repair(EdgeCount& count, Step step) {
    if (count.unpaired.empty() && count.crowded.empty()) return;
    const Mesh before = mesh();
    const std::size_t warnings = result_.warnings.size();
    const std::string told = step(count);
    if (told.empty()) return;
    std::vector<HalfEdge> edges = list_half_edges(mesh());
    EdgeCount after = count_edges(edges);
    if (after.boundary.size() + after.crowded.size() >= count.boundary.size() + count.crowded.size()) {
      mesh() = before;
      result_.warnings.resize(warnings);
      return;
    }
    edges_ = std::move(edges);
    count = std::move(after);
    warn(told);
  }

  /// Faces with the same corners in the same turn are one face; with `backs` also those that turn the other way.
  std::string drop_repeated_faces(bool backs) {
    std::vector<std::vector<std::uint32_t>> faces(mesh().face_count());
    std::vector<std::uint32_t> order(faces.size());
    for (std::size_t f = 0; f < faces.size(); ++f) {
      faces[f].assign(mesh().face(f).begin(), mesh().face(f).end());
      std::rotate(faces[f].begin(), std::min_element(faces[f].begin(), faces[f].end()), faces[f].end());
      if (backs && faces[f][1] > faces[f].back()) std::reverse(faces[f].begin() + 1, faces[f].end());
      order[f] = static_cast<std::uint32_t>(f);
    }
    std::sort(order.begin(), order.end(),
              [&](std::uint32_t a, std::uint32_t b) { return faces[a] != faces[b] ? faces[a] < faces[b] : a < b; });
    std::vector<bool> drop(faces.size(), false);
    for (std::size_t i = 1; i < order.size(); ++i) drop[order[i]] = faces[order[i]] == faces[order[i - 1]];
    const auto dropped = static_cast<std::size_t>(std::count(drop.begin(), drop.end(), true));
    if (dropped == 0) return {};
    Mesh clean;
    for (std::size_t f = 0; f < faces.size(); ++f)
      if (!drop[f]) clean.add_face(mesh().face(f));
    mesh().face_start = std::move(clean.face_start);
    mesh().face_vertex = std::move(clean.face_vertex);
    return counted(dropped, "face", "faces") + (backs ? " listed with a back; taken once" : " listed twice; taken once");
  }

  /// Puts vertices that lie inside an unpaired side into that face (T-vertices).
  std::string split_edges(const EdgeCount& count) {
    std::vector<std::uint32_t> ends;
    for (const HalfEdge& e : count.unpaired) ends.insert(ends.end(), {e.low, e.high});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());

    std::vector<std::vector<HalfEdge>> open_sides(mesh().face_count());
    for (const HalfEdge& e : count.unpaired) open_sides[e.face].push_back(e);
    std::vector<Aabb> boxes;
    for (const std::uint32_t v : ends) boxes.push_back({mesh().vertices[v], mesh().vertices[v]});
    const BoxTree tree(boxes);
    Mesh healed;
    std::size_t inserted = 0;
    for (std::size_t f = 0; f < mesh().face_count(); ++f) {
      const std::vector<std::uint32_t> corners = split_face(f, open_sides[f], ends, tree);
      inserted += corners.size() - mesh().face(f).size();
      healed.add_face(corners);
    }
    if (inserted == 0) return {};
    mesh().face_start = std::move(healed.face_start);
    mesh().face_vertex = std::move(healed.face_vertex);
    return counted(inserted, "T-vertex", "T-vertices") + " healed (" + counted(count.unpaired.size(), "unpaired side", "unpaired sides") +
           ": " + places(count.unpaired) + ")";
  }

  std::vector<std::uint32_t> split_face(std::size_t f, const std::vector<HalfEdge>& sides, const std::vector<std::uint32_t>& ends,
                                        const BoxTree& tree) {
    std::vector<std::uint32_t> corners, found;
    const auto face = mesh().face(f);
    for (std::uint32_t k = 0; k < face.size(); ++k) {
      corners.push_back(face[k]);
      const bool open = std::any_of(sides.begin(), sides.end(), [k](const HalfEdge& e) { return e.corner == k; });
      if (!open) continue;
      std::vector<std::pair<double, std::uint32_t>> on_side;
      const Vec3d from = mesh().vertices[face[k]], edge = mesh().vertices[face[(k + 1) % face.size()]] - from;
      const double length = norm(edge), near = settings_.split_tolerance * size_;
      const Vec3d to = from + edge;
      const Aabb box{{std::min(from.x, to.x), std::min(from.y, to.y), std::min(from.z, to.z)},
                     {std::max(from.x, to.x), std::max(from.y, to.y), std::max(from.z, to.z)}};
      found.clear();
      tree.find_touching(grow(box, near), found);
      for (const std::uint32_t i : found) {
        const std::uint32_t v = ends[i];
        const Vec3d arm = mesh().vertices[v] - from;
        const double along = length > 0 ? dot(arm, edge) / length : 0;
        if (along > near && along < length - near && norm(cross(arm, edge)) <= near * length) on_side.emplace_back(along, v);
      }
      std::sort(on_side.begin(), on_side.end());
      for (const auto& [along, v] : on_side) corners.push_back(v);
    }
    return corners;
  }

  /// Welds ends of unpaired sides that lie within tolerance of each other.
  std::string weld_near_points(const EdgeCount& count) {
    std::vector<std::uint32_t> ends, kept(mesh().vertices.size());
    for (const HalfEdge& e : count.unpaired) ends.insert(ends.end(), {e.low, e.high});
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::iota(kept.begin(), kept.end(), 0U);
    const double near = settings_.weld_tolerance * size_;
    double widest = 0;
    std::size_t welded = 0;
    // along a skew direction few points coincide that are not near
    const Vec3d origin = mesh().vertices[0];
    const auto along = [&](std::uint32_t v) { return dot(skew_direction, mesh().vertices[v] - origin); };
    std::sort(ends.begin(), ends.end(),
              [&](std::uint32_t a, std::uint32_t b) { return along(a) != along(b) ? along(a) < along(b) : a < b; });
    for (std::size_t i = 0; i < ends.size(); ++i)
      for (std::size_t j = i + 1; j < ends.size() && along(ends[j]) - along(ends[i]) <= near; ++j) {
        const double distance = norm(mesh().vertices[ends[j]] - mesh().vertices[ends[i]]);
        if (distance > near || kept[ends[j]] != ends[j]) continue;
        kept[ends[j]] = kept[ends[i]];
        widest = std::max(widest, distance);
        ++welded;
      }
    if (welded == 0) return {};
    map_vertices(kept);
    welded_ = true;
    drop_collapsed_faces();
    return counted(welded, "vertex", "vertices") + " welded to a neighbour up to " + format_quantity(widest, "m") + " away";
  }

  /// Gives every shell its outside; tells what was turned.
  void orient() {
    std::vector<std::uint32_t> shell_of;
    result_.shells = find_shells(mesh(), edges_, shell_of);
    std::vector<std::vector<std::uint32_t>> shells(static_cast<std::size_t>(result_.shells));
    for (std::uint32_t f = 0; f < mesh().face_count(); ++f) shells[shell_of[f]].push_back(f);
    const bool mixed = std::find(turned_.begin(), turned_.end(), true) != turned_.end();
    turned_.resize(mesh().face_count(), false);
    for (const std::uint32_t s : inward_shells(shells))
      for (const std::uint32_t f : shells[s]) {
        reverse_face(mesh(), f);
        turned_[f] = !turned_[f];
      }
    tell_turns(mixed);
    if (result_.shells > 1) warn("mesh has " + std::to_string(result_.shells) + " separate shells, taken as one rigid block");
  }

  void tell_turns(bool mixed) {
    const auto turns = static_cast<std::size_t>(std::count(turned_.begin(), turned_.end(), true));
    if (turns == 0) return;
    const std::string count = std::to_string(turns) + " of " + counted(turned_.size(), "face", "faces");
    warn(mixed ? "faces wind both ways: " + count + " turned" : "faces wind inwards: " + count + " turned");
  }

  double shell_volume(const std::vector<std::uint32_t>& shell) {
    Mesh part;
    part.vertices = mesh().vertices;
    for (const std::uint32_t f : shell) part.add_face(mesh().face(f));
    return measure_volume(part);
  }

  /// Shells to be turned: outer ones with negative volume. Inside another shell a negative one is a cavity and stays, unless all outer
  /// ones are inside out.
  std::vector<std::uint32_t> inward_shells(const std::vector<std::vector<std::uint32_t>>& shells) {
    if (shells.size() == 1) return measure_volume(mesh()) < 0 ? std::vector<std::uint32_t>{0} : std::vector<std::uint32_t>{};
    std::vector<std::uint32_t> inward, all;
    std::size_t outer = 0, cavities = 0;
    for (std::uint32_t s = 0; s < shells.size(); ++s) {
      all.push_back(s);
      const Vec3d p = mesh().vertices[mesh().face(shells[s][0])[0]];
      int depth = 0;
      for (std::uint32_t t = 0; t < shells.size(); ++t) depth += t != s && winding_number(mesh(), shells[t], p) != 0 ? 1 : 0;
      const bool negative = shell_volume(shells[s]) < 0;
      outer += depth % 2 == 0 ? 1 : 0;
      if (depth % 2 == 0 && negative) inward.push_back(s);
      cavities += depth % 2 == 1 && negative ? 1 : 0;
    }
    if (inward.size() == outer) return all;
    if (cavities > 0) warn(counted(cavities, "shell lies", "shells lie") + " inside another and counts as a cavity");
    return inward;
  }

  const MeshSettings& settings_;
  MeshDiagnosis result_;
  std::vector<std::uint32_t> original_;  // vertex number in the input, from 1
  std::vector<HalfEdge> edges_;
  std::vector<bool> turned_;
  double size_ = 0;
  bool welded_ = false;
};

}  // namespace

MeshDiagnosis diagnose_mesh(Mesh mesh, const MeshSettings& settings) { return Repair(std::move(mesh), settings).run(); }

}  // namespace trilith::geom
