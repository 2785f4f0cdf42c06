// Implements (GEO-12) for the judge, from the fans of the faces and nothing else.
#include "certify/curve.h"

#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::certify {
namespace {

constexpr double sense_room = 2;  // products of heights of the same sense, over those of opposite sense, up to which two curves may be one
constexpr double flat_share = 1e-3;  // of the contact tolerance: what stands off by less is rounding of a plane face, not a curve

struct Facet {
  std::uint32_t corner[3];
  Vec3d normal{};  ///< unit; zero where the triangle has no area
};

/// Angle of a facet at one of its vertices.
struct Wedge {
  std::uint32_t facet;
  double angle;  ///< rad
};

class CurveMeter {
 public:
  CurveMeter(const Body& body, const VerifySettings& settings) : body_(body), least_cosine_(cos(settings.curve_angle)) {
    list_facets();
    list_wedges();
  }

  std::vector<Curve> run(double least_rise, double most_rise) const {
    std::vector<Curve> curves;
    curves.reserve(facets_.size());
    for (const Facet& facet : facets_) {
      const Curve curve = measure(facet);
      curves.push_back(curve.rise() > least_rise && curve.rise() <= most_rise ? curve : Curve{});
    }
    return curves;
  }

 private:
  void list_facets() {
    for (std::size_t f = 0; f + 1 < body_.face_start.size(); ++f)
      for (std::uint32_t k = body_.face_start[f] + 2; k < body_.face_start[f + 1]; ++k) {
        Facet facet{{body_.face_vertex[body_.face_start[f]], body_.face_vertex[k - 1], body_.face_vertex[k]}};
        const Vec3d area = cross(at(facet, 1) - at(facet, 0), at(facet, 2) - at(facet, 0));
        if (norm(area) > 0) facet.normal = unit(area);
        facets_.push_back(facet);
      }
  }

  void list_wedges() {
    start_.assign(body_.vertices.size() + 1, 0);
    for (const Facet& facet : facets_)
      for (const std::uint32_t v : facet.corner) ++start_[v + 1];
    for (std::size_t v = 1; v < start_.size(); ++v) start_[v] += start_[v - 1];
    wedges_.resize(3 * facets_.size());
    std::vector<std::uint32_t> next(start_.begin(), start_.end() - 1);
    for (std::uint32_t i = 0; i < facets_.size(); ++i)
      for (int k = 0; k < 3; ++k) {
        const Vec3d u = at(facets_[i], (k + 1) % 3) - at(facets_[i], k), v = at(facets_[i], (k + 2) % 3) - at(facets_[i], k);
        wedges_[next[facets_[i].corner[k]]++] = {i, atan2(norm(cross(u, v)), dot(u, v))};
      }
  }

  const Vec3d& at(const Facet& facet, int k) const { return body_.vertices[facet.corner[k]]; }

  /// The mean normal at a vertex of `facet`, by the angles of the facets there that turn less than the curve angle, as its lean off the
  /// facet's own normal.
  Vec3d lean_at(const Facet& facet, std::uint32_t vertex) const {
    Vec3d sum{0, 0, 0};
    double total = 0;
    for (std::uint32_t i = start_[vertex]; i < start_[vertex + 1]; ++i) {
      const Vec3d& other = facets_[wedges_[i].facet].normal;
      if (!(dot(other, facet.normal) > least_cosine_)) continue;
      sum = sum + wedges_[i].angle * (other - facet.normal);
      total += wedges_[i].angle;
    }
    if (!(total > 0)) return {0, 0, 0};
    const Vec3d mean = (1 / total) * sum;
    const double along = dot(mean, facet.normal);
    return (1 / (1 + along)) * (mean - along * facet.normal);
  }

  /// A parabola whose slope at one end of a chord d is s stands s . d / 4 over the middle of the chord.
  Curve measure(const Facet& facet) const {
    Curve curve;
    for (int k = 0; k < 3; ++k) {
      const Vec3d lean = lean_at(facet, facet.corner[k]);
      curve.lean = max(curve.lean, norm(lean));
      for (int other = 0; other < 3; ++other) {
        const double height = dot(lean, at(facet, k) - at(facet, other)) / 4;
        curve.low = min(curve.low, height);
        curve.high = max(curve.high, height);
      }
    }
    return curve;
  }

  const Body& body_;
  const double least_cosine_;
  std::vector<Facet> facets_;
  std::vector<std::uint32_t> start_;
  std::vector<Wedge> wedges_;
};

}  // namespace

std::vector<Curve> measure_curves(const Body& body, double size, const VerifySettings& settings) {
  return CurveMeter(body, settings).run(flat_share * settings.contact_tolerance * size, settings.curve_rise * size);
}

bool may_be_one(const Curve& a, const Curve& b) {
  const double same = a.high * b.high + a.low * b.low, opposite = -(a.high * b.low + a.low * b.high);
  return same <= sense_room * opposite;
}

}  // namespace trilith::certify
