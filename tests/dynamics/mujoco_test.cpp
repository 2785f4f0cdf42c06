// Tendons, transmissions, actuators, passive forces, sensors and steps against Debian's MuJoCo 2.2.2 on one model that uses them all.
#include <gtest/gtest.h>

#ifdef TRILITH_HAVE_MUJOCO
#include <mujoco/mujoco.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <filesystem>
#include <fstream>

#include "dynamics/simulator.h"
#include "dynamics/stages.h"
#include "io/load_model.h"
#include "multibody/kinematics.h"
#include "support/random.h"

namespace trilith::dynamics {
namespace {

constexpr const char* everything = R"(<mujoco>
<compiler autolimits="true"/> <option timestep="0.002" density="1.3" viscosity="0.02" wind="1 0.5 0"/>
<default><geom contype="0" conaffinity="0"/></default>
<worldbody>
  <site name="ground" pos="0.5 0 0.4"/> <site name="rail" pos="0.9 0.1 0.6" euler="30 40 10"/>
  <geom name="wall" type="box" pos="3 0 1" size="0.1 2 2"/>
  <body name="base" pos="0 0 1"><freejoint name="free"/>
    <inertial pos="0.01 0.02 0" mass="3" diaginertia="0.03 0.04 0.05"/> <site name="imu" pos="0.1 0 0.05" euler="10 20 30"/>
    <body name="upper" pos="0.1 0 0.2"><joint name="ball" type="ball" stiffness="2" damping="0.1"/>
      <inertial pos="0 0 -0.1" mass="1" diaginertia="0.01 0.02 0.015"/>
      <site name="shoulder" pos="0.05 0.1 0"/> <geom name="pulley" type="sphere" size="0.06" pos="0.05 0 -0.12"/> 
      <body name="lower" pos="0 0 -0.3"><joint name="elbow" axis="0 1 0" stiffness="1" springref="20" damping="0.2" armature="0.02"/>
        <inertial pos="0 0.05 -0.1" mass="0.5" diaginertia="0.004 0.005 0.003"/>
        <site name="side" pos="0.3 0 0.02"/> <site name="hand" pos="0.02 0.05 -0.2" euler="0 90 0"/> <geom name="drum" type="cylinder" size="0.05 0.2" pos="0.1 0 0.02" euler="90 0 0"/>
      </body></body>
    <body name="leg" pos="-0.1 0 -0.2"><joint name="hip" axis="1 0 0"/>
      <inertial pos="0.1 0 0" mass="1.2" diaginertia="0.01 0.02 0.02"/>
      <body name="foot" pos="0.2 0 0"><joint name="pump" type="slide" axis="0.6 0 0.8" stiffness="20" damping="1"/>
        <inertial pos="0 0 0.1" mass="0.7" diaginertia="0.004 0.004 0.003"/> <site name="sole" pos="0.1 0.05 0" euler="0 0 90"/>
      </body></body></body>
</worldbody>
<tendon>
  <fixed name="gear" stiffness="3" damping="0.2" springlength="0.15"><joint joint="elbow" coef="0.5"/><joint joint="pump" coef="-2"/></fixed>
  <spatial name="cord" stiffness="5" damping="0.3"><site site="shoulder"/><site site="hand"/><pulley divisor="2"/><site site="ground"/><site site="sole"/></spatial>
  <spatial name="over" damping="0.4"><site site="imu"/><geom geom="pulley"/><site site="hand"/></spatial>
  <spatial name="around" stiffness="2"><site site="shoulder"/><geom geom="drum" sidesite="side"/><site site="sole"/></spatial>
</tendon>
<actuator>
  <motor joint="elbow" gear="3"/> <motor joint="ball" gear="0.5 1 -0.3"/> <motor jointinparent="ball" gear="0.5 1 -0.3"/>
  <motor joint="free" gear="1 2 3 4 5 6"/> <motor jointinparent="free" gear="1 2 3 4 5 6"/> <motor tendon="over" gear="2"/>
  <motor site="hand" gear="1 0 2 0 1 0"/> <general cranksite="hand" slidersite="rail" cranklength="2" gear="1.5"/>
  <position joint="pump" kp="30"/> <velocity joint="hip" kv="3"/> <intvelocity joint="hip" kp="4" actrange="-1 1"/>
  <general joint="elbow" dyntype="filter" dynprm="0.1" gaintype="affine" gainprm="2 0.3 -0.1" biastype="affine" biasprm="0.1 -1 -0.2" forcerange="-3 3"/>
</actuator>
<sensor>
  <accelerometer site="imu"/> <velocimeter site="imu"/> <gyro site="imu"/> <force site="hand"/> <torque site="hand"/> <magnetometer site="imu"/>
  <rangefinder site="rail"/> <jointpos joint="elbow"/> <jointvel joint="pump"/> <tendonpos tendon="over"/> <tendonvel tendon="around"/>
  <actuatorpos actuator="POS"/> <actuatorvel actuator="POS"/> <actuatorfrc actuator="POS"/> <ballangvel joint="ball"/>
  <framepos objtype="site" objname="hand"/> <framexaxis objtype="xbody" objname="foot" reftype="site" refname="imu"/>
  <framepos objtype="body" objname="foot" reftype="site" refname="imu"/> <framelinvel objtype="site" objname="sole" reftype="xbody" refname="upper"/>
  <frameangvel objtype="xbody" objname="foot"/> <framelinacc objtype="site" objname="hand"/> <frameangacc objtype="xbody" objname="lower"/>
  <subtreecom body="base"/> <subtreelinvel body="upper"/> <subtreeangmom body="base"/> <clock/>
</sensor></mujoco>)";

std::string named_text() {
  std::string text = everything;
  const std::string servo = "<position joint=\"pump\"";
  text.replace(text.find(servo), servo.size(), "<position name=\"servo\" joint=\"pump\"");
  for (std::size_t at = 0; (at = text.find("POS\"", at)) != std::string::npos;) text.replace(at, 3, "servo");
  return text;
}

double worst(std::span<const double> ours, const double* theirs) {
  double scale = 1, difference = 0;
  for (std::size_t i = 0; i < ours.size(); ++i) {
    scale = std::max(scale, std::abs(theirs[i]));
    difference = std::max(difference, std::abs(ours[i] - theirs[i]));
  }
  return difference / scale;
}

class MujocoTest : public ::testing::Test {
 protected:
  void SetUp() override {
    const std::filesystem::path path = std::filesystem::temp_directory_path() / ("trilith_dynamics_" + std::to_string(getpid()) + ".xml");
    std::ofstream(path) << named_text();
    char error[1000] = "";
    theirs_ = mj_loadXML(path.c_str(), nullptr, error, sizeof error);
    ASSERT_NE(theirs_, nullptr) << error;
    data_ = mj_makeData(theirs_);
    auto loaded = io::load_model(path.string());
    std::filesystem::remove(path);
    ASSERT_TRUE(loaded.ok()) << loaded.errors()[0].where << ": " << loaded.errors()[0].what;
    model_ = std::make_shared<const model::Model>(std::move(loaded).value());
  }
  void TearDown() override {
    if (data_ != nullptr) mj_deleteData(data_);
    if (theirs_ != nullptr) mj_deleteModel(theirs_);
  }
  Simulator simulator(model::Integrator integrator) const {
    model::SimulationOptions options = model_->options;
    options.integrator = integrator;
    return Simulator(make_system(model_, options).value().system);
  }
  void shake(Simulator& simulator, test::Random& random) const {
    State& s = simulator.state();
    std::vector<double> move(s.v.size());
    for (double& x : move) x = random.uniform(-0.6, 0.6);
    s.q = model_->qpos0;
    multibody::integrate<double>(simulator.system().tree, s.q, move, 1, 1, s.q);
    for (double& x : s.v) x = random.gauss();
    for (double& x : s.ctrl) x = random.gauss();
    for (double& x : s.act) x = random.uniform(-0.9, 0.9);
    std::ranges::copy(s.q, data_->qpos), std::ranges::copy(s.v, data_->qvel), std::ranges::copy(s.ctrl, data_->ctrl);
    std::ranges::copy(s.act, data_->act);
    data_->time = s.time = 0.5;
  }

