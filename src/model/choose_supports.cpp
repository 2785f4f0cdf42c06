// Implements (GEO-10): which blocks are supports.
#include <algorithm>
#include <limits>

#include "base/text.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"

namespace trilith::model {
namespace {

constexpr std::size_t most_named = 8;

std::string list_names(const std::vector<std::string>& names) {
  std::string text;
  for (std::size_t i = 0; i < std::min(names.size(), most_named); ++i) text += (i > 0 ? ", " : "") + escape(names[i]);
  return names.size() > most_named ? text + " and " + std::to_string(names.size() - most_named) + " more" : text;
}

void fix_by_flag(const AssemblyOptions& options, Assembly& assembly, Findings& findings) {
  std::vector<std::string_view> ids;
  ids.reserve(assembly.blocks.size());
  for (const Block& block : assembly.blocks) ids.push_back(block.id);
  for (const std::string& id : options.fixed) {
    const auto block = std::ranges::find(assembly.blocks, id, &Block::id);
    if (block == assembly.blocks.end()) {
      const std::string_view near = nearest_name(id, ids);
      findings.refuse("there is no " + quoted_block(id) + (near.empty() ? "" : "; did you mean \"" + escape(near) + "\"?"), "--fixed");
    } else if (!block->fixed) {
      block->fixed = true;
      assembly.supports_added.push_back(id);
    }
  }
}

/// Lowest and highest point of a mesh along `up`, measured from `origin`.
std::pair<double, double> reach(const geom::Mesh& mesh, const Vec3d& origin, const Vec3d& up) {
  double low = std::numeric_limits<double>::infinity(), high = -low;
  for (const Vec3d& p : mesh.vertices) {
    low = std::min(low, dot(p - origin, up));
    high = std::max(high, dot(p - origin, up));
  }
  return {low, high};
}

/// The stated rule: the blocks whose lowest point, along gravity, is within tolerance of the lowest point of all.
void fix_lowest(const AssemblyLimits& limits, Assembly& assembly, Findings& findings) {
  const Vec3d up = norm(assembly.gravity) > 0 ? unit(-assembly.gravity) : Vec3d{0, 0, 1};
  // a block whose mesh was refused has no vertices and reaches nowhere
  const auto first = std::ranges::find_if(assembly.blocks, [](const Block& block) { return !block.mesh.vertices.empty(); });
  if (first == assembly.blocks.end()) return;
  const Vec3d origin = first->mesh.vertices[0];
  double lowest = std::numeric_limits<double>::infinity(), highest = -lowest;
  std::vector<double> foot;
  for (const Block& block : assembly.blocks) {
    const auto [low, high] = reach(block.mesh, origin, up);
    foot.push_back(low);
    lowest = std::min(lowest, low);
    highest = std::max(highest, high);
  }
  for (std::size_t i = 0; i < foot.size(); ++i) {
    if (!(foot[i] - lowest <= limits.support_tolerance * (highest - lowest))) continue;
    assembly.blocks[i].fixed = true;
    assembly.supports_added.push_back(assembly.blocks[i].id);
  }
  findings.warn("no supports given: the lowest blocks along gravity are taken as supports: " + list_names(assembly.supports_added),
                assembly.source);
}

}  // namespace

void choose_supports(const Setup& setup, Assembly& assembly, Findings& findings) {
  fix_by_flag(setup.options, assembly, findings);
  if (assembly.blocks.empty()) return;
  if (std::ranges::none_of(assembly.blocks, &Block::fixed)) fix_lowest(setup.limits, assembly, findings);
  if (std::ranges::all_of(assembly.blocks, &Block::fixed))
    findings.warn("all blocks are supports: nothing is left to check", assembly.source);
}

}  // namespace trilith::model
