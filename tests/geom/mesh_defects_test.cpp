#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <map>

#include "geom/mass_properties.h"
#include "geom/mesh_diagnosis.h"
#include "geom/shapes.h"

// Random damage to sound meshes: each is mended with a warning and has the right volume, or is refused. Never a silent wrong volume.
namespace trilith::geom {
namespace {

using test::Random;

/// A list of faces by their corners: easy to damage.
struct Soup {
  std::vector<Vec3d> points;
  std::vector<std::vector<std::uint32_t>> faces;
};

Soup soup_of(const Mesh& mesh) {
  Soup soup{mesh.vertices, {}};
  for (std::size_t f = 0; f < mesh.face_count(); ++f) soup.faces.emplace_back(mesh.face(f).begin(), mesh.face(f).end());
  return soup;
}

Mesh mesh_of(const Soup& soup) {
  Mesh mesh;
  mesh.vertices = soup.points;
  for (const auto& face : soup.faces) mesh.add_face(face);
  return mesh;
}

/// The part of a face on the inner side of a plane; its cut points go to `rim`. The same two points give the same cut, whichever face asks.
std::vector<Vec3d> inner_part(const std::vector<Vec3d>& face, const Vec3d& normal, double reach, std::vector<Vec3d>& rim) {
  std::vector<Vec3d> part;
  for (std::size_t i = 0; i < face.size(); ++i) {
    const Vec3d p = face[i], q = face[(i + 1) % face.size()];
    const double a = dot(p, normal) - reach, b = dot(q, normal) - reach;
    if (a <= 0) part.push_back(p);
    if ((a >= 0 || b <= 0) && (a <= 0 || b >= 0)) continue;
    const Vec3d at = a < 0 ? p + (a / (a - b)) * (q - p) : q + (b / (b - a)) * (p - q);
    part.push_back(at);
    rim.push_back(at);
  }
  return part;
}

/// Convex cell: a box cut by random planes, as cells of a Voronoi diagram are.
Soup random_cell(Random& random) {
  std::vector<std::vector<Vec3d>> faces;
  const Mesh box = test::box({-1, -1, -1}, {1, 1, 1});
  for (std::size_t f = 0; f < box.face_count(); ++f) {
    faces.emplace_back();
    for (const std::uint32_t v : box.face(f)) faces.back().push_back(box.vertices[v]);
  }
  for (int cut = 0; cut < 4; ++cut) {
    const Vec3d normal = random.direction();
    const double reach = random.uniform(0.5, 1.1);
    std::vector<std::vector<Vec3d>> kept;
    std::vector<Vec3d> rim;
    for (const auto& face : faces) {
      const std::vector<Vec3d> part = inner_part(face, normal, reach, rim);
      if (part.size() >= 3) kept.push_back(part);
    }
    if (rim.size() >= 6) {
      // every cut point was met twice; around the normal they are the new face
      Vec3d middle{0, 0, 0};
      for (const Vec3d& p : rim) middle = middle + (1.0 / static_cast<double>(rim.size())) * p;
      const Vec3d x = unit(rim[0] - middle), y = cross(normal, x);
      const auto angle = [&](const Vec3d& p) { return std::atan2(dot(p - middle, y), dot(p - middle, x)); };
      std::sort(rim.begin(), rim.end(), [&](const Vec3d& p, const Vec3d& q) { return angle(p) < angle(q); });
      std::vector<Vec3d> cap;
      for (const Vec3d& p : rim)
        if (cap.empty() || norm(cap.back() - p) > 0) cap.push_back(p);
      if (cap.size() > 1 && norm(cap.front() - cap.back()) == 0) cap.pop_back();
      kept.push_back(cap);
    }
    faces = kept;
  }
  Soup soup;
  for (const auto& face : faces) {
    soup.faces.emplace_back();
    for (const Vec3d& p : face) {
      const auto same = [&p](const Vec3d& q) { return p.x == q.x && p.y == q.y && p.z == q.z; };
      const auto found = std::find_if(soup.points.begin(), soup.points.end(), same);
      soup.faces.back().push_back(static_cast<std::uint32_t>(found - soup.points.begin()));
      if (found == soup.points.end()) soup.points.push_back(p);
    }
  }
  return soup;
}

Soup random_solid(Random& random) {
  const auto side = [&] { return random.uniform(0.3, 2); };
  Soup soup;
  const std::uint64_t kind = random.index(4);
  switch (kind) {
    case 0:
      soup = soup_of(test::box({0, 0, 0}, {side(), side(), side()}));
      break;
    case 1:
      soup = soup_of(test::prism({{0, 0, 0}, {side(), 0, 0}, {side() / 2, side(), 0}}, 0, side()));
      break;
    case 2:  // concave: its fans leave the face, so it is not cut into them below
      soup = soup_of(test::prism({{0, 0, 0}, {3, 0, 0}, {3, side() / 2, 0}, {1, 1, 0}, {1, 3, 0}, {0, 3, 0}}, 0, side()));
      break;
    default:
      soup = random_cell(random);
  }
  const test::Motion motion = test::random_motion(random, 10, 1);
  if (random.coin())
    for (Vec3d& p : soup.points) p = motion(p);
  if (kind != 2 && random.coin()) soup = soup_of(test::triangulated(mesh_of(soup)));
  return soup;
}

/// What a damage leaves true of the solid.
enum class Effect {
  same,      ///< the same solid, told
  silent,    ///< the same solid, which needs no word
  changed,   ///< another solid: only that it is one can be asked
  unusable,  ///< must be refused
};

struct Defect {
  const char* name;
  std::function<Effect(Soup&, Random&)> apply;
};

std::size_t any_face(const Soup& soup, Random& random) { return random.index(soup.faces.size()); }
std::size_t any_point(const Soup& soup, Random& random) { return random.index(soup.points.size()); }

void append(Soup& soup, const Soup& other, const Vec3d& shift) {
  const auto first = static_cast<std::uint32_t>(soup.points.size());
  for (const Vec3d& p : other.points) soup.points.push_back(p + shift);
  for (auto face : other.faces) {
    for (std::uint32_t& v : face) v += first;
    soup.faces.push_back(face);
  }
}

void unweld(Soup& soup) {
  Soup out;
  for (const auto& face : soup.faces) {
    out.faces.emplace_back();
    for (const std::uint32_t v : face) {
      out.faces.back().push_back(static_cast<std::uint32_t>(out.points.size()));
      out.points.push_back(soup.points[v]);
    }
  }
  soup = out;
}

/// A point in the middle of one side of one face only.
void split_side(Soup& soup, Random& random) {
  auto& face = soup.faces[any_face(soup, random)];
  const std::size_t k = random.index(face.size());
  const Vec3d p = soup.points[face[k]], q = soup.points[face[(k + 1) % face.size()]];
  face.insert(face.begin() + static_cast<std::ptrdiff_t>(k) + 1, static_cast<std::uint32_t>(soup.points.size()));
  soup.points.push_back(p + random.uniform(0.2, 0.8) * (q - p));
}

Vec3d centre(const Soup& soup) {
  Vec3d sum{0, 0, 0};
  for (const Vec3d& p : soup.points) sum = sum + (1.0 / static_cast<double>(soup.points.size())) * p;
  return sum;
}

/// The same shape, smaller, inside: a cavity where it is turned, else nonsense.
Soup shrunk(const Soup& soup, bool turned) {
  Soup inner = soup;
  const Vec3d middle = centre(soup);
  for (Vec3d& p : inner.points) p = middle + 0.1 * (p - middle);
  if (turned)
    for (auto& face : inner.faces) std::reverse(face.begin(), face.end());
  return inner;
}

const std::vector<Defect>& defects() {  // NOLINT(readability-function-size): a table
  static const std::vector<Defect> list = {
      {"delete a face",
       [](Soup& s, Random& r) { return s.faces.erase(s.faces.begin() + static_cast<std::ptrdiff_t>(any_face(s, r))), Effect::unusable; }},
      {"flip a face",
       [](Soup& s, Random& r) {
         auto& f = s.faces[any_face(s, r)];
         return std::reverse(f.begin(), f.end()), Effect::same;
       }},
      {"flip some",
       [](Soup& s, Random& r) {
         for (auto& f : s.faces)
           if (r.coin()) std::reverse(f.begin(), f.end());
         return Effect::silent;
       }},
      {"flip all",
       [](Soup& s, Random&) {
         for (auto& f : s.faces) std::reverse(f.begin(), f.end());
         return Effect::same;
       }},
      {"duplicate a face",
       [](Soup& s, Random& r) {
         auto f = s.faces[any_face(s, r)];
         return s.faces.push_back(f), Effect::same;
       }},
      {"duplicate a face with its back",
       [](Soup& s, Random& r) {
         auto f = s.faces[any_face(s, r)];
         std::reverse(f.begin(), f.end());
         return s.faces.push_back(f), Effect::same;
       }},
      {"duplicate all",
       [](Soup& s, Random&) {
         append(s, Soup(s), {0, 0, 0});
         return Effect::same;
       }},
      {"duplicate all, backs",
       [](Soup& s, Random&) {
         Soup o = s;
         for (auto& f : o.faces) std::reverse(f.begin(), f.end());
         append(s, o, {0, 0, 0});
         return Effect::same;
       }},
      {"duplicate all, a little aside",
       [](Soup& s, Random&) {
         append(s, Soup(s), {1e-3, 2e-3, -1e-3});
         return Effect::unusable;
       }},
      {"duplicate all in triangles",
       [](Soup& s, Random&) {
         append(s, soup_of(test::triangulated(mesh_of(s))), {0, 0, 0});
         return Effect::same;
       }},
      {"jitter a little",
       [](Soup& s, Random& r) {
         for (Vec3d& p : s.points) p = p + 1e-9 * r.direction();
         return Effect::silent;
       }},
      {"jitter a corner",
       [](Soup& s, Random& r) {
         Vec3d& p = s.points[any_point(s, r)];
         p = p + r.uniform(0.1, 3) * r.direction();
         return Effect::changed;
       }},
      {"jitter all",
       [](Soup& s, Random& r) {
         for (Vec3d& p : s.points) p = p + r.uniform(0, 0.5) * r.direction();
         return Effect::changed;
       }},
      {"unweld", [](Soup& s, Random&) { return unweld(s), Effect::same; }},
      {"unweld and jitter",
       [](Soup& s, Random& r) {
         unweld(s);
         for (Vec3d& p : s.points) p = p + 1e-8 * r.direction();
         return Effect::same;
       }},
      {"split a side", [](Soup& s, Random& r) { return split_side(s, r), Effect::same; }},
      {"split sides",
       [](Soup& s, Random& r) {
         for (int i = 0; i < 4; ++i) split_side(s, r);
         return Effect::silent;
       }},
      {"another beside",
       [](Soup& s, Random&) {
         append(s, Soup(s), {50, 0, 0});
         return Effect::changed;
       }},
      {"another through it",
       [](Soup& s, Random& r) {
         append(s, Soup(s), 0.15 * r.direction());
         return Effect::unusable;
       }},
      {"another inside",
       [](Soup& s, Random&) {
         append(s, shrunk(s, false), {0, 0, 0});
         return Effect::changed;
       }},
      {"a cavity",
       [](Soup& s, Random&) {
         append(s, shrunk(s, true), {0, 0, 0});
         return Effect::changed;
       }},
      {"scale",
       [](Soup& s, Random& r) {
         const double k = r.coin() ? 1e3 : 1e-3;
         for (Vec3d& p : s.points) p = k * p;
         return Effect::changed;
       }},
      {"move far",
       [](Soup& s, Random&) {
         for (Vec3d& p : s.points) p = p + Vec3d{5e5, 5e6, 100};
         return Effect::changed;
       }},
      {"not a number",
       [](Soup& s, Random& r) {
         s.points[s.faces[any_face(s, r)][0]].y = std::numeric_limits<double>::quiet_NaN();
         return Effect::unusable;
       }},
      {"index out of range",
       [](Soup& s, Random& r) {
         s.faces[any_face(s, r)][1] = static_cast<std::uint32_t>(s.points.size() + r.index(3));
         return Effect::unusable;
       }},
      {"a wrong index",
       [](Soup& s, Random& r) {
         s.faces[any_face(s, r)][0] = static_cast<std::uint32_t>(any_point(s, r));
         return Effect::changed;
       }},
      {"swap two corners of a face",
       [](Soup& s, Random& r) {
         auto& f = s.faces[any_face(s, r)];
         return std::swap(f[0], f[1 + r.index(f.size() - 1)]), Effect::changed;
       }},
      {"swap two points",
       [](Soup& s, Random& r) { return std::swap(s.points[any_point(s, r)], s.points[any_point(s, r)]), Effect::changed; }},
      {"flatten",
       [](Soup& s, Random&) {
         for (Vec3d& p : s.points) p.z = 0;
         return Effect::unusable;
       }},
      {"a point too many", [](Soup& s, Random& r) { return s.points.push_back(r.direction()), Effect::same; }},
      {"a corner twice",
       [](Soup& s, Random& r) {
         auto& f = s.faces[any_face(s, r)];
         return f.insert(f.begin(), f[0]), Effect::same;
       }},
      {"a face of one point",
       [](Soup& s, Random& r) {
         const auto v = static_cast<std::uint32_t>(any_point(s, r));
         return s.faces.push_back({v, v, v}), Effect::same;
       }},
  };
  return list;
}

/// How often the surface winds round `p`: the solid angle of its triangles over 4 pi. Shares nothing with the library.
double winding(const Mesh& mesh, const Vec3d& p) {
  double sum = 0;
  for (std::size_t f = 0; f < mesh.face_count(); ++f)
    for (std::size_t i = 2; i < mesh.face(f).size(); ++i) {
      const Vec3d a = mesh.vertices[mesh.face(f)[0]] - p, b = mesh.vertices[mesh.face(f)[i - 1]] - p,
                  c = mesh.vertices[mesh.face(f)[i]] - p;
      const double la = norm(a), lb = norm(b), lc = norm(c);
      sum += 2 * std::atan2(dot(a, cross(b, c)), la * lb * lc + dot(a, b) * lc + dot(b, c) * la + dot(c, a) * lb);
    }
  return sum / (4 * 3.14159265358979323846);
}

/// Random places in and around a mesh that lie inside neither never nor once: a wrong volume.
int wrong_places(const Mesh& mesh, Random& random) {
  const Aabb box = bounding_box(mesh);
  int wrong = 0;
  for (int i = 0; i < 300; ++i) {
    const Vec3d p{random.uniform(box.lower.x, box.upper.x), random.uniform(box.lower.y, box.upper.y),
                  random.uniform(box.lower.z, box.upper.z)};
    const double w = winding(mesh, p);
    wrong += std::abs(w) > 1e-3 && std::abs(w - 1) > 1e-3 ? 1 : 0;
  }
  return wrong;
}

struct Outcome {
  int mended = 0, refused = 0;
};

Outcome damage_one(const Defect& defect, Random& random) {
  Soup soup = random_solid(random);
  const double volume = measure_volume(mesh_of(soup));
  const Effect effect = defect.apply(soup, random);
  const Mesh damaged = mesh_of(soup);
  const MeshDiagnosis d = diagnose_mesh(damaged, {});
  if (!d.errors.empty() || d.flat) {
    EXPECT_NE(effect, Effect::silent) << defect.name << ": " << (d.errors.empty() ? "flat" : d.errors[0]);
    return {0, 1};
  }
  EXPECT_NE(effect, Effect::unusable) << defect.name;
  if (effect == Effect::same) {
    EXPECT_FALSE(d.warnings.empty()) << defect.name;
  }
  if (effect == Effect::same || effect == Effect::silent) {
    EXPECT_NEAR(measure_volume(d.mesh), volume, 1e-6 * volume) << defect.name;
  }
  EXPECT_GT(measure_volume(d.mesh), 0) << defect.name;
  // warped faces may pass through each other by twice their heights, which is told
  const bool told = std::any_of(d.warnings.begin(), d.warnings.end(),
                                [](const std::string& line) { return line.find("pass through each other") != std::string::npos; });
  EXPECT_LE(wrong_places(d.mesh, random), told ? 15 : 0) << defect.name;
  return {1, 0};
}

TEST(MeshDefectsTest, AThousandDefectsAreMendedOrRefused) {
  Random random(20261130);
  std::map<std::string, Outcome> by_name;
  Outcome all;
  for (int i = 0; i < 1024; ++i) {
    const Defect& defect = defects()[static_cast<std::size_t>(i) % defects().size()];
    const Outcome one = damage_one(defect, random);
    all.mended += one.mended;
    all.refused += one.refused;
    by_name[defect.name].mended += one.mended;
    by_name[defect.name].refused += one.refused;
  }
  // both ends are met, and what only repeats the solid is never refused
  EXPECT_GT(all.mended, 300);
  EXPECT_GT(all.refused, 200);
  for (const char* name : {"flip a face", "flip all", "duplicate a face", "duplicate all", "unweld", "unweld and jitter", "split a side",
                           "a corner twice", "a face of one point", "a point too many", "a cavity", "another beside", "scale", "move far"})
    EXPECT_EQ(by_name[name].refused, 0) << name;
}

}  // namespace
}  // namespace trilith::geom