  mjModel* theirs_ = nullptr;
  mjData* data_ = nullptr;
  std::shared_ptr<const model::Model> model_;
};

TEST_F(MujocoTest, LengthsForcesAccelerationsAndSensorsAgree) {
  Simulator simulator = this->simulator(model::Integrator::euler);
  test::Random random(21);
  for (int trial = 0; trial < 40; ++trial) {
    shake(simulator, random);
    ASSERT_EQ(simulator.update().status, StepStatus::done);
    mj_forward(theirs_, data_);
    const Workspace& w = simulator.workspace();
    EXPECT_LE(worst(w.tendon_length, data_->ten_length), 1e-12);
    EXPECT_LE(worst(w.tendon_velocity, data_->ten_velocity), 1e-11);
    EXPECT_LE(worst(w.actuator_length, data_->actuator_length), 1e-11);
    EXPECT_LE(worst(w.actuator_velocity, data_->actuator_velocity), 1e-11);
    EXPECT_LE(worst(w.actuator_force, data_->actuator_force), 1e-11);
    EXPECT_LE(worst(w.actuator_torque, data_->qfrc_actuator), 1e-11);
    EXPECT_LE(worst(w.passive, data_->qfrc_passive), 1e-11);
    EXPECT_LE(worst(w.bias, data_->qfrc_bias), 1e-11);
    EXPECT_LE(worst(w.a_smooth, data_->qacc_smooth), 1e-10);
    for (const model::Sensor& sensor : model_->sensors) {
      const auto first = static_cast<std::size_t>(sensor.first);
      EXPECT_LE(
          worst(std::span<const double>(w.sensors).subspan(first, static_cast<std::size_t>(sensor.dimension)), data_->sensordata + first),
          1e-9)
          << "sensor " << sensor.name << " at " << first;
    }
  }
}

TEST_F(MujocoTest, StepsOfEveryIntegratorAgree) {
  for (const auto& [ours, number] : {std::pair(model::Integrator::euler, mjINT_EULER),
                                     {model::Integrator::rk4, mjINT_RK4},
                                     {model::Integrator::implicit, mjINT_IMPLICIT}}) {
    Simulator simulator = this->simulator(ours);
    theirs_->opt.integrator = number;
    test::Random random(22);
    shake(simulator, random);
    for (int step = 0; step < 100; ++step) {
      ASSERT_EQ(simulator.step().status, StepStatus::done);
      mj_step(theirs_, data_);
    }
    EXPECT_LE(worst(simulator.state().q, data_->qpos), 1e-9) << number;
    EXPECT_LE(worst(simulator.state().v, data_->qvel), 1e-8) << number;
    EXPECT_LE(worst(simulator.state().act, data_->act), 1e-12) << number;
  }
}

}  // namespace
}  // namespace trilith::dynamics
#endif
