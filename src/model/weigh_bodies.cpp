// Implements (INE-3): inertias of bodies, from the file or from shapes, mended and checked.
#include <algorithm>

#include "base/text.h"
#include "geom/mesh_edges.h"
#include "linalg/symmetric_eigen.h"
#include "model/assembly_steps.h"
#include "model/model_steps.h"
#include "model/principal_frame.h"
#include "model/shape_inertia.h"

namespace trilith::model {
namespace {

/// Mass of shapes: meshes are measured once.
class ShapeScale {
 public:
  explicit ShapeScale(Making& making) : making_(making), meshes_(making.model.meshes.size()) {}

  /// A shape in its body's frame, with its principal axes.
  struct Weighed {
    Inertiad inertia;
    Mat3d axes;
  };
  /// Nothing where it has no mass or is refused.
  std::optional<Weighed> weigh(const Geom& geom) {
    if (geom.visual_only || (geom.mass ? *geom.mass == 0 : geom.density == 0)) return std::nullopt;
    const auto shape = measure(geom);
    if (!shape || !(shape->extent > least_extent)) return std::nullopt;
    Inertiad inertia = shape->unit;
    inertia.mass = geom.mass ? *geom.mass : geom.density * shape->extent;
    inertia.about_com = inertia.mass * inertia.about_com;
    if (!(inertia.mass > making_.limits.least_mass)) return std::nullopt;
    const Mat3d axes = geom.kind == GeomKind::mesh ? meshes_[geom.asset.index].axes : identity3<double>();
    return Weighed{transform(geom.pose, inertia), geom.pose.R * axes};
  }

 private:
  static constexpr double least_extent = 1e-15;  // m^3 or m^2

  std::optional<ShapeInertia> measure(const Geom& geom) {
    const std::int32_t asset = geom.asset.index;
    if (geom.kind != GeomKind::mesh)
      return shape_inertia(geom, geom.kind == GeomKind::hfield && asset >= 0 ? &making_.model.height_fields[asset] : nullptr);
    if (asset < 0) return std::nullopt;  // told with the references
    if (geom.shell) {
      making_.findings.refuse(label("geom", geom.name) + " is a mesh: whether it is a shell is said by the mesh", geom.where);
      return std::nullopt;
    }
    Measured& mesh = meshes_[asset];
    if (!mesh.known) measure_mesh(making_.model.meshes[asset], mesh);
    return mesh.inertia;
  }

  struct Measured {
    bool known = false;
    std::optional<ShapeInertia> inertia;
    Mat3d axes = identity3<double>();
  };

  void measure_mesh(const MeshAsset& asset, Measured& result) {
    result.known = true;
    std::string why;
    const std::string name = label("mesh", asset.name);
    result.inertia = mesh_inertia(asset, why);
    if (!result.inertia) return making_.findings.refuse(name + " carries mass, but " + why, asset.where);
    const PrincipalFrame frame = principal_frame(result.inertia->unit.about_com);
    result.axes = frame.axes;
    result.inertia->unit.about_com = tensor_of(frame);
    if (asset.inertia != MeshAsset::Inertia::legacy && asset.inertia != MeshAsset::Inertia::exact) return;
    const auto edges = geom::count_edges(geom::list_half_edges(asset.mesh));
    if (edges.unpaired.empty()) return;
    const std::string open = name + " carries mass and is not closed: " + std::to_string(edges.unpaired.size()) + " open edges";
    if (asset.inertia == MeshAsset::Inertia::exact) return making_.findings.refuse(open, asset.where);
    making_.findings.warn(open + "; its mass is a sum of pyramids (inertia=\"legacy\"), which need not be what you mean", asset.where);
  }

