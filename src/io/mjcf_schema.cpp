#include "io/mjcf_schema.h"

#include <algorithm>
#include <map>

#include "base/check.h"
#include "base/text.h"

namespace trilith::io {
namespace {

constexpr MjcfRule rules[] = {
    {"mujoco", "model",
     "compiler option ~size ~statistic ~visual default ~extension asset worldbody deformable contact tendon equality actuator sensor "
     "~custom "
     "keyframe"},
    {"compiler",
     "autolimits boundmass boundinertia settotalmass balanceinertia strippath coordinate angle fitaabb eulerseq meshdir texturedir "
     "discardvisual ~usethread fusestatic inertiafromgeom inertiagrouprange ~saveinertial assetdir alignfree ~conflict ?convexhull=true "
     "?exactmeshinertia=false",
     "~lengthrange"},
    {"option",
     "timestep impratio tolerance ls_tolerance noslip_tolerance ~ccd_tolerance ~sleep_tolerance gravity wind magnetic density viscosity "
     "o_margin o_solref o_solimp o_friction integrator cone ~jacobian solver iterations ls_iterations noslip_iterations ~ccd_iterations "
     "~sdf_iterations ~sdf_initpoints ?actuatorgroupdisable ~apirate ~mpr_tolerance ~mpr_iterations ?collision=all",
     "flag"},
    {"flag",
     "constraint equality frictionloss limit contact passive spring damper gravity clampctrl warmstart filterparent actuation refsafe "
     "sensor ~midphase ~sensornoise eulerdamp ~autoreset ~nativeccd ~island ~multiccd override ~energy ~fwdinv ~invdiscrete ?sleep=disable "
     "?diagexact=disable",
     ""},
    {"any", "*", "*"},
    {"statistic", "?meaninertia ~meanmass ~meansize ~extent ~center", ""},
    {"default", "class",
     "default mesh material joint=default.joint geom=default.geom site=default.site ~camera=any ~light=any pair=default.pair "
     "equality=default.equality tendon=default.tendon general=default.general motor=default.motor position=default.position "
     "velocity=default.velocity intvelocity=default.intvelocity damper=default.damper cylinder=default.cylinder !muscle !adhesion "
     "!dcmotor !pid !orientation"},
    {"asset", "", "mesh hfield ~skin=any ~texture=any material !model"},
    {"mesh",
     "name class ~content_type file vertex ~normal ~texcoord face refpos refquat scale ~smoothnormal ~maxhullvert inertia !builtin !params "
     "~material",
     "!plugin"},
    {"hfield", "name ~content_type file nrow ncol size elevation", ""},
    {"material", "name class ~texture ~texrepeat ~texuniform ~emission ~specular ~shininess ~reflectance ~metallic ~roughness rgba",
     "~layer=any"},
    {"orientation", "quat axisangle xyaxes zaxis euler", ""},
    {"worldbody", "", "body frame replicate geom site ~camera=any ~light=any !attach !composite !flexcomp !plugin"},
    {"body", "name childclass pos @orientation mocap gravcomp ?sleep=auto ~simple ~user",
     "body frame replicate inertial joint freejoint geom site ~camera=any ~light=any !attach !composite !flexcomp !plugin"},
    {"frame", "name childclass pos @orientation",
     "body frame replicate inertial joint freejoint geom site ~camera=any ~light=any !attach !composite !flexcomp !plugin"},
    {"replicate", "count offset euler sep childclass",
     "body frame replicate inertial joint geom site ~camera=any ~light=any !attach !composite !plugin"},
    {"inertial", "pos @orientation mass diaginertia fullinertia", ""},
    {"default.joint",
     "type ~group pos axis springdamper limited actuatorfrclimited solreflimit solimplimit solreffriction solimpfriction stiffness range "
     "actuatorfrcrange actuatorgravcomp margin ref springref armature damping frictionloss ~user",
     ""},
    {"joint", "name class @default.joint", ""},
    {"freejoint", "name ~group align", ""},
    {"default.geom",
     "type contype conaffinity condim group priority size material friction mass density shellinertia solmix solref solimp margin gap "
     "?surfacevel ?adhesion fromto pos @orientation hfield mesh fitscale rgba ?fluidshape=none ~fluidcoef ~user",
     "!plugin"},
    {"geom", "name class @default.geom", "!plugin"},
    {"default.site", "type group pos @orientation ~material size fromto ~rgba ~user", ""},
    {"site", "name class @default.site", ""},
    {"deformable", "", "!flex ~skin=any"},
    {"contact", "", "pair exclude"},
    {"default.pair", "condim friction solref solreffriction solimp gap margin ?adhesion", ""},
    {"pair", "name class geom1 geom2 @default.pair", ""},
    {"exclude", "name body1 body2", ""},
    {"tendon", "", "spatial fixed"},
    {"default.tendon",
     "group limited range solreflimit solimplimit solreffriction solimpfriction frictionloss springlength ~width ~material margin "
     "stiffness "
     "damping ~rgba ~user",
     ""},
    {"tendon.base", "name class @default.tendon actuatorfrclimited actuatorfrcrange armature", ""},
    {"spatial", "@tendon.base", "site=spatial.site geom=spatial.geom pulley"},
    {"fixed", "@tendon.base", "joint=fixed.joint"},
    {"spatial.site", "site", ""},
    {"spatial.geom", "geom sidesite", ""},
    {"pulley", "divisor", ""},
    {"fixed.joint", "joint coef", ""},
    {"default.equality", "active solref solimp", ""},
    {"equality", "", "connect weld joint=equality.joint tendon=equality.tendon !flex !flexvert !flexstrain !distance"},
    {"connect", "name class @default.equality body1 body2 anchor site1 site2", ""},
    {"weld", "name class @default.equality body1 body2 relpose anchor site1 site2 torquescale", ""},
    {"equality.joint", "name class @default.equality joint1 joint2 polycoef", ""},
    {"equality.tendon", "name class @default.equality tendon1 tendon2 polycoef", ""},
    {"actuator", "", "general motor position velocity intvelocity damper cylinder !muscle !adhesion !dcmotor !pid !orientation !plugin"},
    {"actuator.base", "group ?nsample=0 ?interp=zoh ?delay=0 ctrlrange ~user ~lengthrange gear ?damping=0 ?armature=0 cranklength", ""},
    {"actuator.target", "name class joint jointinparent tendon slidersite cranksite site refsite", ""},
    {"default.general",
     "@actuator.base ctrllimited forcelimited actlimited forcerange actrange actdim dyntype gaintype biastype dynprm gainprm biasprm "
     "actearly !input !velrange !ffrange",
     ""},
    {"default.motor", "@actuator.base ctrllimited forcelimited forcerange", ""},
    {"default.position", "@actuator.base ctrllimited forcelimited inheritrange forcerange kp kv dampratio timeconst", ""},
    {"default.velocity", "@actuator.base ctrllimited forcelimited forcerange kv", ""},
    {"default.intvelocity", "@actuator.base ctrllimited forcelimited actlimited forcerange actrange inheritrange kp kv dampratio", ""},
    {"default.damper", "@actuator.base forcelimited forcerange kv", ""},
    {"default.cylinder", "@actuator.base ctrllimited forcelimited forcerange timeconst area diameter bias", ""},
    {"general", "@actuator.target !body @default.general", ""},
    {"motor", "@actuator.target @default.motor", ""},
    {"position", "@actuator.target @default.position", ""},
    {"velocity", "@actuator.target @default.velocity", ""},
    {"intvelocity", "@actuator.target @default.intvelocity", ""},
    {"damper", "@actuator.target @default.damper", ""},
    {"cylinder", "@actuator.target @default.cylinder", ""},
    {"sensor", "",
     "touch=sensor.site accelerometer=sensor.site velocimeter=sensor.site gyro=sensor.site force=sensor.site torque=sensor.site "
     "magnetometer=sensor.site rangefinder jointpos=sensor.joint jointvel=sensor.joint ballquat=sensor.joint ballangvel=sensor.joint "
     "jointactuatorfrc=sensor.joint jointlimitpos=sensor.joint jointlimitvel=sensor.joint jointlimitfrc=sensor.joint "
     "tendonpos=sensor.tendon tendonvel=sensor.tendon tendonactuatorfrc=sensor.tendon tendonlimitpos=sensor.tendon "
     "tendonlimitvel=sensor.tendon tendonlimitfrc=sensor.tendon actuatorpos=sensor.actuator actuatorvel=sensor.actuator "
     "actuatorfrc=sensor.actuator framepos=sensor.frame framequat=sensor.frame framexaxis=sensor.frame frameyaxis=sensor.frame "
     "framezaxis=sensor.frame framelinvel=sensor.frame frameangvel=sensor.frame framelinacc=sensor.acceleration "
     "frameangacc=sensor.acceleration subtreecom=sensor.body subtreelinvel=sensor.body subtreeangmom=sensor.body "
     "e_potential=sensor.base e_kinetic=sensor.base clock=sensor.base ?camprojection=any ?insidesite=any ?distance=any ?normal=any "
     "?fromto=any ?contact=any ?tactile=any ?user=any ?plugin=any"},
    {"sensor.base", "name ?nsample=0 ?interp=zoh ?delay=0 ?interval=0 cutoff ~noise ~user", ""},
    {"sensor.site", "@sensor.base site", ""},
    {"sensor.joint", "@sensor.base joint", ""},
    {"sensor.tendon", "@sensor.base tendon", ""},
    {"sensor.actuator", "@sensor.base actuator", ""},
    {"sensor.body", "@sensor.base body", ""},
    {"sensor.acceleration", "@sensor.base objtype objname", ""},
    {"sensor.frame", "@sensor.acceleration reftype refname", ""},
    {"rangefinder", "@sensor.base site !camera ?data=dist", ""},
    {"keyframe", "", "key"},
    {"key", "name time qpos qvel act ctrl mpos mquat", ""},
};

// the tags whose rule allows everything and that are told by their kind
constexpr std::string_view free_tags[] = {"size", "visual", "extension", "custom", "lengthrange"};

using Names = std::map<std::string_view, MjcfName, std::less<>>;

/// A rule with its lists taken apart.
struct Rule {
  Names attributes, children;
  bool anything = false;
};
using Table = std::map<std::string_view, Rule, std::less<>>;

std::string_view take_word(std::string_view& text) {
  text.remove_prefix(std::min(text.find_first_not_of(' '), text.size()));
  const std::string_view word = text.substr(0, text.find(' '));
  text.remove_prefix(word.size());
  return word;
}

void add_names(std::string_view list, Names& names) {
  for (std::string_view word = take_word(list); !word.empty(); word = take_word(list)) {
    if (word[0] == '@') {
      const auto* other = std::find_if(std::begin(rules), std::end(rules), [&](const MjcfRule& rule) { return rule.id == word.substr(1); });
      TRI_CHECK(other != std::end(rules));
      add_names(other->attributes, names);
      continue;
    }
    const MjcfName name = split_mjcf_name(word);
    names[name.name] = name;
  }
}

Table make_table() {
  Table table;
  for (const MjcfRule& rule : rules) {
    Rule& out = table[rule.id];
    out.anything = rule.attributes == "*";
    if (out.anything) continue;
    add_names(rule.attributes, out.attributes);
    add_names(rule.children, out.children);
  }
  for (const std::string_view tag : free_tags) table[tag].anything = true;
  return table;
}

const Table& table() {
  static const Table made = make_table();
  return made;
}

std::string hint(std::string_view name, const Names& names) {
  std::vector<std::string_view> known;
  for (const auto& [key, value] : names) known.push_back(key);
  if (known.empty()) return "; it takes none";
  const std::string_view near = nearest_name(name, known);
  return near.empty() ? "" : " (did you mean " + in_quotes(near) + "?)";
}

/// Walks a file; its depth is bounded by `xml_depth_limit`.
class SchemaCheck {
 public:
  explicit SchemaCheck(XmlFields& fields) : fields_(fields) {}

