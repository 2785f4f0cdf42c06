// (CRA-15), (CRA-16)
#include "statics/coupled_program.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "linalg/fixed.h"

namespace trilith::statics {
namespace {

constexpr double no_bound = 1e20;
constexpr double pi = 3.14159265358979323846;

/// Variables and rows that both programs share. Units: mean weight, mean size, give.
class Builder {
 public:
  Builder(const model::Assembly& assembly, double give, double block_bound) : assembly_(assembly), give_(give) {
    double size = 0, mass = 0;
    std::size_t free = 0;
    for (const model::Block& block : assembly.blocks) {
      if (block.fixed) continue;
      size += block.size;
      mass += block.mass;
      ++free;
    }
    length = size / double(std::max<std::size_t>(1, free));
    weight = mass / double(std::max<std::size_t>(1, free)) * norm(assembly.gravity);
    for (const model::Block& block : assembly.blocks) {
      first_motion.push_back(block.fixed ? -1 : static_cast<int>(program.cost.size()));
      for (int k = 0; k < 6 && !block.fixed; ++k) program.add_variable(0, -block_bound, block_bound);
    }
    add_balance_rows();
  }

  /// row += factor * (push n + t1 + t2 terms) of the wrench of `variable` along `axis` at p, on both bodies.
  void add_wrench(const model::Interface& face, const Vec3d& p, const Vec3d& axis, int variable, double factor) {
    for_motion(face, p, axis, [&](int motion, double v) { program.linear.push_back({balance(motion), variable, factor * v}); });
  }
  /// row += factor * d_axis
  void add_displacement(const model::Interface& face, const Vec3d& p, const Vec3d& axis, int row, double factor) {
    for_motion(face, p, axis, [&](int motion, double v) { program.linear.push_back({row, motion, factor * v}); });
  }
  /// row += variable * d_axis
  void add_product(const model::Interface& face, const Vec3d& p, const Vec3d& axis, int row, int variable) {
    for_motion(face, p, axis, [&](int motion, double v) { program.bilinear.push_back({row, variable, motion, v}); });
  }

  /// f_t + alpha d_t = 0, push (d_n + 1) = 0 and d_n >= -1 at one vertex.
  void couple(const model::Interface& face, const Vec3d& p, int push, const int (&tangent)[2], int alpha) {
    const Vec3d axes[2] = {face.t1, face.t2};
    for (int k = 0; k < 2; ++k) {
      const int row = program.add_row(0, 0);
      program.linear.push_back({row, tangent[k], 1});
      add_product(face, p, axes[k], row, alpha);
    }
    const int pressed = program.add_row(0, 0);
    program.linear.push_back({pressed, push, 1});
    add_product(face, p, face.normal, pressed, push);
    add_displacement(face, p, face.normal, program.add_row(-1, no_bound), 1);
  }

  const model::Assembly& assembly() const { return assembly_; }
  double give() const { return give_; }
  certify::Velocity motion_of(std::size_t block, const std::vector<double>& x) const {
    if (first_motion[block] < 0) return {};
    const double* q = x.data() + first_motion[block];
    return {give_ * Vec3d{q[0], q[1], q[2]}, (give_ / length) * Vec3d{q[3], q[4], q[5]}};
  }

  solve::BilinearProgram program;
  std::vector<int> first_motion;  // per block, -1: fixed
  double length = 1, weight = 1;

 private:
  int balance(int motion) const { return motion; }  // the motions come first, and so do their rows

  void add_balance_rows() {
    for (const model::Block& block : assembly_.blocks) {
      if (block.fixed) continue;
      const Vec3d load = (-block.mass / weight) * assembly_.gravity;
      for (const double v : {load.x, load.y, load.z, 0.0, 0.0, 0.0}) program.add_row(v, v);
    }
  }

  template <class Use>
  void for_motion(const model::Interface& face, const Vec3d& p, const Vec3d& axis, Use use) const {
    const auto body = [&](std::uint32_t block, double sign) {
      if (first_motion[block] < 0) return;
      const Vec3d turn = cross((1 / length) * (p - assembly_.blocks[block].com), axis);
      const double six[6] = {axis.x, axis.y, axis.z, turn.x, turn.y, turn.z};
      for (int k = 0; k < 6; ++k)
        if (six[k] != 0) use(first_motion[block] + k, sign * six[k]);
    };
    body(face.b, 1);
    body(face.a, -1);
  }

