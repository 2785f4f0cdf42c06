#include "io/ply.h"

#include <gtest/gtest.h>

#include "geom/mass_properties.h"
#include "io/byte_writer.h"
#include "io/expect_error.h"

namespace trilith::io {
namespace {

MeshFile read(const std::string& bytes) {
  Result<MeshFile> result = parse_ply(bytes, "in/stone.ply");
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : MeshFile{};
}

const std::string vertices = "0 0 0\n1 0 0\n0 1 0\n0 0 1\n", faces = "3 0 2 1\n3 0 1 3\n3 1 2 3\n3 0 3 2\n";

std::string header(const std::string& vertex_count = "4", const std::string& face_count = "4", const std::string& format = "ascii") {
  return "ply\nformat " + format + " 1.0\ncomment a stone\nelement vertex " + vertex_count +
         "\nproperty float x\nproperty float y\nproperty float z\nelement face " + face_count +
         "\nproperty list uchar int vertex_indices\nend_header\n";
}

std::string binary(std::endian order) {
  // colours and an element between, to be skipped
  std::string out = std::string("ply\nformat ") + (order == std::endian::big ? "binary_big_endian" : "binary_little_endian") +
                    " 1.0\nelement vertex 4\nproperty uchar red\nproperty double x\nproperty float y\nproperty short z\n"
                    "element edge 1\nproperty int a\nproperty list uint16 float32 b\n"
                    "element face 4\nproperty float quality\nproperty list uint uint vertex_index\nend_header\n";
  const double points[4][3] = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
  for (const auto& p : points) {
    put_bytes(out, std::uint8_t(255), order);
    put_bytes(out, p[0], order);
    put_bytes(out, static_cast<float>(p[1]), order);
    put_bytes(out, static_cast<std::int16_t>(p[2]), order);
  }
  put_bytes(out, std::int32_t(7), order);
  put_bytes(out, std::uint16_t(2), order);
  for (int i = 0; i < 2; ++i) put_bytes(out, 1.5F, order);
  const std::uint32_t corners[4][3] = {{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {0, 3, 2}};
  for (const auto& face : corners) {
    put_bytes(out, 0.5F, order);
    put_bytes(out, std::uint32_t(3), order);
    for (const std::uint32_t v : face) put_bytes(out, v, order);
  }
  return out;
}

TEST(PlyTest, TextAndBothByteOrdersGiveTheSameSolid) {
  std::string text = header();
  text += vertices;
  text += faces;
  for (const std::string& bytes : {text, binary(std::endian::little), binary(std::endian::big)}) {
    const MeshFile file = read(bytes);
    ASSERT_EQ(file.objects.size(), 1U);
    EXPECT_EQ(file.objects[0].name, "stone");
    EXPECT_EQ(file.objects[0].mesh.face_count(), 4U);
    EXPECT_NEAR(geom::measure_volume(file.objects[0].mesh), 1.0 / 6, 1e-15);
  }
  ASSERT_EQ(read(binary(std::endian::big)).warnings.size(), 1U);
  EXPECT_EQ(read(binary(std::endian::big)).warnings[0].what, "element \"edge\" (1) left out");
}

TEST(PlyTest, FinalNewlineAndCarriageReturnsDoNotMatter) {
  std::string text = header() + vertices + faces;
  text.pop_back();
  EXPECT_EQ(read(text).objects[0].mesh.face_count(), 4U);
  std::string windows;
  for (const char c : text) windows += c == '\n' ? std::string("\r\n") : std::string(1, c);
  EXPECT_EQ(read(windows).objects[0].mesh.face_count(), 4U);
}

TEST(PlyTest, EveryClosedShellIsABlock) {
  const std::string more = "5 0 0\n6 0 0\n5 1 0\n5 0 1\n", others = "3 4 6 5\n3 4 5 7\n3 5 6 7\n3 4 7 6\n";
  const MeshFile file = read(header("8", "8") + vertices + more + faces + others);
  ASSERT_EQ(file.objects.size(), 2U);
  EXPECT_EQ(file.objects[1].name, "stone.2");
  EXPECT_EQ(file.warnings.size(), 1U);
}

TEST(PlyTest, CountsWithoutRoomAreRefusedBeforeAnythingIsAllocated) {
  const auto refuse = [](const std::string& text, const std::string& where, const std::string& what) {
    expect_error(parse_ply(text, "s.ply"), where, what);
  };
  refuse(header("4000000000") + vertices + faces, "s.ply:4", "holds 4000000000 of element \"vertex\" and has no room");
  refuse(header("4", "9000000000000000000") + vertices + faces, "s.ply:8", "no room");
  refuse(header("4", "4", "binary_little_endian") + "short", "s.ply:4", "the file was cut off");
  refuse("ply\nformat ascii 1.0\nelement vertex 4000000000\nend_header\n", "s.ply:3", "has no properties");
  refuse(header("4", "1") + vertices + "250 0 1 2\n", "s.ply:/face/0", "a list is longer than the file");
  refuse(header("4", "1") + vertices + "7 0 1 2 3 1\n", "s.ply:/face/0", "ends within a list");
  refuse(header("4", "1") + vertices + "-1 0 1 2\n", "s.ply:/face/0", "missing or negative");
}

TEST(PlyTest, BadHeadersAndFacesAreRefusedByTheirPlace) {
  const auto refuse = [](const std::string& text, const std::string& where, const std::string& what) {
    expect_error(parse_ply(text, "s.ply"), where, what);
  };
  refuse("ply\nformat ascii 1.0\nelement vertex 1\n", "s.ply", "without \"end_header\"");
  refuse("ply\nelement vertex 1\nproperty float x\nend_header\n1\n", "s.ply", "without \"format\"");
  refuse("ply\nformat text 1.0\nend_header\n", "s.ply:2", "PLY format \"text\" is not");
  refuse("ply\nformat ascii 2.0\nend_header\n", "s.ply:2", "PLY version \"2.0\"");
  refuse("ply\nformat ascii 1.0\nelement vertex -1\nend_header\n", "s.ply:3", "needs a name and a count");
  refuse("ply\nformat ascii 1.0\nproperty float x\nend_header\n", "s.ply:3", "before any element");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\nproperty real x\nend_header\n", "s.ply:4", "unknown property type \"real\"");
  refuse("ply\nformat ascii 1.0\nelement face 1\nproperty list float int vertex_indices\nend_header\n", "s.ply:4", "unknown property type");
  refuse("ply\nformat ascii 1.0\nmaterial 3\nend_header\n", "s.ply:3", "unknown word \"material\"");
  refuse("ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nend_header\n1\n", "s.ply:3", "vertices need x, y and z");
  refuse(header() + "0 0 0\n1 0 nan\n0 1 0\n0 0 1\n" + faces, "s.ply:/vertex/1", "is no number");
  refuse(header("4", "1") + vertices + "3 0 1 4\n", "s.ply:/face/0", "vertex index 4 is not one of 0 to 4 - 1");
  refuse(header("4", "1") + vertices + "3 0 1 -1\n", "s.ply:/face/0", "vertex index -1");
  refuse(header("4", "1") + vertices + "2 0 1 \n", "s.ply:/face/0", "at least 3 corners, has 2");
  refuse(header("4", "0") + vertices, "s.ply", "no faces");
  std::string infinite = binary(std::endian::little);
  const double inf = 1e308 * 10;
  std::string bytes;
  put_bytes(bytes, inf);
  infinite.replace(infinite.find("end_header\n") + 12, 8, bytes);
  refuse(infinite, "s.ply:/vertex/0/x", "not finite");
}

}  // namespace
}  // namespace trilith::io
