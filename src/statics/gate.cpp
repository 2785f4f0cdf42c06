// One stone on its support. Equations: (GATE-2) (GATE-3) (GATE-4) (GATE-5) (GATE-6) (GATE-7)
#include "statics/gate.h"

#include <algorithm>
#include <limits>

#include "base/text.h"
#include "geom/height_field.h"
#include "geom/hull.h"
#include "geom/mass_properties.h"
#include "geom/mesh_diagnosis.h"
#include "linalg/direction.h"
#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

using geom::Vec2;

constexpr double grid_rounding = 1e-6;  // of a cell: a last cell narrower than this is none

Vec2 minus(const Vec2& a, const Vec2& b) { return {a.x - b.x, a.y - b.y}; }
double length(const Vec2& a) { return sqrt(a.x * a.x + a.y * a.y); }

geom::Mesh moved(geom::Mesh mesh, const Posed& X_WS) {
  for (Vec3d& p : mesh.vertices) p = transform_point(X_WS, p);
  return mesh;
}

/// Extent of the vertices along a unit direction.
double extent(const geom::Mesh& mesh, const Vec3d& direction) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3d& p : mesh.vertices) {
    low = min(low, dot(p, direction));
    high = max(high, dot(p, direction));
  }
  return high - low;
}

std::vector<Vec2> outline(const geom::Mesh& mesh, const geom::PlaneFrame& plane) {
  std::vector<Vec2> flat;
  for (const Vec3d& p : mesh.vertices) flat.push_back(plane.to_plane(p));
  return geom::convex_hull(std::move(flat));
}

std::vector<Vec3d> corners_of(const geom::Mesh& mesh, std::size_t face) {
  std::vector<Vec3d> corners;
  for (const std::uint32_t v : mesh.face(face)) corners.push_back(mesh.vertices[v]);
  return corners;
}

/// (GATE-5)
std::vector<RestingFace> find_resting_faces(const geom::Mesh& hull, const Vec3d& com) {
  std::vector<RestingFace> faces;
  for (std::size_t f = 0; f < hull.face_count(); ++f) {
    RestingFace face;
    face.corners = corners_of(hull, f);
    const Vec3d area = geom::area_vector(face.corners);
    face.area = norm(area);
    face.normal = unit(area);
    const geom::PlaneFrame plane = geom::make_plane_frame(face.corners[0], face.normal, face.corners[1] - face.corners[0]);
    std::vector<Vec2> polygon;
    for (const Vec3d& p : face.corners) polygon.push_back(plane.to_plane(p));
    face.clearance = geom::distance_inside(polygon, plane.to_plane(com));
    face.height = -plane.height(com);
    if (face.clearance > 0) faces.push_back(std::move(face));
  }
  std::vector<std::size_t> order(faces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t i, std::size_t j) {
    return faces[i].height < faces[j].height || (faces[i].height == faces[j].height && i < j);
  });
  std::vector<RestingFace> sorted;
  for (const std::size_t i : order) sorted.push_back(std::move(faces[i]));
  return sorted;
}

Error refuse(std::string what, std::string where) { return {std::move(what), std::move(where), Error::Kind::refused}; }

}  // namespace

/// Reads one seat of a scene.
class SeatReader {
 public:
  SeatReader(const GateScene& scene, const Posed& X_WS)
      : scene_(scene),
        stone_(moved(scene.stone_, X_WS)),
        under_(stone_, scene.plane_),
        top_(scene.support_, scene.plane_),
        foot_(outline(stone_, scene.plane_)),
        com_(transform_point(X_WS, scene.com_)) {
    report_.X_WS = X_WS;
  }

  SeatReport run() {
    sample_grid();
    sample_corners();
    let_down();
    if (!report_.lands) return std::move(report_);
    find_hull();
    read_nbo();
    rate();
    return std::move(report_);
  }

 private:
  struct Sample {
    Vec2 at;
    double low;                  // height of the stone's underside
    std::optional<double> high;  // of the support's top
    double weight;               // share of a cell, 0: a corner, counts as contact only
  };

