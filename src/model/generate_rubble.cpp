#include <algorithm>

#include "base/check.h"
#include "base/lanes.h"
#include "base/rng.h"
#include "linalg/fixed.h"
#include "model/generate_cells.h"
#include "model/generate_parts.h"

namespace trilith::model {
namespace {

/// Points of a regular bond in space, before they are moved: odd rows are shifted by half a stone, and by half a layer where there are any.
/// Spacing 1 along x and y; y is flat (one layer of points in the plane y = .5) for walls of prisms.
struct Bonding {
  int columns, rows, layers;
  double row_height;  ///< spacing of rows
  bool flat;          ///< prisms through the depth
};

/// How points are moved: by up to `jitter` along each axis, with weights up to `size_spread`.
struct Disorder {
  double jitter, size_spread;
  std::uint64_t seed;
};

struct Place {
  int row, column, layer;
};

std::vector<Place> places(const Bonding& b) {
  std::vector<Place> list;
  for (int row = 0; row < b.rows; ++row)
    for (int column = 0; column < b.columns + row % 2; ++column)
      for (int layer = 0; layer < (b.flat ? 1 : b.layers + row % 2); ++layer) list.push_back({row, column, layer});
  return list;
}

Site regular_site(const Bonding& b, const Place& p) {
  const double shift = p.row % 2 == 1 ? 0 : 0.5;
  return {{p.column + shift, b.flat ? 0.5 : p.layer + shift, (p.row + 0.5) * b.row_height}, 0};
}

/// Stones of one wall while their points are moved about.
class CellWall {
 public:
  CellWall(const Bonding& bonding, const Disorder& disorder) : bonding_(bonding), disorder_(disorder), places_(places(bonding)) {
    for (std::size_t i = 0; i < places_.size(); ++i) {
      random_.emplace_back(disorder.seed, i);
      sites_.push_back(drawn(i, 1));
    }
    first_of_row_.resize(static_cast<std::size_t>(bonding.rows) + 1, places_.size());
    for (std::size_t i = places_.size(); i-- > 0;) first_of_row_[static_cast<std::size_t>(places_[i].row)] = i;
  }

  /// Draws the points of stones with too narrow faces again, each round nearer to the regular bond, where no face is narrow.
  std::vector<ConvexCell> make_stones() {
    std::vector<ConvexCell> cells;
    for (std::size_t i = 0; i < places_.size(); ++i) cells.push_back(cell(i));
    std::vector<std::size_t> fresh(places_.size());
    for (std::size_t i = 0; i < fresh.size(); ++i) fresh[i] = i;
    for (int round = 1; round <= settings_.rounds; ++round) {
      std::vector<std::size_t> narrow;
      for (const std::size_t i : fresh)
        if (cells[i].empty() || cells[i].least_width() < settings_.least_width) narrow.push_back(i);
      if (narrow.empty()) break;
      fresh = around(narrow);
      for (const std::size_t i : narrow) sites_[i] = drawn(i, 1 - double(round) / settings_.rounds);
      for (const std::size_t i : fresh) cells[i] = cell(i);
    }
    return cells;
  }

  std::size_t size() const { return places_.size(); }
  const Place& place(std::size_t i) const { return places_[i]; }

 private:
  Site drawn(std::size_t i, double share) {
    Site site = regular_site(bonding_, places_[i]);
    Rng& random = random_[i];
    const double jitter = share * disorder_.jitter;
    site.point.x += random.uniform(-jitter, jitter);
    site.point.z += random.uniform(-jitter, jitter) * bonding_.row_height;
    if (!bonding_.flat) site.point.y += random.uniform(-jitter, jitter);
    site.weight = random.uniform(-0.5, 0.5) * share * disorder_.size_spread;
    return site;
  }

  /// Sites whose cells may change when these move: those within the window, in order.
  std::vector<std::size_t> around(const std::vector<std::size_t>& moved) const {
    std::vector<std::size_t> list;
    for (const std::size_t m : moved)
      for (std::size_t k = first_near(m); k < last_near(m); ++k)
        if (norm(sites_[k].point - sites_[m].point) < settings_.window + 2) list.push_back(k);
    std::sort(list.begin(), list.end());
    list.erase(std::unique(list.begin(), list.end()), list.end());
    return list;
  }

