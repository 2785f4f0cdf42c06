#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

void read_euler_sequence(MjcfReader& reader, const XmlElement& e) {
  const XmlAttribute* found = e.find("eulerseq");
  if (found == nullptr) return;
  if (found->value.size() != 3 || found->value.find_first_not_of("xyzXYZ") != std::string_view::npos)
    return reader.fields.fail("is " + in_quotes(found->value) + "; it takes three of the letters x, y, z, X, Y, Z", e, "eulerseq");
  for (std::size_t i = 0; i < 3; ++i) reader.compiler.euler_sequence.axes[i] = found->value[i];
}

// what a file may ask of MuJoCo's compiler without changing the motion
void tell_unchanged(MjcfReader& reader, const XmlElement& e) {
  bool on = false;
  if (reader.fields.read(e, "fusestatic", on) && on)
    reader.fields.count("fusestatic: bodies without joints stay bodies of their own, the motion is the same", e);
  on = false;
  if (reader.fields.read(e, "alignfree", on) && on)
    reader.fields.count("alignfree: free bodies keep the frames of the file, and coordinates of free joints are those of these frames", e);
  on = false;
  if (reader.fields.read(e, "discardvisual", on) && on)
    reader.fields.count("discardvisual: shapes without contact stay for viewers, the motion is the same", e);
}

void read_mass_rules(MjcfReader& reader, const XmlElement& e) {
  model::InertiaRules& rules = reader.out.inertia_rules;
  constexpr std::string_view words[] = {"false", "auto", "true"};
  if (const auto word = reader.fields.read_word(e, "inertiafromgeom", words))
    rules.from_shapes = static_cast<model::InertiaRules::FromShapes>(*word);
  reader.fields.read(e, "balanceinertia", rules.balance);
  if (reader.fields.read(e, "boundmass", rules.least_mass) && rules.least_mass < 0)
    reader.fields.fail("must not be negative", e, "boundmass");
  if (reader.fields.read(e, "boundinertia", rules.least_inertia) && rules.least_inertia < 0)
    reader.fields.fail("must not be negative", e, "boundinertia");
  double total = 0;
  if (reader.fields.read(e, "settotalmass", total)) rules.total_mass = total > 0 ? std::optional(total) : std::nullopt;
  std::array<double, 2> groups{};
  if (!reader.fields.read(e, "inertiagrouprange", groups)) return;
  constexpr double most = 1000;
  for (const double group : groups)
    if (group != static_cast<double>(static_cast<std::int32_t>(group)) || group < -most || group > most)
      return reader.fields.fail("takes two whole numbers", e, "inertiagrouprange");
  rules.first_group = static_cast<std::int32_t>(groups[0]);
  rules.last_group = static_cast<std::int32_t>(groups[1]);
}

}  // namespace

void read_compiler(MjcfReader& reader, const XmlElement& section) {
  MjcfCompiler& compiler = reader.compiler;
  XmlFields& fields = reader.fields;
  constexpr std::string_view angles[] = {"radian", "degree"};
  if (const auto word = fields.read_word(section, "angle", angles)) compiler.degrees = *word == 1;
  constexpr std::string_view coordinates[] = {"local", "global"};
  if (const auto word = fields.read_word(section, "coordinate", coordinates); word && *word == 1)
    fields.fail("is \"global\", which is not read: MuJoCo 2.3.3 and older write such files in local coordinates", section, "coordinate");
  fields.read(section, "autolimits", compiler.auto_limits);
  fields.read(section, "strippath", compiler.strip_path);
  fields.read(section, "fitaabb", compiler.fit_box);
  read_euler_sequence(reader, section);
  if (fields.read_text(section, "assetdir", compiler.mesh_folder)) compiler.texture_folder = compiler.mesh_folder;
  fields.read_text(section, "meshdir", compiler.mesh_folder);
  fields.read_text(section, "texturedir", compiler.texture_folder);
  read_mass_rules(reader, section);
  tell_unchanged(reader, section);
}

}  // namespace trilith::io
