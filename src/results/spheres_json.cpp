#include "results/spheres_json.h"

#include <fmt/format.h>

#include "base/text.h"
#include "results/check_json.h"

namespace trilith::results {
namespace {

using io::Json;

const std::string& name_of(const model::Model& model, const model::BodyCover& cover) {
  return model.bodies[static_cast<std::size_t>(cover.body)].name;
}

}  // namespace

io::Json spheres_json(const model::Model& model, const SpheresAnswer& answer) {
  Json::Object links, excess;
  for (const model::BodyCover& cover : answer.covers) {
    Json::Array rows;
    for (const geom::Sphere& s : cover.spheres) rows.push_back(Json::Array{s.center.x, s.center.y, s.center.z, s.radius});
    links.emplace_back(name_of(model, cover), std::move(rows));
    excess.emplace_back(name_of(model, cover), cover.excess);
  }
  const Json settings = Json::Object{{"excess_m", answer.settings.excess}, {"count", answer.settings.most}};
  return Json::Object{{"schema", "trilith.spheres/1"},
                      {"engine", TRILITH_VERSION},
                      {"input", model.source},
                      {"input_sha256", model.sha256},
                      {"settings", settings},
                      {"robot", model.name},
                      {"what", "spheres that cover the collision shapes; [x, y, z, r] in the link's frame, metres"},
                      {"links", std::move(links)},
                      {"excess_m", std::move(excess)},
                      {"warnings", warnings_json(answer.warnings)}};
}

std::string spheres_text(const model::Model& model, const SpheresAnswer& answer) {
  std::string text;
  std::size_t total = 0;
  for (const model::BodyCover& cover : answer.covers) {
    total += cover.spheres.size();
    text += fmt::format("  {:<24} {:>4} spheres, at most {:.4g} m beyond its shapes{}\n", escape(name_of(model, cover)),
                        cover.spheres.size(), cover.excess, cover.reached ? "" : " (more than asked: allow more with --count)");
  }
  if (answer.covers.empty()) return fmt::format("{} has no shapes that touch anything.\n", escape(model.source));
  return fmt::format("{}: {} spheres cover the surfaces of {} links.\n{}", escape(model.source), total, answer.covers.size(), text);
}

}  // namespace trilith::results
