// (CRA-7)
#include "statics/coupled_pair.h"

#include <algorithm>
#include <cmath>

#include "linalg/dense_cholesky.h"
#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

/// A pressed vertex in units of the structure.
struct Point {
  std::size_t row = 0;     // of per-vertex arrays
  int a = -1, b = -1;      // free bodies
  Vec3d arm_a{}, arm_b{};  // lengths
  Vec3d normal{};
  double push = 0, alpha = 0;  // weights, weights per give
  int slide = -1;              // index of its alpha among the unknowns
};

class Polish {
 public:
  Polish(const model::Assembly& assembly, double give, const CoupledPair& pair) : assembly_(assembly), give_(give) {
    number_bodies();
    q_.assign(6 * blocks_.size(), 0.0);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const certify::Velocity& v = pair.displacements[blocks_[i]];
      const Vec3d turn = (length_ / give) * v.angular, move = (1 / give) * v.linear;
      const double six[6] = {move.x, move.y, move.z, turn.x, turn.y, turn.z};
      std::copy(six, six + 6, q_.begin() + static_cast<std::ptrdiff_t>(6 * i));
    }
    list_points(pair);
  }

  double run(const PolishSettings& settings) {
    const int rows = static_cast<int>(points_.size() + q_.size());
    double left = measure();
    if (rows == 0 || rows > settings.most_rows) return left;
    for (int k = 0; k < settings.steps && left > settings.enough; ++k) {
      const std::vector<double> q = q_;
      const std::vector<Point> points = points_;
      step(settings);
      const double now = measure();
      if (now < left) {
        left = now;
        continue;
      }
      q_ = q;
      points_ = points;
      break;
    }
    return left;
  }

  void write(CoupledPair& pair) const {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const double* q = q_.data() + 6 * i;
      pair.displacements[blocks_[i]] = {give_ * Vec3d{q[0], q[1], q[2]}, (give_ / length_) * Vec3d{q[3], q[4], q[5]}};
    }
    for (const Point& p : points_) {
      pair.forces[p.row] = weight_ * force(p);
      pair.alpha[p.row] = weight_ / give_ * p.alpha;
    }
  }

 private:
  void number_bodies() {
    double size = 0, mass = 0;
    body_of_.assign(assembly_.blocks.size(), -1);
    for (std::uint32_t i = 0; i < assembly_.blocks.size(); ++i) {
      if (assembly_.blocks[i].fixed) continue;
      body_of_[i] = static_cast<int>(blocks_.size());
      blocks_.push_back(i);
      size += assembly_.blocks[i].size;
      mass += assembly_.blocks[i].mass;
    }
    if (blocks_.empty()) return;
    length_ = size / double(blocks_.size());
    weight_ = mass / double(blocks_.size()) * norm(assembly_.gravity);
  }

  void list_points(const CoupledPair& pair) {
    std::size_t row = 0;
    for (const model::Interface& face : assembly_.interfaces)
      for (const Vec3d& p : face.polygon) {
        const Vec3d& f = pair.forces[row];
        const std::size_t at = row++;
        const Vec3d d = displacement_at(assembly_, face, pair, p), slip = d - dot(d, face.normal) * face.normal;
        if (!(dot(f, f) > 0)) continue;
        Point point{at,
                    body_of_[face.a],
                    body_of_[face.b],
                    (1 / length_) * (p - assembly_.blocks[face.a].com),
                    (1 / length_) * (p - assembly_.blocks[face.b].com),
                    face.normal,
                    dot(f, face.normal) / weight_,
                    0,
                    -1};
        if (pair.alpha[at] > 0 && dot(slip, slip) > 0) {
          point.alpha = pair.alpha[at] * give_ / weight_;
          point.slide = slides_++;
        }
        points_.push_back(point);
      }
  }

  Vec3d displacement(const Point& p) const {
    const auto of = [&](int body, const Vec3d& arm) {
      if (body < 0) return Vec3d{0, 0, 0};
      const double* q = q_.data() + 6 * static_cast<std::size_t>(body);
      return Vec3d{q[0], q[1], q[2]} + cross(Vec3d{q[3], q[4], q[5]}, arm);
    };
    return of(p.b, p.arm_b) - of(p.a, p.arm_a);
  }
  Vec3d slip(const Point& p) const {
    const Vec3d d = displacement(p);
    return d - dot(d, p.normal) * p.normal;
  }
  Vec3d force(const Point& p) const { return p.push * p.normal - p.alpha * slip(p); }

  template <class Add>
  static void for_bodies(const Point& p, const Vec3d& f, Add add) {
    const auto one = [&](int body, const Vec3d& arm, double sign) {
      if (body < 0) return;
      const Vec3d m = cross(arm, f);
      const double six[6] = {f.x, f.y, f.z, m.x, m.y, m.z};
      for (std::size_t k = 0; k < 6; ++k) add(6 * static_cast<std::size_t>(body) + k, sign * six[k]);
    };
    one(p.b, p.arm_b, 1);
    one(p.a, p.arm_a, -1);
  }

  /// What is asked minus what is there: openings first, then the balance.
  std::vector<double> residual() const {
    std::vector<double> r(points_.size() + q_.size(), 0.0);
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& p = points_[i];
      r[i] = -1 - dot(displacement(p), p.normal);
      for_bodies(p, force(p), [&](std::size_t row, double v) { r[points_.size() + row] -= v; });
    }
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
      const Vec3d load = (-assembly_.blocks[blocks_[i]].mass / weight_) * assembly_.gravity;
      r[points_.size() + 6 * i] += load.x;
      r[points_.size() + 6 * i + 1] += load.y;
      r[points_.size() + 6 * i + 2] += load.z;
    }
    return r;
  }

  double measure() const {
    double largest = 0;
    for (const double v : residual()) largest = std::max(largest, std::abs(v));
    return largest;
  }

  /// Least change of motion, pushes and alphas that mends the linearised equations: J'(J J' + shift)^-1 residual.
  void step(const PolishSettings& settings) {
    const std::size_t rows = points_.size() + q_.size(), columns = q_.size() + points_.size() + static_cast<std::size_t>(slides_);
    const std::vector<double> jacobian = linearise(rows, columns);
    std::vector<double> square(rows * rows, 0.0), y = residual();
    double largest = 0;
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        double sum = 0;
        for (std::size_t k = 0; k < columns; ++k) sum += jacobian[i * columns + k] * jacobian[j * columns + k];
        square[j * rows + i] = sum;
        if (i == j) largest = std::max(largest, sum);
      }
    for (std::size_t i = 0; i < rows; ++i) square[i * rows + i] += settings.regularization * largest;
    (void)linalg::factor_dense(square, static_cast<int>(rows), {});
    linalg::solve_dense(square, static_cast<int>(rows), y);
    std::vector<double> change(columns, 0.0);
    for (std::size_t i = 0; i < rows; ++i)
      for (std::size_t k = 0; k < columns; ++k) change[k] += jacobian[i * columns + k] * y[i];
    for (std::size_t k = 0; k < q_.size(); ++k) q_[k] += change[k];
    for (std::size_t i = 0; i < points_.size(); ++i) {
      Point& p = points_[i];
      p.push += change[q_.size() + i];
      if (p.slide >= 0) p.alpha += change[q_.size() + points_.size() + static_cast<std::size_t>(p.slide)];
    }
  }

  /// Adds to j the change of the balance by motion: minus alpha times the slip that a unit motion makes.
  void add_slip_by_motion(const Point& p, std::size_t columns, std::vector<double>& j) const {
    const std::size_t balance = points_.size();
    const Vec3d axes[3] = {{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Vec3d& axis : axes) {
      const Vec3d across = axis - dot(axis, p.normal) * p.normal;
      for_bodies(p, axis, [&](std::size_t row, double w) {
        for_bodies(p, across, [&](std::size_t k, double v) { j[(balance + row) * columns + k] -= p.alpha * w * v; });
      });
    }
  }

  std::vector<double> linearise(std::size_t rows, std::size_t columns) const {
    std::vector<double> j(rows * columns, 0.0);
    const std::size_t balance = points_.size();
    for (std::size_t i = 0; i < points_.size(); ++i) {
      const Point& p = points_[i];
      for_bodies(p, p.normal, [&](std::size_t k, double v) {
        j[i * columns + k] += v;                          // opening by motion
        j[(balance + k) * columns + q_.size() + i] += v;  // balance by push
      });
      if (p.slide < 0) continue;
      const std::size_t alpha = q_.size() + points_.size() + static_cast<std::size_t>(p.slide);
      for_bodies(p, slip(p), [&](std::size_t k, double v) { j[(balance + k) * columns + alpha] -= v; });
      add_slip_by_motion(p, columns, j);
    }
    return j;
  }

  const model::Assembly& assembly_;
  double give_, length_ = 1, weight_ = 1;
  std::vector<int> body_of_;
  std::vector<std::uint32_t> blocks_;
  std::vector<double> q_;
  std::vector<Point> points_;
  int slides_ = 0;
};

}  // namespace

CoupledPair::CoupledPair(const model::Assembly& assembly)
    : forces(first_vertices(assembly).back(), Vec3d{0, 0, 0}), displacements(assembly.blocks.size()), alpha(forces.size(), 0.0) {}

std::vector<std::size_t> first_vertices(const model::Assembly& assembly) {
  std::vector<std::size_t> first{0};
  for (const model::Interface& face : assembly.interfaces) first.push_back(first.back() + face.polygon.size());
  return first;
}

Vec3d displacement_at(const model::Assembly& assembly, const model::Interface& face, const CoupledPair& pair, const Vec3d& p) {
  const auto of = [&](std::uint32_t block) {
    const certify::Velocity& v = pair.displacements[block];
    return v.linear + cross(v.angular, p - assembly.blocks[block].com);
  };
  return of(face.b) - of(face.a);
}

double polish_pair(const model::Assembly& assembly, double give, const PolishSettings& settings, CoupledPair& pair) {
  Polish polish(assembly, give, pair);
  const double left = polish.run(settings);
  polish.write(pair);
  return left;
}

}  // namespace trilith::statics