  const model::Assembly& assembly_;
  double give_;
};

/// The variables of one vertex of Eq. 11.
struct Corner {
  int push, tangent[2], alpha;
};

std::vector<Corner> add_corners(const model::Assembly& assembly, double bound, double cone_room, Builder& b) {
  std::vector<Corner> corners;
  for (const model::Interface& face : assembly.interfaces)
    for (const Vec3d& p : face.polygon) {
      Corner c{b.program.add_variable(1, 0, no_bound), {}, 0};
      const double free = face.mu > 0 ? no_bound : 0;
      for (int& t : c.tangent) t = b.program.add_variable(0, -free, free);
      c.alpha = b.program.add_variable(1, 0, free);
      b.add_wrench(face, p, face.normal, c.push, 1);
      b.add_wrench(face, p, face.t1, c.tangent[0], 1);
      b.add_wrench(face, p, face.t2, c.tangent[1], 1);
      const int cone = b.program.add_row(-no_bound, 0);
      for (const int t : c.tangent) b.program.bilinear.push_back({cone, t, t, 1});
      b.program.bilinear.push_back({cone, c.push, c.push, -face.mu * face.mu * (1 - 2 * cone_room)});
      b.couple(face, p, c.push, c.tangent, c.alpha);
      for (const Vec3d& axis : {face.normal, face.t1, face.t2}) b.add_displacement(face, p, axis, b.program.add_row(-bound, bound), 1);
      corners.push_back(c);
    }
  return corners;
}

std::vector<double> start_from(const model::Assembly& assembly, const Builder& b, const std::vector<Corner>& corners,
                               std::span<const Vec3d> forces, const CoupledPair* pair, double give) {
  std::vector<double> x(b.program.cost.size(), 0.0);
  std::size_t v = 0;
  for (const model::Interface& face : assembly.interfaces)
    for (std::size_t k = 0; k < face.polygon.size(); ++k, ++v) {
      if (v >= forces.size()) continue;
      const Vec3d f = (1 / b.weight) * forces[v];
      x[static_cast<std::size_t>(corners[v].push)] = dot(f, face.normal);
      x[static_cast<std::size_t>(corners[v].tangent[0])] = dot(f, face.t1);
      x[static_cast<std::size_t>(corners[v].tangent[1])] = dot(f, face.t2);
      if (pair != nullptr) x[static_cast<std::size_t>(corners[v].alpha)] = pair->alpha[v] * give / b.weight;
    }
  for (std::size_t i = 0; i < assembly.blocks.size() && pair != nullptr; ++i) {
    if (b.first_motion[i] < 0) continue;
    const certify::Velocity& d = pair->displacements[i];
    const double six[6] = {d.linear.x, d.linear.y, d.linear.z, b.length * d.angular.x, b.length * d.angular.y, b.length * d.angular.z};
    for (int k = 0; k < 6; ++k) x[static_cast<std::size_t>(b.first_motion[i] + k)] = six[k] / give;
  }
  return x;
}

void write_pair(const Builder& b, const std::vector<Corner>& corners, const std::vector<double>& x, double least_fraction,
                CoupledPair& pair) {
  const model::Assembly& assembly = b.assembly();
  const double give = b.give();
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) pair.displacements[i] = b.motion_of(i, x);
  double largest = 0;
  for (const Corner& c : corners) largest = std::max(largest, x[static_cast<std::size_t>(c.push)]);
  std::size_t v = 0;
  for (const model::Interface& face : assembly.interfaces)
    for (const Vec3d& p : face.polygon) {
      const double push = x[static_cast<std::size_t>(corners[v].push)];
      pair.forces[v] = {0, 0, 0};
      pair.alpha[v] = 0;
      if (push > least_fraction * largest) {
        pair.alpha[v] = std::max(0.0, x[static_cast<std::size_t>(corners[v].alpha)]) * b.weight / give;
        const Vec3d d = displacement_at(assembly, face, pair, p);
        pair.forces[v] = (b.weight * push) * face.normal - pair.alpha[v] * (d - dot(d, face.normal) * face.normal);
      }
      ++v;
    }
}

}  // namespace

