#pragma once
#ifdef TRILITH_HAVE_MUJOCO
#include <mujoco/mujoco.h>

#include <cstring>
#include <filesystem>
#include <memory>
#include <string>

#include "geom/posed_shape.h"
#include "spatial/quaternion.h"

namespace trilith::test {

/// A model of the other engine, from a file or from text.
class MujocoModel {
 public:
  explicit MujocoModel(const std::filesystem::path& file) { load(file.c_str(), nullptr); }
  static MujocoModel from_text(const std::string& xml) {
    auto vfs = std::make_unique<mjVFS>();
    mj_defaultVFS(vfs.get());
    mj_makeEmptyFileVFS(vfs.get(), "model.xml", static_cast<int>(xml.size()));
    std::memcpy(vfs->filedata[0], xml.data(), xml.size());
    MujocoModel made;
    made.load("model.xml", vfs.get());
    mj_deleteVFS(vfs.get());
    return made;
  }
  bool ok() const { return model_ != nullptr; }
  const std::string& error() const { return error_; }
  mjModel& model() { return *model_; }
  mjData& data() { return *data_; }

 private:
  MujocoModel() = default;
  void load(const char* name, const mjVFS* vfs) {
    char error[500] = "";
    model_.reset(mj_loadXML(name, vfs, error, sizeof error));
    error_ = error;
    if (model_) data_.reset(mj_makeData(model_.get()));
  }
  struct Free {
    void operator()(mjModel* m) const { mj_deleteModel(m); }
    void operator()(mjData* d) const { mj_deleteData(d); }
  };
  std::unique_ptr<mjModel, Free> model_;
  std::unique_ptr<mjData, Free> data_;
  std::string error_;
};

inline ShapeKind kind_of(int mujoco_type) {
  switch (mujoco_type) {
    case mjGEOM_PLANE:
      return ShapeKind::plane;
    case mjGEOM_HFIELD:
      return ShapeKind::hfield;
    case mjGEOM_SPHERE:
      return ShapeKind::sphere;
    case mjGEOM_CAPSULE:
      return ShapeKind::capsule;
    case mjGEOM_ELLIPSOID:
      return ShapeKind::ellipsoid;
    case mjGEOM_CYLINDER:
      return ShapeKind::cylinder;
    case mjGEOM_BOX:
      return ShapeKind::box;
    default:
      return ShapeKind::mesh;
  }
}
inline const char* name_of(ShapeKind kind) {
  constexpr const char* names[] = {"plane", "hfield", "sphere", "capsule", "ellipsoid", "cylinder", "box", "mesh"};
  return names[static_cast<int>(kind)];
}

/// Two shapes of fixed kinds, which may be moved and resized.
class MujocoPair {
 public:
  MujocoPair(ShapeKind a, ShapeKind b, const std::string& assets = "", const std::string& attributes = "")
      : peer_(MujocoModel::from_text("<mujoco>" + assets + "<worldbody>" + body(a, attributes) + body(b, attributes) +
                                     "</worldbody></mujoco>")) {}
  bool ok() const { return peer_.ok(); }
  int count_contacts(const PosedShape& a, const PosedShape& b, double margin = 0) {
    place(0, a, margin);
    place(1, b, margin);
    mj_collision(&peer_.model(), &peer_.data());
    return peer_.data().ncon;
  }
  std::vector<ContactPoint> contacts(const PosedShape& a, const PosedShape& b, double margin) {
    count_contacts(a, b, margin);
    std::vector<ContactPoint> out;
    for (int i = 0; i < peer_.data().ncon; ++i) {
      const mjContact& c = peer_.data().contact[i];
      out.push_back({{c.pos[0], c.pos[1], c.pos[2]}, {c.frame[0], c.frame[1], c.frame[2]}, c.dist, {}});
    }
    return out;
  }

 private:
  static std::string body(ShapeKind kind, const std::string& attributes) {
    const std::string geom = std::string("<geom type='") + name_of(kind) + "' " +
                             (kind == ShapeKind::mesh ? std::string("mesh='m'") : std::string("size='1 1 1'")) + attributes + "/>";
    return kind == ShapeKind::plane ? geom : "<body><freejoint/>" + geom + "</body>";
  }
  void place(int geom, const PosedShape& s, double margin) {
    mjModel& m = peer_.model();
    mjData& d = peer_.data();
    const double size[3] = {s.shape.size.x, s.shape.size.y, s.shape.size.z}, p[3] = {s.X.p.x, s.X.p.y, s.X.p.z};
    for (int k = 0; k < 3; ++k) {
      if (s.shape.kind != ShapeKind::plane) m.geom_size[3 * geom + k] = size[k];
      d.geom_xpos[3 * geom + k] = p[k];
      d.xpos[3 * m.geom_bodyid[geom] + k] = p[k];
    }
    for (int k = 0; k < 9; ++k) d.geom_xmat[9 * geom + k] = s.X.R.m[k];
    if (s.shape.kind != ShapeKind::plane) m.geom_rbound[geom] = 10;
    m.geom_margin[geom] = margin;
  }
  MujocoModel peer_;
};

}  // namespace trilith::test
#endif
