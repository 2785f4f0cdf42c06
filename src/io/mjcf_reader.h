#pragma once
#include <algorithm>
#include <deque>
#include <unordered_map>

#include "io/mjcf.h"
#include "io/orientation.h"
#include "io/rooted_files.h"
#include "io/xml_fields.h"
#include "model/model.h"

/// What the parts of the MJCF reader share. Drafts hold what attributes say, in the units of the file; a class is one draft of each kind, a
/// new element starts as a copy of its class, and `finish_` turns it into an element of the model once everything about it is known.

namespace trilith::io {

/// A quaternion whose length is further from 1 is told; a `fromto` shorter than this (m) has no axis; most heights of one field.
/// (docs/defaults.md)
inline constexpr double unit_quaternion = 1e-3;
inline constexpr double shortest_axis = 1e-12;
inline constexpr std::int64_t height_limit = 10'000'000;

/// "false", "true", "auto".
enum class Switch : std::uint8_t { no, yes, automatic };

struct Limits {
  Switch limited = Switch::automatic;
  std::array<double, 2> range{0, 0};  ///< 0 0: none given
};

/// Where an element stands in its parent.
struct Placement {
  Vec3d position{};
  Orientation orientation;
  std::optional<std::array<double, 6>> from_to;  ///< ends of the axis; stands for position, orientation and a length
};

struct JointDraft {
  model::Joint joint;
  Limits range, force_range;
};
struct GeomDraft {
  model::Geom geom;
  std::array<double, 3> size{};
  Placement placement;
  std::string material, mesh, height_field;
  double fit_scale = 1;
  bool has_rgba = false;
};
struct SiteDraft {
  model::Site site;
  std::array<double, 3> size{0.005, 0.005, 0.005};
  Placement placement;
};
struct TendonDraft {
  model::Tendon tendon;
  Limits range, force_range;
  std::array<double, 2> spring_length{-1, -1};
};
struct ActuatorDraft {
  model::Actuator actuator;
  Limits control, force, activation;
  double inherit_range = 0;
};
struct MeshDraft {
  Vec3d scale{1, 1, 1};
  model::MeshAsset::Inertia inertia = model::MeshAsset::Inertia::legacy;
};

/// A class of the `default` section.
struct MjcfClass {
  std::string name;
  std::string where;
  JointDraft joint;
  GeomDraft geom;
  SiteDraft site;
  model::ContactPair pair;
  model::Equality equality;
  TendonDraft tendon;
  ActuatorDraft actuator;
  MeshDraft mesh;
  std::array<float, 4> rgba{1, 1, 1, 1};  ///< of materials
};

/// The `compiler` section.
struct MjcfCompiler {
  bool degrees = true, auto_limits = true, strip_path = false, fit_box = false;
  EulerSequence euler_sequence;
  std::string mesh_folder, texture_folder;
};

/// One of the elements that `replicate` has made of one: what was put behind its name.
using Suffixes = std::vector<std::string>;

/// Reads the sections of one file into `out`.
class MjcfReader {
 public:
  MjcfReader(XmlFields& fields_in, RootedFiles* files_in, model::ModelInput& out_in);

  XmlFields& fields;
  RootedFiles* files;  ///< nullptr: no other file may be named
  model::ModelInput& out;
  MjcfCompiler compiler;
  std::deque<MjcfClass> classes;  ///< the first is "main"
  std::unordered_map<std::string, std::array<float, 4>> material_rgba;

  /// The class of `e`: its own, or else `surrounding` (the nearest childclass, or main).
  const MjcfClass& class_of(const XmlElement& e, const MjcfClass& surrounding);
  const MjcfClass& main_class() const { return classes.front(); }
  /// The class that attribute `attribute` of `e` names; nullptr where there is no such attribute, or no such class (told).
  const MjcfClass* named_class(const XmlElement& e, std::string_view attribute);

  /// Remembers that an element called `name` + `suffix` was made by `replicate`.
  void note_replica(model::ElementKind kind, const std::string& name, const std::string& suffix);

  /// Appends `element`, or one copy for every replica of what it refers to. `visit` shows its references to a function.
  template <class T, class References>
  void append(std::vector<T>& list, T element, const References& references);

 private:
  const Suffixes* replicas(model::ElementKind kind, const std::string& name) const;

