#include "results/record.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "dynamics/models.h"
#include "results/state_json.h"

namespace trilith::results {
namespace {

std::string record_of(dynamics::Simulator& simulator, std::int64_t steps, std::int64_t every, RecordHeader header) {
  std::string text;
  header.input = "sketch", header.engine = "1.2.3", header.sha256 = "00", header.steps = steps, header.every = every;
  dynamics::RunPlan plan{steps, header.controls, {}, every, nullptr};
  plan.record = [&](std::int64_t step, const dynamics::State& state) {
    text += step == 0 ? first_line(header, *simulator.system().model, state) : next_line(step, state);
  };
  EXPECT_EQ(dynamics::run(simulator, plan).status, dynamics::RunStatus::done);
  return text;
}

TEST(RecordTest, ReadsBackWhatWasWritten) {
  dynamics::Simulator simulator(test::free_body().system());
  simulator.state().v = {0.3, -0.2, 1, 4, -2, 3};
  RecordHeader header;
  header.overrides.integrator = model::Integrator::implicit_fast;
  header.overrides.timestep = 0.1;
  header.overrides.no_constraints = true;
  header.overrides.gravity = Vec3d{0, 0, -1};
  header.model_options.floating_base = true;
  const auto record = read_record(record_of(simulator, 7, 3, header), "run.jsonl");
  ASSERT_TRUE(record.ok());
  ASSERT_EQ(record.value().lines.size(), 4U);
  EXPECT_EQ(record.value().lines[2].step, 6);
  EXPECT_EQ(record.value().lines[3].step, 7);
  EXPECT_EQ(record.value().header.overrides.integrator, model::Integrator::implicit_fast);
  EXPECT_EQ(record.value().header.overrides.timestep, 0.1);
  EXPECT_TRUE(record.value().header.overrides.no_constraints);
  EXPECT_TRUE(record.value().header.model_options.floating_base);
  EXPECT_EQ(record.value().header.overrides.gravity->z, -1);
  EXPECT_FALSE(compare_line(record.value().lines[3], simulator.state()));
}

TEST(RecordTest, OneBitIsADifference) {
  dynamics::Simulator simulator(test::free_body().system());
  const auto record = read_record(record_of(simulator, 2, 1, {}), "run.jsonl");
  dynamics::State state = simulator.state();
  state.q[2] = std::nextafter(state.q[2], 0);
  const auto difference = compare_line(record.value().lines[2], state);
  ASSERT_TRUE(difference);
  EXPECT_EQ(difference->key, "qpos");
  EXPECT_EQ(difference->index, 2U);
  EXPECT_EQ(difference->step, 2);
}

TEST(RecordTest, ABrokenLineIsNamed) {
  dynamics::Simulator simulator(test::free_body().system());
  std::string text = record_of(simulator, 2, 1, {});
  text += "{\"step\": 3}\n";
  const auto record = read_record(text, "run.jsonl");
  ASSERT_FALSE(record.ok());
  EXPECT_EQ(record.errors()[0].where, "run.jsonl:4:/time");
  EXPECT_FALSE(read_record("", "run.jsonl").ok());
  EXPECT_FALSE(read_record("{\"step\": 0, \"time\": 0, \"qpos\": [], \"qvel\": []}\n", "run.jsonl").ok());
}

TEST(RecordTest, AStateIsReadWholeOrRefusedByName) {
  const auto model = test::free_body().model();
  dynamics::State state = dynamics::make_state(*model), other = state;
  state.v[3] = 0.1, state.time = 2, state.body_wrench[1].moment.y = 4, state.applied[0] = -1;
  ASSERT_TRUE(read_state(state_json(*model, state), "s", *model, other).ok());
  EXPECT_EQ(other.v, state.v);
  EXPECT_EQ(other.time, 2);
  EXPECT_EQ(other.body_wrench[1].moment.y, 4);
  EXPECT_EQ(other.applied[0], -1);
  const io::Json wrong = io::parse_json(R"({"qpos": [1, 2], "qvle": [], "time": "now"})", "s").value();
  const auto refused = read_state(wrong, "s.json", *model, other);
  ASSERT_EQ(refused.errors().size(), 2U);
  EXPECT_EQ(refused.errors()[0].where, "s.json:/qpos");
  const io::Json twice = io::parse_json(R"({"qpos": [0, 0, 1, 2, 0, 0, 0], "qvle": []})", "s").value();
  const auto told = read_state(twice, "s.json", *model, other);
  ASSERT_EQ(told.value().size(), 2U);
  EXPECT_EQ(other.q[3], 1);
}

TEST(RecordTest, AQuaternionWithoutADirectionIsRefusedByItsPlace) {
  const auto model = test::free_body().model();
  dynamics::State state = dynamics::make_state(*model);
  const io::Json zero = io::parse_json(R"({"qpos": [0, 0, 1, 0, 1e-9, 0, 0]})", "s").value();
  const auto refused = read_state(zero, "s.json", *model, state);
  ASSERT_EQ(refused.errors().size(), 1U);
  EXPECT_EQ(refused.errors()[0].where, "s.json:/qpos/3");
}

}  // namespace
}  // namespace trilith::results
