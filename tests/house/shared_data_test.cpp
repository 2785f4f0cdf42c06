#include "support/shared_data.h"

#include <gtest/gtest.h>

#include <cstdlib>
#include <optional>
#include <string>

namespace trilith::test {
namespace {

/// Sets or removes TRILITH_SHARED and puts the old value back.
class ScopedVariable {
 public:
  explicit ScopedVariable(const std::string& value) {
    if (const char* old = std::getenv("TRILITH_SHARED")) old_ = old;
    setenv("TRILITH_SHARED", value.c_str(), 1);
  }
  ~ScopedVariable() {
    if (old_) {
      setenv("TRILITH_SHARED", old_->c_str(), 1);
    } else {
      unsetenv("TRILITH_SHARED");
    }
  }
  ScopedVariable(const ScopedVariable&) = delete;
  ScopedVariable& operator=(const ScopedVariable&) = delete;

 private:
  std::optional<std::string> old_;
};

TEST(SharedDataTest, VariableNamesTheFolder) {
  const ScopedVariable chosen(TRILITH_SOURCE_DIR "/tests");
  ASSERT_TRUE(shared_data().has_value());
  EXPECT_EQ(shared_data()->filename(), "tests");
}

TEST(SharedDataTest, AbsentFolderGivesNothing) {
  const ScopedVariable chosen("/no/such/folder");
  EXPECT_FALSE(shared_data().has_value());
}

TEST(SharedDataTest, EmptyVariableMeansBesideTheSources) {
  const ScopedVariable chosen("");
  const std::filesystem::path beside = std::filesystem::path(TRILITH_SOURCE_DIR).parent_path() / "shared";
  EXPECT_EQ(shared_data().has_value(), std::filesystem::is_directory(beside));
}

}  // namespace
}  // namespace trilith::test