  void add_sample(const Vec2& at, double weight) {
    if (const auto low = under_.lowest(at)) samples_.push_back({at, *low, top_.highest(at), weight});
  }

  /// Columns on a grid along the sides of the smallest rectangle round the stone.
  void sample_grid() {
    const geom::Rectangle box = geom::smallest_rectangle(foot_);
    const auto cells = [this](double side) { return std::max(1, static_cast<int>(side / scene_.cell_ + (1 - grid_rounding))); };
    const int columns = cells(box.length), rows = cells(box.width);
    const Vec2 u = box.axis, v{-u.y, u.x};
    for (int i = 0; i <= columns; ++i)
      for (int j = 0; j <= rows; ++j) {
        const double s = box.length * (double(i) / columns - 0.5), t = box.width * (double(j) / rows - 0.5);
        const double weight = (i % columns == 0 ? 0.5 : 1) * (j % rows == 0 ? 0.5 : 1);
        add_sample({box.middle.x + s * u.x + t * v.x, box.middle.y + s * u.y + t * v.y}, weight);
      }
  }

  /// Corners of either surface, which touch first, and where the outline of the stone crosses the rim of a face below.
  void sample_corners() {
    for (const Vec3d& p : under_.vertices()) add_sample({p.x, p.y}, 0);
    for (const Vec3d& p : top_.vertices())
      if (geom::contains(foot_, {p.x, p.y}, 0)) add_sample({p.x, p.y}, 0);
    std::vector<Vec2> crossings;
    top_.append_crossings(foot_, crossings);
    for (const Vec2& at : crossings) add_sample(at, 0);
  }

  void let_down() {
    double least = std::numeric_limits<double>::infinity();
    for (const Sample& sample : samples_)
      if (sample.high) least = min(least, sample.low - *sample.high);
    report_.lands = least < std::numeric_limits<double>::infinity();
    if (!report_.lands) return;
    report_.drop = least;
    const Vec3d down = -scene_.plane_.normal;
    report_.X_WS.p = report_.X_WS.p + least * down;
    com_ = com_ + least * down;
    for (Vec3d& p : stone_.vertices) p = p + least * down;
    for (Sample& sample : samples_) sample.low -= least;
  }

  // (GATE-3)
  void find_hull() {
    const GateSettings& settings = scene_.settings_;
    const double touch = settings.touch_share * scene_.cell_;
    std::vector<Vec2> contacts;
    Vec2 sum{0, 0};
    for (const Sample& sample : samples_)
      if (sample.high && sample.low - *sample.high <= touch) {
        contacts.push_back(sample.at);
        sum = {sum.x + sample.at.x, sum.y + sample.at.y};
      }
    report_.contacts = static_cast<int>(contacts.size());
    const double share = 1 / static_cast<double>(contacts.size());
    middle_ = {share * sum.x, share * sum.y};
    const std::vector<Vec2> hull = geom::convex_hull(std::move(contacts));
    const Vec2 c = scene_.plane_.to_plane(com_);
    if (geom::least_width(hull) > settings.flat_share * scene_.cell_) {
      report_.support_area = geom::signed_area(hull);
      middle_ = geom::polygon_centroid(hull);
      report_.clearance = geom::distance_inside(hull, c);
      report_.stable = report_.clearance >= settings.margin;
      report_.nbo.in_hull = report_.clearance >= 0;
      for (const Vec2& p : hull) report_.hull.push_back(scene_.plane_.to_space(p));
    }
    report_.com_offset = length(minus(c, middle_));
  }

