// External loads: forces on blocks beside their weight.
#include <unordered_map>

#include "base/text.h"
#include "geom/polygon.h"
#include "linalg/fixed.h"
#include "model/assembly_steps.h"

namespace trilith::model {
namespace {

class LoadChecker {
 public:
  LoadChecker(const Setup& setup, Assembly& assembly, Findings& findings)
      : limits_(setup.limits),
        scale_(setup.scale),
        assembly_(assembly),
        findings_(findings),
        turned_(findings, setup.limits.most_told, "pressures turned to push into their block") {
    for (std::uint32_t i = 0; i < assembly.blocks.size(); ++i) {
      index_.emplace(assembly.blocks[i].id, i);
      ids_.push_back(assembly.blocks[i].id);
    }
  }

  void run(const std::vector<LoadInput>& given, const std::string& source) {
    for (const LoadInput& load : given) add(load);
    turned_.finish(source);
  }

 private:
  void add(const LoadInput& given) {
    const auto found = index_.find(given.block);
    if (found == index_.end()) {
      const std::string_view near = nearest_name(given.block, ids_);
      return findings_.refuse("there is no " + quoted_block(given.block) + (near.empty() ? "" : "; did you mean \"" + escape(near) + "\"?"),
                              given.where + "/block");
    }
    if (given.force.has_value() == given.pressure.has_value())
      return findings_.refuse("a load needs force_N or pressure_Pa, one of the two", given.where);
    if (given.point && !given.polygon.empty()) return findings_.refuse("a load has a point or a polygon, not both", given.where);
    if (given.pressure && given.polygon.empty()) return findings_.refuse("pressure_Pa needs a polygon", given.where);
    Load load{found->second, given.force.value_or(Vec3d{}), assembly_.blocks[found->second].com, !given.point && given.polygon.empty()};
    if (given.point && !take_point(*given.point, given.where + "/point", load.point)) return;
    if (!given.polygon.empty() && !take_polygon(given, load)) return;
    if (!(largest_component(load.force) <= limits_.largest_magnitude))
      return findings_.refuse("a load must be finite and at most " + format_quantity(limits_.largest_magnitude, "N"), given.where);
    if (assembly_.blocks[load.block].fixed)
      return findings_.warn("left out: a load on a support, " + quoted_block(given.block) + ", moves nothing", given.where);
    assembly_.loads.push_back(load);
  }

  bool take_point(const Vec3d& given, const std::string& where, Vec3d& out) {
    out = scale_.to_metres(given);
    if (is_finite(out) && largest_component(out) <= limits_.largest_coordinate) return true;
    findings_.refuse("a load must act at a finite place within " + format_quantity(limits_.largest_coordinate, "m"), where);
    return false;
  }

  /// An even load has its resultant at the centroid; a pressure pushes towards the block's centre of mass.
  bool take_polygon(const LoadInput& given, Load& load) {
    const std::string where = given.where + "/polygon";
    std::vector<Vec3d> polygon;
    for (const Vec3d& corner : given.polygon)
      if (!take_point(corner, where, polygon.emplace_back())) return false;
    const Vec3d area = geom::area_vector(polygon);
    if (polygon.size() < 3 || !(norm(area) > 0)) {
      findings_.refuse("the polygon of a load needs an area", where);
      return false;
    }
    load.point = geom::polygon_centroid(polygon);
    if (!given.pressure) return true;
    const bool inward = dot(area, load.point - assembly_.blocks[load.block].com) < 0;
    if (inward) turned_.add("the polygon of a pressure ran clockwise seen from outside; turned, so that it pushes into the block", where);
    load.force = (inward ? *given.pressure : -*given.pressure) * area;
    return true;
  }

  const AssemblyLimits& limits_;
  const UnitScale scale_;
  Assembly& assembly_;
  Findings& findings_;
  Tally turned_;
  std::unordered_map<std::string_view, std::uint32_t> index_;
  std::vector<std::string_view> ids_;
};

}  // namespace

void check_loads(const AssemblyInput& input, const Setup& setup, Assembly& assembly, Findings& findings) {
  if (!input.loads.empty()) LoadChecker(setup, assembly, findings).run(input.loads, input.source + ":/loads");
}

}  // namespace trilith::model
