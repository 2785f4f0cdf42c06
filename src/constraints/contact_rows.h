#pragma once
#include <span>
#include <vector>

#include "model/assembly.h"
#include "rows/patch_rows.h"

namespace trilith::constraints {

/// The contact patches of an assembly as rows, normalised (RBE-5): forces in `weight_N`, lengths in `length_m`, patch points about the
/// patch's own first vertex and arms from the centres of mass, so that site coordinates cost no digits. Unknowns: 6 per free block.
struct ContactRows {
  rows::PatchRows rows;
  /// b of A f = b (RBE-2): minus the weight (gravity is any vector) and the external loads, per free body; where joints can pull, of
  /// A g = b with g = f + c n, that is with A c n added (LIM-1).
  std::vector<double> load;
  /// c of every point at its n component, lane layout; empty: no joint pulls. Solvers see g, in the plain cones; write_forces gives f.
  std::vector<double> shift;
  double total = 0;                ///< weight and sizes of the loads, sum
  double capacity = 0;             ///< sum of c
  std::vector<int> body_of_block;  ///< block to free body; -1: fixed
  std::vector<int> block_of_body;
  std::vector<int> interface_of_patch;  ///< patch to interface; interfaces between two fixed blocks have none
  std::vector<int> first_vertex;        ///< interface to its first entry in per-vertex arrays; size interfaces + 1
  double weight_N = 1;  ///< mean weight of the free blocks, or a share of their loads where that is more; 1 where there is neither (RBE-5)
  double length_m = 1;  ///< mean size of the free blocks; 1 where there is none
};

ContactRows make_contact_rows(const model::Assembly& assembly);

/// Takes the joints' pull out again, as if none could: load and shift are those of joints that only press.
void drop_pull(ContactRows& contacts, const model::Assembly& assembly);

/// Takes `factor` times the wrench of `load` out of `vector` (6 per free body): what the contacts have to carry grows by it.
void add_load(const ContactRows& contacts, const model::Assembly& assembly, const model::Load& load, double factor,
              std::span<double> vector);

/// Mass matrix of the free bodies about their centres of mass in the same units, so that load = mass times minus gravity over |gravity|: a
/// symmetric 6 x 6 block per body (mass, then inertia), 36 numbers each.
std::vector<double> make_mass_blocks(const ContactRows& contacts, const model::Assembly& assembly);

/// Row vector g to (n, t1, t2) of f = g - c n in N per polygon vertex of every interface, in order (first_vertex). Interfaces between fixed
/// blocks get zero.
void write_forces(const ContactRows& contacts, std::span<const double> force, std::span<Vec3d> contact_N);

/// The same in world axes, acting on block b of the interface.
void write_world_forces(const ContactRows& contacts, const model::Assembly& assembly, std::span<const double> force,
                        std::span<Vec3d> world_N);

/// The way back of write_forces: (n, t1, t2) in N per polygon vertex of every interface to a row vector; unused lanes get zero.
void write_rows(const ContactRows& contacts, std::span<const Vec3d> contact_N, std::span<double> force);

/// Velocities of the free bodies (6 per body, normalised lengths) to m/s and rad/s per block of the assembly, about its centre of mass;
/// zero for fixed blocks.
void write_velocities(const ContactRows& contacts, std::span<const double> velocity, std::span<Vec3d> linear, std::span<Vec3d> angular);

}  // namespace trilith::constraints