  Making& making_;
  std::vector<Measured> meshes_;
};

/// Sum over the shapes of one body that count, with the axes of its inertial frame.
ShapeScale::Weighed inertia_of_shapes(const Making& making, std::int32_t body, std::size_t& next, ShapeScale& scale) {
  ShapeScale::Weighed sum{{0, {0, 0, 0}, {}}, identity3<double>()};
  int count = 0;
  const auto& geoms = making.model.geoms;
  for (; next < geoms.size() && geoms[next].body == body; ++next) {
    const Geom& geom = geoms[next];
    if (geom.group < making.rules.first_group || geom.group > making.rules.last_group) continue;
    const auto part = scale.weigh(geom);
    if (!part) continue;
    if (count++ == 0)
      sum = *part;
    else
      sum.inertia = sum.inertia + part->inertia;
  }
  if (count < 2) return sum;
  const PrincipalFrame frame = principal_frame(sum.inertia.about_com);
  sum.inertia.about_com = tensor_of(frame);
  sum.axes = frame.axes;
  return sum;
}

/// The inertial element of the file. A full tensor of MJCF is brought to principal axes as MuJoCo does, of a URDF kept to the last digit.
void take_inertial(Body& body, const Making& making) {
  body.inertia = *body.inertial;
  Mat3d& tensor = body.inertia.about_com;
  if (body.inertial_axes) {
    body.principal_axes = *body.inertial_axes;
  } else if (making.model.format == "mjcf") {
    const PrincipalFrame frame = principal_frame(tensor);
    tensor = tensor_of(frame);
    body.principal_axes = frame.axes;
  } else if (tensor.m[1] != 0 || tensor.m[2] != 0 || tensor.m[5] != 0) {
    body.principal_axes = linalg::symmetric_eigen(tensor).vectors;
  }
}

std::string moments_text(const Vec3d& m) { return format_double(m.z) + ", " + format_double(m.y) + ", " + format_double(m.x) + " kg m^2"; }

bool is_diagonal(const Mat3d& a) { return a.m[1] == 0 && a.m[2] == 0 && a.m[5] == 0; }

struct MendTallies {
  Tally balanced, raised;
};

/// Least mass and moments; the triangle rule. Refuses what no body can have.
void mend(Body& body, MendTallies& tallies, Making& making) {
  const std::string name = label(making.body_kind(), body.name);
  Inertiad& inertia = body.inertia;
  auto eigen = linalg::symmetric_eigen(inertia.about_com);
  const bool was_diagonal = is_diagonal(inertia.about_com);
  const double largest = std::max(abs(eigen.values.x), abs(eigen.values.z));
  if (eigen.values.x < -making.limits.definite_tolerance * largest)
    return making.findings.refuse(name + " has a negative moment of inertia: " +
                                      (was_diagonal ? "its moments are " : "the eigenvalues are ") + moments_text(eigen.values),
                                  body.where);
  if (eigen.values.x < 0) eigen.values.x = 0;
  const double mass = std::max(inertia.mass, making.rules.least_mass);
  const double least = making.rules.least_inertia;
  Vec3d moments{std::max(eigen.values.x, least), std::max(eigen.values.y, least), std::max(eigen.values.z, least)};
  const bool raised = moments.x != eigen.values.x || moments.y != eigen.values.y || moments.z != eigen.values.z;
  if (raised || mass != inertia.mass)
    tallies.raised.add(
        name + ": mass or inertia is raised to the least that the file sets: " + format_quantity(mass, "kg") + ", " + moments_text(moments),
        body.where);
  inertia.mass = mass;
  const double excess = moments.z - (moments.x + moments.y);
  if (excess > making.limits.triangle_tolerance * moments.z) {
    const std::string rule = "principal moments " + moments_text(moments) + " break A + B >= C by " + format_quantity(excess, "kg m^2");
    if (!making.rules.balance && !making.options.balance_inertia)
      return making.findings.refuse(name + ": " + rule + ": no body has them (--balance-inertia sets all three to their mean)", body.where);
    const double mean = (moments.x + moments.y + moments.z) / 3;
    tallies.balanced.add(name + ": " + rule + ": all three are set to their mean " + format_double(mean), body.where);
    inertia.about_com = mean * identity3<double>();
    return;
  }
  if (raised) inertia.about_com = eigen.vectors * diagonal3(moments) * transpose(eigen.vectors);
}

/// The inertial element of the file: numbers that a tensor may hold.
bool check_inertial(const Body& body, Making& making) {
  const std::string name = label(making.body_kind(), body.name);
  const Inertiad& inertial = *body.inertial;
  if (!(inertial.mass >= 0 && is_finite(inertial.mass))) {
    making.findings.refuse("mass of " + name + " must be a number >= 0, got " + format_double(inertial.mass), body.where);
    return false;
  }
  for (const double x : inertial.about_com.m)
    if (!is_finite(x)) {
      making.findings.refuse("inertia of " + name + " must be finite", body.where);
      return false;
    }
  return check_finite(inertial.com, "centre of mass of " + name, body.where, making);
}

void scale_total(Making& making) {
  if (!making.rules.total_mass) return;
  const double wanted = *making.rules.total_mass;
  double sum = 0;
  for (const Body& body : making.model.bodies) sum += body.inertia.mass;
  if (!(wanted > 0 && is_finite(wanted) && sum > 0))
    return making.findings.refuse("a total mass of " + format_double(wanted) + " kg cannot be reached from " + format_double(sum) + " kg",
                                  making.model.source);
  const double factor = wanted / sum;
  for (Body& body : making.model.bodies) {
    body.inertia.mass *= factor;
    body.inertia.about_com = factor * body.inertia.about_com;
  }
  making.findings.warn("all masses are multiplied by " + format_double(factor) + " to make " + format_double(wanted) + " kg in all",
                       making.model.source);
}

/// What moves as one: a body with joints and everything welded to it, in the frame of that body.
std::vector<Inertiad> weld_together(const Model& model) {
  std::vector<Inertiad> sum(model.bodies.size(), Inertiad{0, {0, 0, 0}, {}});
  std::vector<Posed> to_weld(model.bodies.size(), identity_pose<double>());  // X_weld,body
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    const auto weld = static_cast<std::size_t>(body.weld);
    if (weld != i) to_weld[i] = to_weld[body.parent] * body.pose;
    const Inertiad part = transform(to_weld[i], body.inertia);
    sum[weld] = sum[weld].mass > 0 ? sum[weld] + part : part;
  }
  return sum;
}

void check_moving(Making& making) {
  const Model& model = making.model;
  const auto sum = weld_together(model);
  const Body *lightest = nullptr, *heaviest = nullptr;
  double least = 0, most = 0;
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    const Body& body = model.bodies[i];
    if (body.joint_count == 0) continue;
    const std::string name = label(making.body_kind(), body.name);
    const double mass = sum[i].mass;
    if (mass < making.limits.least_mass) {
      making.findings.refuse(name + " moves and has no mass" + (model.format == "urdf" ? ": its link needs an inertial element" : ""),
                             body.where);
      continue;
    }
    const Vec3d moments = linalg::symmetric_eigen(sum[i].about_com).values;
    if (moments.x < making.limits.least_inertia)
      making.findings.refuse(name + " moves and its inertia is zero: moments " + moments_text(moments), body.where);
    if (lightest == nullptr || mass < least) lightest = &body, least = mass;
    if (heaviest == nullptr || mass > most) heaviest = &body, most = mass;
  }
  if (lightest != nullptr && most > making.limits.largest_mass_ratio * least)
    making.findings.warn("masses of moving bodies differ by " + format_quantity(most / least, "") + ": " +
                             label(making.body_kind(), heaviest->name) + " " + format_quantity(most, "kg") + ", " +
                             label(making.body_kind(), lightest->name) + " " + format_quantity(least, "kg"),
                         lightest->where);
}

}  // namespace

