#include "pinocchio_peer.h"

#include <cstdio>

#ifdef TRILITH_HAVE_PINOCCHIO
#include <pinocchio/algorithm/aba-derivatives.hpp>
#include <pinocchio/algorithm/aba.hpp>
#include <pinocchio/algorithm/frames.hpp>
#include <pinocchio/algorithm/jacobian.hpp>
#include <pinocchio/multibody/data.hpp>
#include <pinocchio/multibody/joint/joints.hpp>
#include <pinocchio/multibody/model.hpp>
#endif

namespace trilith::bench {

#ifdef TRILITH_HAVE_PINOCCHIO

namespace pin = pinocchio;

struct PinocchioPeer::Parts {
  pin::Model model;
  pin::Data data;
  pin::FrameIndex frame = 0;
  bool free_base = false;
  pin::Data::Matrix6x jacobian;
  std::vector<Eigen::VectorXd> q, v, tau;
};

namespace {

Eigen::Matrix3d matrix(const Mat3d& a) { return Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>(a.m); }
Eigen::Vector3d vector(const Vec3d& a) { return {a.x, a.y, a.z}; }
pin::SE3 placement(const Posed& X) { return {matrix(X.R), vector(X.p)}; }

pin::Model make_model(const multibody::TreeInput& input) {
  pin::Model model;
  std::vector<pin::JointIndex> joints;
  for (std::size_t i = 0; i < input.links.size(); ++i) {
    const multibody::LinkInput& link = input.links[i];
    const pin::JointIndex parent = link.parent < 0 ? 0 : joints[static_cast<std::size_t>(link.parent)];
    if (link.kind == multibody::LinkKind::translation) {
      joints.push_back(parent);  // the ball after it makes the free joint
      continue;
    }
    const std::string name = "joint" + std::to_string(i);
    joints.push_back(link.kind == multibody::LinkKind::ball ? model.addJoint(parent, pin::JointModelFreeFlyer(), pin::SE3::Identity(), name)
                                                            : model.addJoint(parent, pin::JointModelRZ(), placement(link.X_PJ), name));
    const pin::Inertia inertia(link.inertia.mass, vector(link.inertia.com), matrix(link.inertia.about_com));
    model.appendBodyToJoint(joints.back(), inertia, pin::SE3::Identity());
    model.armature.segment(model.joints[joints.back()].idx_v(), model.joints[joints.back()].nv()).setConstant(link.armature);
  }
  const multibody::BodyFrame& body = input.bodies.front();
  model.addFrame(pin::Frame("end_effector", joints[static_cast<std::size_t>(body.link)], 0, placement(body.X_LB), pin::OP_FRAME));
  return model;
}

}  // namespace

bool have_pinocchio() { return true; }

PinocchioPeer::PinocchioPeer(const multibody::TreeInput& input) : parts_(new Parts{make_model(input), {}, 0, false, {}, {}, {}, {}}) {
  parts_->data = pin::Data(parts_->model);
  parts_->frame = parts_->model.getFrameId("end_effector");
  parts_->free_base = input.links.front().kind == multibody::LinkKind::translation;
  parts_->jacobian.setZero(6, parts_->model.nv);
}
PinocchioPeer::~PinocchioPeer() = default;

void PinocchioPeer::set_states(const std::vector<double>& q, const std::vector<double>& v, const std::vector<double>& tau) {
  Parts& p = *parts_;
  const auto nq = p.model.nq, nv = p.model.nv;
  const auto count = static_cast<Eigen::Index>(v.size()) / nv;
  p.q.clear(), p.v.clear(), p.tau.clear();
  for (Eigen::Index k = 0; k < count; ++k) {
    Eigen::VectorXd at = Eigen::Map<const Eigen::VectorXd>(q.data() + k * nq, nq);
    if (p.free_base) {
      const Eigen::Vector4d turn = at.segment<4>(3).normalized();  // w first; theirs is last
      at.segment<4>(3) << turn[1], turn[2], turn[3], turn[0];
    }
    p.q.push_back(at);
    p.v.emplace_back(Eigen::Map<const Eigen::VectorXd>(v.data() + k * nv, nv));
    p.tau.emplace_back(Eigen::Map<const Eigen::VectorXd>(tau.data() + k * nv, nv));
  }
}

void PinocchioPeer::linearise() {
  Parts& p = *parts_;
  for (std::size_t k = 0; k < p.q.size(); ++k) {
    pin::computeABADerivatives(p.model, p.data, p.q[k], p.v[k], p.tau[k]);
    pin::getFrameJacobian(p.model, p.data, p.frame, pin::LOCAL_WORLD_ALIGNED, p.jacobian);
  }
}

void PinocchioPeer::accelerate() {
  Parts& p = *parts_;
  for (std::size_t k = 0; k < p.q.size(); ++k) {
    pin::aba(p.model, p.data, p.q[k], p.v[k], p.tau[k], pin::Convention::WORLD);
    pin::updateFramePlacement(p.model, p.data, p.frame);
  }
}

std::vector<double> PinocchioPeer::last_answer() const {
  const pin::Data& data = parts_->data;
  std::vector<double> answer(data.ddq.data(), data.ddq.data() + data.ddq.size());
  for (Eigen::Index i = 0; i < data.ddq_dq.rows(); ++i)
    for (Eigen::Index j = 0; j < data.ddq_dq.cols(); ++j) answer.push_back(data.ddq_dq(i, j));
  return answer;
}

#else

struct PinocchioPeer::Parts {};
bool have_pinocchio() {
  std::printf("pinocchio is absent ($TRILITH_PEERS holds no include/pinocchio, or Eigen is missing): no peer\n");
  return false;
}
PinocchioPeer::PinocchioPeer(const multibody::TreeInput&) {}
PinocchioPeer::~PinocchioPeer() = default;
void PinocchioPeer::set_states(const std::vector<double>&, const std::vector<double>&, const std::vector<double>&) {}
void PinocchioPeer::linearise() {}
void PinocchioPeer::accelerate() {}
std::vector<double> PinocchioPeer::last_answer() const { return {}; }

#endif

}  // namespace trilith::bench
