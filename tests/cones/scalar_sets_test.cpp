#include "cones/set_checker.h"

namespace trilith::test {
namespace {

TEST(ZeroTest, HoldsTheContractOfASet) { SetChecker<ZeroFamily>(1).check_all(); }
TEST(BoxTest, HasTheSameBitsInTwoAndFourLanes) {
  SetChecker<BoxFamily>(4).check_lanes<double, 2>();
  SetChecker<BoxFamily>(5).check_lanes<float, 4>();
}
TEST(NonnegativeTest, HoldsTheContractOfASet) { SetChecker<NonnegativeFamily>(2).check_all(); }
TEST(BoxTest, HoldsTheContractOfASet) { SetChecker<BoxFamily>(3).check_all(); }

}  // namespace
}  // namespace trilith::test
