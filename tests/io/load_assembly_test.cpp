#include "io/load_assembly.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "base/sha256.h"
#include "io/expect_error.h"
#include "io/file.h"
#include "io/temporary_folder.h"
#include "support/shared_data.h"

namespace trilith::io {
namespace {

constexpr char two_objects[] =
    "o lower\nv 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n"
    "o upper\nv 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 3\nf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n";
constexpr char one_object[] = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";

model::AssemblyInput load(const std::string& path) {
  Result<model::AssemblyInput> result = load_assembly(path);
  EXPECT_TRUE(result.ok()) << first_error(result);
  return result.ok() ? std::move(result).value() : model::AssemblyInput{};
}

TEST(LoadAssemblyTest, AnObjFileIsOneBlockPerObject) {
  const TemporaryFolder folder;
  const std::string path = folder.put("stack.obj", two_objects);
  const model::AssemblyInput input = load(path);
  ASSERT_EQ(input.blocks.size(), 2U);
  EXPECT_EQ(input.blocks[1].id, "upper");
  EXPECT_EQ(input.blocks[1].where, path + ":10");
  EXPECT_EQ(input.source, path);
  EXPECT_EQ(input.sha256, sha256_hex(std::string_view(two_objects)));
  EXPECT_FALSE(input.interfaces.has_value());
}

TEST(LoadAssemblyTest, MeshFilesAreReadOnceAndCounted) {
  const TemporaryFolder folder;
  folder.put("sub/two.obj", two_objects);
  folder.put("one.obj", one_object);
  const std::string text =
      R"({"blocks": [{"id": "a", "mesh": "one.obj"}, {"id": "b", "mesh": "sub/two.obj#upper"}, {"id": "c", "mesh": "sub/two.obj#lower"},
                     {"id": "d", "mesh": "one.obj#one"}]})";
  const std::string path = folder.put("wall.json", text);
  const model::AssemblyInput input = load(path);
  ASSERT_EQ(input.blocks.size(), 4U);
  EXPECT_EQ(input.blocks[1].mesh.vertices[3].z, 3);
  EXPECT_EQ(input.blocks[2].mesh.vertices[3].z, 1);
  EXPECT_EQ(input.blocks[3].mesh.face_count(), 4U);
  const std::string list = sha256_hex(text) + "  wall.json\n" + sha256_hex(std::string_view(one_object)) + "  one.obj\n" +
                           sha256_hex(std::string_view(two_objects)) + "  sub/two.obj\n";
  EXPECT_EQ(input.sha256, sha256_hex(list));
}

TEST(LoadAssemblyTest, TheHashIsThatOfTheFileWhereItNamesNoOther) {
  const TemporaryFolder folder;
  const std::string text = R"({"blocks": [{"id": "a", "vertices": [], "faces": []}]})";
  EXPECT_EQ(load(folder.put("wall.json", text)).sha256, sha256_hex(text));
}

TEST(LoadAssemblyTest, WarningsOfMeshFilesComeAlong) {
  const TemporaryFolder folder;
  folder.put("one.obj", std::string(one_object) + "l 1 2\n");
  const model::AssemblyInput input =
      load(folder.put("wall.json", R"({"blocks": [{"id": "a", "mesh": "one.obj"}, {"id": "b", "mesh": "one.obj"}]})"));
  ASSERT_EQ(input.warnings.size(), 1U);
  EXPECT_EQ(input.warnings[0].where, "one.obj:9");
}

class MeshReferenceTest : public ::testing::Test {
 protected:
  void SetUp() override {
    folder.put("outside.obj", one_object);
    folder.put("in/two.obj", two_objects);
    folder.put("in/one.obj", one_object);
    folder.put("in/bad.obj", "v 0 0 nan\n");
    folder.put("in/photo.obj", std::string("\x89PNG\r\n\x1a\n\0\0", 10));
  }
  Result<model::AssemblyInput> load_reference(const std::string& mesh) {
    path = folder.put("in/wall.json", R"({"blocks": [{"id": "a", "mesh": ")" + mesh + R"("}]})");
    return load_assembly(path);
  }
  void expect_refused(const std::string& mesh, const std::string& what) {
    const Result<model::AssemblyInput> result = load_reference(mesh);
    expect_error(result, path + ":/blocks/0/mesh", what);
  }
  TemporaryFolder folder;
  std::string path;
};

