#pragma once
#include <cstdint>
#include <map>
#include <string>

namespace trilith::test {

/// Which MuJoCo must be able to read a sample.
enum class MjcfDialect : std::uint8_t {
  current,  ///< everything that our reader reads
  debian    ///< what MuJoCo 2.2.2 of Debian 12 knows, with the meaning that newer versions give it
};

/// A random MJCF model and the files that it names, by their path in its folder.
struct MjcfSample {
  std::string main;  ///< "model.xml"
  std::map<std::string, std::string> files;
};

/// The same sample for a seed on every machine. It holds every kind of element; every attribute that the reader reads appears in some of
/// the first samples (mjcf_schema_test asserts it).
MjcfSample make_mjcf_sample(std::uint64_t seed, MjcfDialect dialect = MjcfDialect::current);

}  // namespace trilith::test
