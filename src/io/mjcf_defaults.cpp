#include "io/mjcf_reader.h"

namespace trilith::io {
namespace {

void read_entry(MjcfReader& reader, const XmlElement& e, MjcfClass& into) {
  if (e.name == "joint") read_joint(reader, e, into.joint);
  if (e.name == "geom") read_geom(reader, e, into.geom);
  if (e.name == "site") read_site(reader, e, into.site);
  if (e.name == "pair") read_pair(reader, e, into.pair);
  if (e.name == "equality") read_equality_base(reader, e, into.equality);
  if (e.name == "tendon") read_tendon(reader, e, into.tendon);
  if (e.name == "mesh") read_mesh_class(reader, e, into.mesh);
  if (e.name == "material") read_rgba(reader, e, into.rgba);
  for (const std::string_view kind : {"general", "motor", "position", "velocity", "intvelocity", "damper", "cylinder"})
    if (e.name == kind) read_actuator(reader, e, into.actuator);
}

}  // namespace

void read_default(MjcfReader& reader, const XmlElement& section, MjcfClass* parent) {
  std::string name;
  reader.fields.read_name(section, "class", name);
  MjcfClass* own = &reader.classes.front();
  if (parent == nullptr) {
    if (!name.empty() && name != "main")
      reader.fields.fail("is at the top, where the class is \"main\" and has no other name", section, "class");
  } else {
    if (name.empty()) return reader.fields.fail("needs a class name", section);
    if (const auto known = reader.class_by_name_.find(name); known != reader.class_by_name_.end())
      return reader.fields.fail(
          in_quotes(name) + " is a class already" + (known->second->where.empty() ? "" : ", at " + known->second->where), section, "class");
    // a class begins as what its parent is when it has been read
    own = &reader.classes.emplace_back(*parent);
    own->name = name;
    own->where = place_of(section);
    reader.class_by_name_.emplace(name, own);
  }
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next) read_entry(reader, *e, *own);
  for (const XmlElement* e = section.first_child; e != nullptr; e = e->next)
    if (e->name == "default") read_default(reader, *e, own);
}

}  // namespace trilith::io