  std::map<std::pair<model::ElementKind, std::string>, Suffixes> replicas_;
  std::unordered_map<std::string, MjcfClass*> class_by_name_;
  friend void read_default(MjcfReader&, const XmlElement&, MjcfClass*);
};

template <class T, class References>
void MjcfReader::append(std::vector<T>& list, T element, const References& references) {
  const Suffixes* suffixes = nullptr;
  references(element, [&](model::ElementKind kind, model::Reference& reference) {
    if (suffixes == nullptr) suffixes = replicas(kind, reference.name);
  });
  if (suffixes == nullptr) {
    list.push_back(std::move(element));
    return;
  }
  for (const std::string& suffix : *suffixes) {
    T copy = element;
    references(copy, [&](model::ElementKind kind, model::Reference& reference) {
      const Suffixes* own = replicas(kind, reference.name);
      if (own != nullptr && std::find(own->begin(), own->end(), suffix) != own->end()) reference.name += suffix;
    });
    if constexpr (requires { copy.name; }) {
      if (!copy.name.empty()) copy.name += suffix;
    }
    list.push_back(std::move(copy));
  }
}

// ---- sections, in the order in which they are read
void read_compiler(MjcfReader& reader, const XmlElement& section);
void read_option(MjcfReader& reader, const XmlElement& section);
/// `parent` nullptr: a section at the top, which changes the main class.
void read_default(MjcfReader& reader, const XmlElement& section, MjcfClass* parent);
void read_assets(MjcfReader& reader, const XmlElement& section);
void read_worldbody(MjcfReader& reader, const XmlElement& section);
void read_contact(MjcfReader& reader, const XmlElement& section);
void read_equality(MjcfReader& reader, const XmlElement& section);
void read_tendons(MjcfReader& reader, const XmlElement& section);
void read_actuators(MjcfReader& reader, const XmlElement& section);
void read_sensors(MjcfReader& reader, const XmlElement& section);
void read_keyframes(MjcfReader& reader, const XmlElement& section);

// ---- attributes over a draft; `e` may be an element or an entry of a class
void read_joint(MjcfReader& reader, const XmlElement& e, JointDraft& draft);
void read_geom(MjcfReader& reader, const XmlElement& e, GeomDraft& draft);
void read_site(MjcfReader& reader, const XmlElement& e, SiteDraft& draft);
void read_pair(MjcfReader& reader, const XmlElement& e, model::ContactPair& draft);
void read_equality_base(MjcfReader& reader, const XmlElement& e, model::Equality& draft);
void read_tendon(MjcfReader& reader, const XmlElement& e, TendonDraft& draft);
void read_actuator(MjcfReader& reader, const XmlElement& e, ActuatorDraft& draft);
void read_mesh_class(MjcfReader& reader, const XmlElement& e, MeshDraft& draft);
void read_rgba(MjcfReader& reader, const XmlElement& e, std::array<float, 4>& rgba);

// ---- drafts to elements of the model; `X_BF` is the pose of the frames around them in the body
std::optional<model::Joint> finish_joint(MjcfReader& reader, const XmlElement& e, JointDraft draft, const Posed& X_BF);
std::optional<model::Geom> finish_geom(MjcfReader& reader, const XmlElement& e, GeomDraft draft, const Posed& X_BF);
std::optional<model::Site> finish_site(MjcfReader& reader, const XmlElement& e, SiteDraft draft, const Posed& X_BF);

// ---- shared pieces
void read_switch(MjcfReader& reader, const XmlElement& e, std::string_view attribute, Switch& out);
/// `range` and `limited` behind a common first part of their names ("", "ctrl", "force").
void read_limits(MjcfReader& reader, const XmlElement& e, std::string_view range, std::string_view limited, Limits& out);
/// What limits mean: nothing where they are off or not given. Told: a range that nothing switches on.
std::optional<model::Range> make_range(MjcfReader& reader, const XmlElement& e, std::string_view range, const Limits& limits);
void read_softness(MjcfReader& reader, const XmlElement& e, std::string_view solref, std::string_view solimp, model::Softness& out);
/// Quaternion, axis-angle, axes or Euler angles, whichever `e` has; more than one is refused. False where there is none.
bool read_orientation(MjcfReader& reader, const XmlElement& e, Orientation& out);
void read_placement(MjcfReader& reader, const XmlElement& e, Placement& out);
/// X_PE of a placement without `from_to`; nothing where its orientation is refused.
std::optional<Posed> make_placement(MjcfReader& reader, const XmlElement& e, const Placement& placement);
/// Shape sizes of a `kind` after `from_to`; refuses sizes that are absent or not positive.
bool settle_size(MjcfReader& reader, const XmlElement& e, model::GeomKind kind, const std::array<double, 3>& size, Vec3d& out);
/// Pose and half length of a shape that is given by the ends of its axis.
std::optional<Posed> settle_from_to(MjcfReader& reader, const XmlElement& e, model::GeomKind kind, const Placement& placement,
                                    std::array<double, 3>& size);
/// Fits a shape to the mesh that `draft` names: its size and its pose in the frame of the mesh. Told.
std::optional<Posed> fit_to_mesh(MjcfReader& reader, const XmlElement& e, const GeomDraft& draft, std::array<double, 3>& size);
/// The first of up to three coefficients; more than one that is not 0 is refused (polynomials).
void read_coefficient(MjcfReader& reader, const XmlElement& e, std::string_view attribute, double& out);

/// A reference by name.
model::Reference refer(const XmlElement& e, std::string_view attribute);

}  // namespace trilith::io