  /// (GATE-6)
  void read_nbo() {
    const GateSettings& settings = scene_.settings_;
    NboReport& nbo = report_.nbo;
    const Vec3d up = scene_.plane_.normal;
    const double height = extent(stone_, up);
    nbo.depth_ratio = height > 0 ? extent(stone_, scene_.into_) / height : 0;
    // the face of the hull that a plumb line from the centre of mass leaves through
    const geom::Mesh hull = moved(scene_.hull_, report_.X_WS);
    double nearest = std::numeric_limits<double>::infinity();
    std::vector<Vec3d> below;
    for (std::size_t f = 0; f < hull.face_count(); ++f) {
      const std::vector<Vec3d> corners = corners_of(hull, f);
      const Vec3d normal = unit(geom::area_vector(corners));
      const double facing = -dot(normal, up);
      if (!(facing > 0)) continue;
      const double way = dot(normal, corners[0] - com_) / facing;
      if (!(way < nearest)) continue;
      nearest = way;
      nbo.seating = facing;
      below = corners;
    }
    std::vector<Vec2> seen;
    for (const Vec3d& p : below) seen.push_back(scene_.plane_.to_plane(p));
    std::reverse(seen.begin(), seen.end());  // it faces down
    const double area = geom::signed_area(seen);
    nbo.margin = area > 0 ? geom::distance_inside(seen, scene_.plane_.to_plane(com_)) / sqrt(area) : -1;
    nbo.stable = nbo.in_hull && nbo.margin >= settings.nbo_margin && nbo.depth_ratio >= settings.least_depth_ratio &&
                 nbo.seating >= settings.least_seating;
  }

  /// (GATE-4)
  void rate() {
    const double foot = geom::signed_area(foot_), height = extent(stone_, scene_.plane_.normal), width = scene_.width_;
    double weight = 0, hollow = 0, lowest = std::numeric_limits<double>::infinity();
    for (const Sample& sample : samples_) {
      weight += sample.weight;
      hollow += sample.weight * (sample.high ? min(sample.low - *sample.high, height) : height);
      lowest = min(lowest, sample.low);
    }
    if (weight > 0) report_.hollow = foot * hollow / weight;
    if (!(foot > 0 && height > 0 && width > 0)) return;
    const GateWeights& w = scene_.settings_.weights;
    report_.objective = w.support * (1 - report_.support_area / foot) + w.offset * *report_.com_offset / width +
                        w.hollow * report_.hollow / (foot * height) + w.seat * (lowest - scene_.datum_) / width;
  }

  const GateScene& scene_;
  geom::Mesh stone_;
  const geom::HeightField under_, top_;
  const std::vector<Vec2> foot_;
  Vec3d com_;
  std::vector<Sample> samples_;
  Vec2 middle_{};
  SeatReport report_;
};

namespace {

/// The distance of the columns: as asked for, else a share of the stone's width; or what is wrong with it. A pose needs at most as many
/// columns as the hull's surface has cells: the shadow of a convex body is at most half of it, and a rectangle round that at most twice.
std::string choose_cell(const GateSettings& settings, const geom::Mesh& hull, double width, double& cell, std::vector<Warning>& warnings) {
  double surface = 0;
  for (std::size_t f = 0; f < hull.face_count(); ++f) surface += norm(geom::area_vector(corners_of(hull, f)));
  const double finest = sqrt(surface / settings.most_columns);
  cell = settings.cell > 0 ? settings.cell : settings.cell_share * width;
  if (settings.cell > 0 && !(cell >= finest && cell <= width))
    return "must be from " + format_quantity(finest, "m") + " to " + format_quantity(width, "m") + " for this stone, got " +
           format_quantity(cell, "m");
  if (cell >= finest) return {};
  cell = finest;
  warnings.push_back({"the stone is so long that its columns are taken " + format_quantity(finest, "m") + " apart", "stone"});
  return {};
}

}  // namespace