CoupledProgramReport solve_coupled_program(const model::Assembly& assembly, std::span<const Vec3d> forces, const CoupledLengths& lengths,
                                           const CoupledProgramSettings& settings, const Deadline& deadline, CoupledPair& pair) {
  CoupledProgramReport report;
  const double give = lengths.give;
  Builder b(assembly, give, no_bound);
  const std::vector<Corner> corners = add_corners(assembly, lengths.bound, settings.cone_room, b);
  const std::vector<double> starts[] = {start_from(assembly, b, corners, pair.forces, &pair, give),
                                        start_from(assembly, b, corners, forces, nullptr, give),
                                        start_from(assembly, b, corners, {}, nullptr, give)};
  for (const std::vector<double>& start : starts) {
    const solve::IpoptReport found = solve::solve_ipopt(b.program, start, settings.ipopt, deadline);
    ++report.starts;
    report.iterations += found.iterations;
    report.status = found.status;
    report.reason = std::string("IPOPT: ") + found.word + "; local, no verdict";
    if (found.status != SolveStatus::solved && found.status != SolveStatus::solved_inaccurate) continue;
    write_pair(b, corners, found.x, settings.least_fraction, pair);
    report.status = SolveStatus::solved;
    return report;
  }
  return report;
}

PenaltyReport cra_penalty(const model::Assembly& assembly, const PenaltySettings& settings, const Deadline& deadline) {
  PenaltyReport report;
  Builder b(assembly, settings.give_m, settings.displacement_m / settings.give_m);
  struct Variables {
    int push, pull, tangent[2], slip;
  };
  std::vector<Variables> corners;
  for (const model::Interface& face : assembly.interfaces)
    for (const Vec3d& p : face.polygon) {
      Variables c{b.program.add_variable(1, 0, no_bound), b.program.add_variable(settings.pull_cost, 0, no_bound), {}, 0};
      for (int& t : c.tangent) t = b.program.add_variable(0, -no_bound, no_bound);
      c.slip = b.program.add_variable(1, 0, no_bound);
      b.add_wrench(face, p, face.normal, c.push, 1);
      b.add_wrench(face, p, face.normal, c.pull, -1);
      b.add_wrench(face, p, face.t1, c.tangent[0], 1);
      b.add_wrench(face, p, face.t2, c.tangent[1], 1);
      for (int k = 0; k < settings.faces; ++k) {
        const double angle = 2 * pi * k / settings.faces;
        const int row = b.program.add_row(-no_bound, 0);
        b.program.linear.push_back({row, c.tangent[0], cos(angle)});
        b.program.linear.push_back({row, c.tangent[1], sin(angle)});
        b.program.linear.push_back({row, c.push, -face.mu});
      }
      b.program.bilinear.push_back({b.program.add_row(0, 0), c.push, c.pull, 1});
      b.couple(face, p, c.push, c.tangent, c.slip);
      corners.push_back(c);
    }
  // from unit forces on sunk blocks, then from rest: a start without force or motion is a stationary point of the products
  std::vector<double> start(b.program.cost.size(), 0.0);
  for (const Variables& c : corners) start[static_cast<std::size_t>(c.push)] = start[static_cast<std::size_t>(c.slip)] = 1;
  for (const int first : b.first_motion)
    if (first >= 0) start[static_cast<std::size_t>(first + 2)] = -1;
  solve::IpoptReport found = solve::solve_ipopt(b.program, start, settings.ipopt, deadline);
  const auto done = [](const solve::IpoptReport& r) {
    return r.status == SolveStatus::solved || r.status == SolveStatus::solved_inaccurate;
  };
  if (!done(found) && !found.x.empty()) {
    solve::IpoptReport again = solve::solve_ipopt(b.program, std::vector<double>(start.size(), 0.0), settings.ipopt, deadline);
    if (done(again) || again.misfit < found.misfit) found = std::move(again);
  }
  report.status = found.status;
  report.iterations = found.iterations;
  report.reason = found.word;
  if (found.x.empty()) return report;
  report.residual = found.misfit;
  report.objective = found.objective * b.weight * b.weight;
  for (const Variables& c : corners) {
    const auto at = [&](int variable) { return found.x[static_cast<std::size_t>(variable)]; };
    report.vertices.push_back({b.weight * at(c.push), b.weight * at(c.pull), b.weight * at(c.tangent[0]), b.weight * at(c.tangent[1]),
                               b.weight / settings.give_m * at(c.slip)});
    report.largest_push_N = std::max(report.largest_push_N, report.vertices.back().push);
    report.largest_pull_N = std::max(report.largest_pull_N, report.vertices.back().pull);
  }
  for (std::size_t i = 0; i < assembly.blocks.size(); ++i) report.displacements.push_back(b.motion_of(i, found.x));
  return report;
}

}  // namespace trilith::statics