  void element(const XmlElement& e, const Rule& rule);

 private:
  void attribute(const XmlElement& e, const XmlAttribute& a, const Rule& rule);
  void child(const XmlElement& e, const Rule& rule);

  XmlFields& fields_;
};

void SchemaCheck::element(const XmlElement& e, const Rule& rule) {
  if (rule.anything || fields_.full()) return;
  if (e.has_text) fields_.count("text between elements is left out", e);
  for (const XmlAttribute& a : e.attributes) attribute(e, a, rule);
  for (const XmlElement* c = e.first_child; c != nullptr; c = c->next) child(*c, rule);
}

void SchemaCheck::attribute(const XmlElement& e, const XmlAttribute& a, const Rule& rule) {
  const auto found = rule.attributes.find(a.name);
  if (found == rule.attributes.end()) return fields_.fail("is unknown here" + hint(a.name, rule.attributes), e, a.name);
  const MjcfName& name = found->second;
  if (name.mark == '!') fields_.fail("is not supported", e, a.name);
  if (name.mark == '?' && (name.value.empty() || a.value != name.value))
    fields_.warn_some(std::string(e.name) + " " + std::string(a.name),
                      std::string(a.name) + "=" + in_quotes(a.value) + " is not supported and was left out", e);
}

void SchemaCheck::child(const XmlElement& e, const Rule& rule) {
  const auto found = rule.children.find(e.name);
  if (found == rule.children.end())
    return fields_.fail("unknown element in <" + escape(e.parent->name) + ">" + hint(e.name, rule.children), e);
  const MjcfName& name = found->second;
  if (name.mark == '!') return fields_.fail("<" + std::string(name.name) + "> is not supported", e);
  if (name.mark == '?') fields_.warn_some(std::string(name.name), "is not supported and was left out", e);
  if (name.mark == '~') fields_.count("<" + std::string(name.name) + "> has no part in the motion and was left out", e);
  const auto own = table().find(name.value.empty() ? name.name : name.value);
  TRI_CHECK(own != table().end());
  element(e, own->second);
}

}  // namespace

std::span<const MjcfRule> mjcf_rules() { return rules; }

MjcfName split_mjcf_name(std::string_view word) {
  MjcfName out;
  if (word[0] == '~' || word[0] == '?' || word[0] == '!') {
    out.mark = word[0];
    word.remove_prefix(1);
  }
  const std::size_t equals = word.find('=');
  out.name = word.substr(0, equals);
  if (equals != std::string_view::npos) out.value = word.substr(equals + 1);
  return out;
}

void check_mjcf_schema(const XmlElement& root, XmlFields& fields) {
  if (root.name != "mujoco")
    return fields.fail("is the root element; an MJCF file has <mujoco>" + std::string(root.name == "robot" ? " (this is URDF)" : ""), root);
  SchemaCheck(fields).element(root, table().find("mujoco")->second);
}

}  // namespace trilith::io