Result<GateScene> make_gate_scene(const geom::Mesh& stone, const geom::Mesh& support, const GateSettings& settings) {
  if (!(norm(moderate(settings.gravity)) > 0)) return refuse("gravity must not be zero: it says which way is down", "gravity");
  if (support.face_count() == 0) return refuse("has no faces", "support");
  geom::MeshDiagnosis read = geom::diagnose_mesh(stone, {});
  const bool solid = read.errors.empty() && !read.flat;
  GateScene scene;
  scene.stone_ = stone;
  if (solid) scene.stone_ = std::move(read.mesh);
  auto hull = geom::make_hull(scene.stone_.vertices);
  if (!hull) return refuse("is flat, empty or not finite: it has no convex hull", "stone");
  scene.hull_ = std::move(*hull);
  scene.support_ = support;
  scene.settings_ = settings;
  for (const std::string& told : read.warnings) scene.warnings_.push_back({told, "stone"});
  if (!solid)
    scene.warnings_.push_back(
        {"its centre of mass is taken from its convex hull: " + (read.errors.empty() ? "it has no volume" : read.errors[0]), "stone"});
  scene.com_ = geom::measure_mass_properties(solid ? scene.stone_ : scene.hull_).com;

  const Vec3d up = unit(moderate(-settings.gravity));
  const geom::Mesh& mesh = scene.support_;
  const std::uint32_t* corner = mesh.face(0).data();
  scene.plane_ = geom::make_plane_frame(mesh.vertices[corner[0]], up, mesh.vertices[corner[1]] - mesh.vertices[corner[0]]);
  scene.datum_ = std::numeric_limits<double>::infinity();
  for (const Vec3d& p : mesh.vertices) scene.datum_ = min(scene.datum_, scene.plane_.height(p));
  if (settings.into) {
    const Vec3d into = moderate(*settings.into);
    scene.into_ = unit(into - dot(into, up) * up);
    if (!(norm(scene.into_) > 0)) return refuse("must not run along gravity", "into");
  } else {
    const Vec2 axis = geom::smallest_rectangle(outline(mesh, scene.plane_)).axis;
    scene.into_ = axis.x * scene.plane_.t2 - axis.y * scene.plane_.t1;
    scene.warnings_.push_back({"the direction into the wall is not given: the short side of the support's outline is taken", "support"});
  }
  const geom::Rectangle box = geom::smallest_rectangle(outline(scene.stone_, scene.plane_));
  scene.width_ = 0.5 * (box.length + box.width);
  if (const std::string fault = choose_cell(settings, scene.hull_, scene.width_, scene.cell_, scene.warnings_); !fault.empty())
    return refuse(fault, "cell");
  scene.faces_ = find_resting_faces(scene.hull_, scene.com_);
  return scene;
}

SeatReport measure_seat(const GateScene& scene, const Posed& X_WS) { return SeatReader(scene, X_WS).run(); }

// (GATE-7)
Posed place_stone(const GateScene& scene, std::size_t face, const Vec3d& target) {
  const RestingFace& rest = scene.resting_faces()[face];
  const Vec3d n = rest.normal, down = unit(moderate(scene.settings().gravity)), into = scene.into();
  const geom::PlaneFrame plane = geom::make_plane_frame(rest.corners[0], n, rest.corners[1] - rest.corners[0]);
  std::vector<Vec2> shadow;
  for (const Vec3d& p : scene.hull().vertices) shadow.push_back(plane.to_plane(p));
  const Vec2 axis = geom::smallest_rectangle(geom::convex_hull(std::move(shadow))).axis;
  const Vec3d along = axis.x * plane.t1 + axis.y * plane.t2, beside = cross(n, along), side = cross(down, into);
  const auto turned = [&](const Vec3d& v) { return dot(v, along) * into + dot(v, beside) * side + dot(v, n) * down; };
  const Vec3d x = turned({1, 0, 0}), y = turned({0, 1, 0}), z = turned({0, 0, 1});
  Posed X_WS{{{x.x, y.x, z.x, x.y, y.y, z.y, x.z, y.z, z.z}}, {0, 0, 0}};
  X_WS.p = target - X_WS.R * scene.com();
  return X_WS;
}

std::vector<std::size_t> rank_seats(std::span<const SeatReport> seats) {
  std::vector<std::size_t> order(seats.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [seats](std::size_t i, std::size_t j) {
    const SeatReport &a = seats[i], &b = seats[j];
    if (a.lands != b.lands) return a.lands;
    const bool good = a.stable && a.nbo.stable, other = b.stable && b.nbo.stable;
    if (good != other) return good;
    if (a.stable != b.stable) return a.stable;
    const double worst = std::numeric_limits<double>::infinity();
    const double one = a.objective.value_or(worst), two = b.objective.value_or(worst);
    return one < two || (one == two && i < j);
  });
  return order;
}

}  // namespace trilith::statics