TEST_F(MeshReferenceTest, PathsStayInTheFolder) {
  EXPECT_TRUE(load_reference("one.obj").ok());
  EXPECT_TRUE(load_reference("./one.obj").ok());
  expect_refused("../outside.obj", "leaves the folder");
  expect_refused("sub/../../outside.obj", "leaves the folder");
  expect_refused("..", "leaves the folder");
  expect_refused("/etc/passwd", "is an absolute path");
  expect_refused(folder.file("in/one.obj"), "is an absolute path");
  expect_refused("", "names no file");
  expect_refused("a\\nb.obj", "holds a control character");
  expect_refused("a\\u0000b.obj", "holds a control character");
}

TEST_F(MeshReferenceTest, LinksThatLeadOutAreRefused) {
  std::filesystem::create_symlink(folder.file("outside.obj"), folder.file("in/link.obj"));
  std::filesystem::create_symlink(folder.file(""), folder.file("in/up"));
  std::filesystem::create_symlink("one.obj", folder.file("in/inner.obj"));
  expect_refused("link.obj", "is a link out of the folder");
  expect_refused("up/outside.obj", "is a link out of the folder");
  EXPECT_TRUE(load_reference("inner.obj").ok());
  // a folder whose name begins alike is another folder
  folder.put("in2/one.obj", one_object);
  std::filesystem::create_symlink(folder.file("in2"), folder.file("in/next"));
  expect_refused("next/one.obj", "is a link out of the folder");
}

TEST_F(MeshReferenceTest, ObjectsAreFoundByName) {
  EXPECT_TRUE(load_reference("two.obj#upper").ok());
  expect_refused("two.obj", "holds 2 objects; name one as FILE#OBJECT: \"lower\", \"upper\"");
  expect_refused("two.obj#uper", "has no object \"uper\"; did you mean \"upper\"?");
  expect_refused("two.obj#", "has no object \"\"");
}

TEST_F(MeshReferenceTest, FilesThatAreNoMeshAreRefused) {
  expect_refused("none.obj", "is not there");
  expect_refused("photo.obj", "is a PNG image");
  expect_error(load_reference("bad.obj"), "bad.obj:1:7", "is not finite");
  std::filesystem::create_directories(folder.file("in/folder.obj"));
  expect_error(load_reference("folder.obj"), path + ":/blocks/0/mesh", "is a directory", Error::Kind::io);
}

TEST_F(MeshReferenceTest, ABadFileIsToldOnce) {
  path = folder.put("in/wall.json", R"({"blocks": [{"id": "a", "mesh": "none.obj"}, {"id": "b", "mesh": "none.obj"}]})");
  const Result<model::AssemblyInput> result = load_assembly(path);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().size(), 1U);
}

TEST(LoadAssemblyTest, AWrongFileIsCalledByItsName) {
  const TemporaryFolder folder;
  const auto refuse = [&](const std::string& name, const std::string& text, const std::string& what) {
    const std::string path = folder.put(name, text);
    expect_error(load_assembly(path), path, what);
  };
  refuse("a.json", "", "empty file");
  refuse("a.obj", "\n \n", "empty file");
  refuse("a.json", "\x89PNG\r\n\x1a\n", "is a PNG image");
  refuse("a.json", "<!DOCTYPE html><html>", "is an HTML page");
  refuse("a.json", "  <HTML>", "is an HTML page");
  refuse("a.obj", "<?xml version='1.0'?>", "is an XML file");
  refuse("a.json", "PK\x03\x04", "is a ZIP archive");
  refuse("a.json", std::string("\xff\xfe{\0", 4), "is UTF-16 text");
  refuse("a.obj", "OFF\n8 6 0\n", "is an OFF mesh");
  expect_error(load_assembly(folder.put("a.stl", "solid a\nfacet")), folder.file("a.stl") + ":2:1", "ends within a facet");
  refuse("a.obj", std::string("v 0\0", 4), "is a binary file");
  refuse("notes.txt", "Dear all,\n", "no known kind of file");
  expect_error(load_assembly(folder.file("a.json/b")), folder.file("a.json/b"), "Not a directory", Error::Kind::io);
}