void weigh_bodies(Making& making) {
  Model& model = making.model;
  using From = InertiaRules::FromShapes;
  ShapeScale scale(making);
  const std::size_t most = making.limits.most_alike;
  MendTallies tallies{Tally(making.findings, most, "inertias set to the mean of their moments"),
                      Tally(making.findings, most, "bodies raised to the least mass or inertia")};
  std::size_t next = 0;
  while (next < model.geoms.size() && model.geoms[next].body == 0) ++next;  // the world has no mass
  for (std::size_t i = 1; i < model.bodies.size(); ++i) {
    Body& body = model.bodies[i];
    const From from = making.rules.from_shapes;
    const bool by_shapes = from == From::always || (from == From::where_absent && !body.inertial);
    if (body.inertial && !check_inertial(body, making)) body.inertial = Inertiad{0, {0, 0, 0}, {}};
    body.inertia = {0, {0, 0, 0}, {}};
    if (body.inertial) take_inertial(body, making);
    if (by_shapes) {
      const auto [sum, axes] = inertia_of_shapes(making, static_cast<std::int32_t>(i), next, scale);
      if (sum.mass > 0 || !body.inertial) body.inertia = sum, body.principal_axes = axes;
    }
    while (next < model.geoms.size() && model.geoms[next].body == static_cast<std::int32_t>(i)) ++next;
    mend(body, tallies, making);
  }
  tallies.balanced.finish(model.source);
  tallies.raised.finish(model.source);
  scale_total(making);
  model.mass = 0;
  for (const Body& body : model.bodies) model.mass += body.inertia.mass;
  check_moving(making);
}

}  // namespace trilith::model
