#pragma once
#include <gtest/gtest.h>

#include <string>

#include "trilith/result.h"

namespace trilith::io {

/// The first error is at `where` and its text holds `what`.
template <class T>
void expect_error(const Result<T>& result, const std::string& where, const std::string& what, Error::Kind kind = Error::Kind::refused) {
  ASSERT_FALSE(result.ok()) << "accepted; wanted " << where << ": " << what;
  ASSERT_FALSE(result.errors().empty());
  const Error& error = result.errors().front();
  EXPECT_EQ(error.where, where) << error.what;
  EXPECT_NE(error.what.find(what), std::string::npos) << error.what;
  EXPECT_EQ(error.kind, kind);
  EXPECT_EQ(error.what.find('\n'), std::string::npos) << "one line";
}

/// Why a result is no value, for messages of tests.
template <class T>
std::string first_error(const Result<T>& result) {
  return result.ok() || result.errors().empty() ? "" : result.errors().front().where + ": " + result.errors().front().what;
}

}  // namespace trilith::io