TEST(LoadAssemblyTest, TheContentDecidesNotTheName) {
  const TemporaryFolder folder;
  EXPECT_EQ(load(folder.put("a.txt", two_objects)).blocks.size(), 2U);
  EXPECT_EQ(load(folder.put("a.obj", R"({"blocks": []})")).blocks.size(), 0U);
  const std::string path = folder.put("a.json", "blocks: []");
  expect_error(load_assembly(path), path + ":1:1", "not JSON");
}

// every OBJ of the reference data holds as many blocks as it has "o" lines, and every sample of compas_cra is read
TEST(LoadAssemblyTest, ReferenceFilesAreRead) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  std::size_t objects = 0, samples = 0;
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "reference/statics/open/blocks")) {
    if (entry.path().extension() != ".obj") continue;
    const std::string text = read_file(entry.path().string()).value();
    std::size_t names = text.starts_with("o ") ? 1 : 0;
    for (std::size_t at = text.find("\no "); at != std::string::npos; at = text.find("\no ", at + 1)) ++names;
    const model::AssemblyInput input = load(entry.path().string());
    EXPECT_EQ(input.blocks.size(), names) << entry.path();
    EXPECT_TRUE(input.warnings.empty()) << entry.path();
    ++objects;
  }
  for (const auto& entry : std::filesystem::directory_iterator(*shared / "reference/statics/open/compas_cra_originals")) {
    if (entry.path().extension() != ".json") continue;
    const model::AssemblyInput input = load(entry.path().string());
    EXPECT_GE(input.blocks.size(), 2U) << entry.path();
    for (std::size_t i = 0; i < input.blocks.size(); ++i) {
      EXPECT_EQ(input.blocks[i].id, std::to_string(i)) << entry.path();
      EXPECT_GE(input.blocks[i].mesh.face_count(), 4U) << entry.path();
    }
    ++samples;
  }
  EXPECT_GE(objects, 70U);
  EXPECT_EQ(samples, 21U);
}

TEST(LoadAssemblyTest, TheArmadilloComesWithItsInterfacesAndSupports) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  const model::AssemblyInput input = load((*shared / "reference/statics/open/compas_cra_originals/armadillo_cra.json").string());
  EXPECT_EQ(input.blocks.size(), 399U);
  EXPECT_EQ(std::count_if(input.blocks.begin(), input.blocks.end(), [](const auto& block) { return block.fixed; }), 33);
  ASSERT_TRUE(input.interfaces.has_value());
  EXPECT_EQ(input.interfaces->size(), 1014U);
  ASSERT_EQ(input.warnings.size(), 1U);  // its forces
}

// cases/open: what is an assembly is read, whatever its geometry turns out to be
TEST(LoadAssemblyTest, CasesOfUsersAreRead) {
  const auto shared = test::shared_data();
  if (!shared) GTEST_SKIP() << "no shared data";
  std::size_t assemblies = 0;
  for (const auto& entry : std::filesystem::recursive_directory_iterator(*shared / "cases/open")) {
    if (!entry.path().filename().string().starts_with("assembly") || entry.path().extension() != ".json") continue;
    const model::AssemblyInput input = load(entry.path().string());
    EXPECT_GE(input.blocks.size(), 2U) << entry.path();
    EXPECT_EQ(input.sha256.size(), 64U);
    ++assemblies;
  }
  EXPECT_GE(assemblies, 13U);
}

}  // namespace
}  // namespace trilith::io