  /// Sites [first, last) of the rows that the window can reach from site i.
  std::size_t first_near(std::size_t i) const { return first_of_row_[static_cast<std::size_t>(std::max(0, places_[i].row - reach()))]; }
  std::size_t last_near(std::size_t i) const {
    return first_of_row_[static_cast<std::size_t>(std::min(bonding_.rows, places_[i].row + reach() + 1))];
  }
  int reach() const { return static_cast<int>((settings_.window + 2) / bonding_.row_height) + 1; }

  /// The part of the box that is nearest to site i.
  ConvexCell cell(std::size_t i) const {
    ConvexCell result(make_box({0, 0, 0}, {double(bonding_.columns), double(bonding_.layers), bonding_.rows * bonding_.row_height}));
    std::vector<std::pair<double, std::size_t>> near;
    for (std::size_t k = first_near(i); k < last_near(i); ++k) {
      const double distance = norm(sites_[k].point - sites_[i].point);
      if (k != i && distance < settings_.window) near.emplace_back(distance, k);
    }
    std::sort(near.begin(), near.end());
    for (const auto& [distance, k] : near) {
      // the border stands at least so far from the point; the rest lie further away
      const double border = 0.5 * (distance - disorder_.size_spread / distance);
      if (result.empty() || border > result.radius_from(sites_[i].point)) break;
      cut_by_border(result, sites_[i], sites_[k], i < k, settings_.snap);
    }
    return result;
  }

  CellSettings settings_;
  Bonding bonding_;
  Disorder disorder_;
  std::vector<Place> places_;
  std::vector<Rng> random_;
  std::vector<Site> sites_;
  std::vector<std::size_t> first_of_row_;
};

/// Writes the stones, stretched by `scale` along each axis, on a ground.
void add_stones(AssemblyInput& input, CellWall& wall, const Vec3d& scale, const Vec3d& size) {
  add_block(input, "ground", make_box({0, 0, -0.5 * size.z}, {size.x, size.y, 0}), true);
  std::vector<ConvexCell> cells = wall.make_stones();
  for (std::size_t i = 0; i < wall.size(); ++i) {
    const Place& p = wall.place(i);
    geom::Mesh mesh = cells[i].take();
    for (Vec3d& v : mesh.vertices) v = {v.x * scale.x, v.y * scale.y, v.z * scale.z};
    std::string id = numbered(numbered("r", p.row) + "c", p.column);
    if (p.layer > 0) id += numbered("l", p.layer);
    add_block(input, std::move(id), std::move(mesh));
  }
}

}  // namespace

std::vector<Error> faults(const PolygonalWallOptions& o) {
  FaultList list;
  list.courses(o.columns, o.rows, o.length, o.height, o.depth);
  list.range("--jitter", o.jitter, 0, 0.45);
  list.blocks("--rows", double(o.columns) * o.rows);
  return list.take();
}

AssemblyInput generate_polygonal_wall(const PolygonalWallOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("polygonal-wall");
  // rows of a triangular lattice: all joints of the regular bond are alike
  constexpr double row_height = 0.8660254037844386;
  CellWall wall({options.columns, options.rows, 1, row_height, true}, {options.jitter, 0, options.seed});
  add_stones(input, wall, {options.length, options.depth, options.height / row_height},
             {options.columns * options.length, options.depth, options.height});
  return input;
}

std::vector<Error> faults(const RubbleOptions& o) {
  FaultList list;
  list.courses(o.columns, o.rows, o.length, o.height, o.depth);
  list.count("--layers", o.layers);
  list.range("--jitter", o.jitter, 0, 0.45);
  list.range("--size-spread", o.size_spread, 0, 0.5);
  list.blocks("--rows", double(o.columns) * o.rows * o.layers);
  return list.take();
}

AssemblyInput generate_rubble(const RubbleOptions& options) {
  TRI_CHECK(faults(options).empty());
  AssemblyInput input = named("rubble");
  // rows of a body-centred lattice: below sqrt(1/2) its cells have no corner where more than four meet; the higher, the flatter the beds
  constexpr double row_height = 0.65;
  CellWall wall({options.columns, options.rows, options.layers, row_height, false}, {options.jitter, options.size_spread, options.seed});
  add_stones(input, wall, {options.length, options.depth, options.height / row_height},
             {options.columns * options.length, options.layers * options.depth, options.height});
  return input;
}

}  // namespace trilith::model
