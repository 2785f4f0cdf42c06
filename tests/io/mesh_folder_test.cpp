#include "io/mesh_folder.h"

#include <gtest/gtest.h>

#include "base/sha256.h"
#include "io/expect_error.h"
#include "io/load_assembly.h"
#include "io/temporary_folder.h"

namespace trilith::io {
namespace {

const std::string one = "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 2 3 4\nf 1 4 3\n";
const std::string two = "o lower\n" + one + "o upper\nv 0 0 2\nv 1 0 2\nv 0 1 2\nv 0 0 3\nf -4 -2 -3\nf -4 -3 -1\nf -3 -2 -1\nf -4 -1 -2\n";
const std::string stl =
    "solid s\nfacet normal 0 0 0\nouter loop\nvertex 0 0 0\nvertex 0 1 0\nvertex 1 0 0\nendloop\nendfacet\nendsolid s\n";

TEST(MeshFolderTest, EveryObjectOfEveryFileIsABlockSortedByName) {
  const TemporaryFolder folder;
  folder.put("in/b.obj", two);
  folder.put("in/a.obj", one);
  folder.put("in/c.STL", stl);
  folder.put("in/notes.txt", "x");
  folder.put("in/.hidden.obj", "x");
  folder.put("in/deeper/d.obj", one);
  const Result<model::AssemblyInput> result = load_assembly(folder.file("in"));
  ASSERT_TRUE(result.ok()) << first_error(result);
  const model::AssemblyInput& input = result.value();
  std::vector<std::string> ids;
  for (const model::BlockInput& block : input.blocks) ids.push_back(block.id);
  EXPECT_EQ(ids, (std::vector<std::string>{"a", "b/lower", "b/upper", "c"}));
  EXPECT_EQ(input.blocks[2].where, folder.file("in") + "/b.obj:10");
  ASSERT_EQ(input.warnings.size(), 2U);
  EXPECT_EQ(input.warnings[0].what, "folders inside are not read: 1 (deeper)");
  EXPECT_EQ(input.warnings[1].what, "files that are no meshes left out: 1 (\"notes.txt\")");
  const std::string list = sha256_hex(one) + "  a.obj\n" + sha256_hex(two) + "  b.obj\n" + sha256_hex(stl) + "  c.STL\n";
  EXPECT_EQ(input.sha256, sha256_hex(list));
}

TEST(MeshFolderTest, WhatCannotBeReadIsToldByItsFile) {
  const TemporaryFolder folder;
  const std::string in = folder.file("in");
  folder.put("in/readme.md", "x");
  expect_error(load_assembly(in), in, "a folder without meshes");
  folder.put("in/bad.obj", "v 0 0 nan\n");
  folder.put("in/photo.stl", "\x89PNG\r\n\x1a\n");
  const Result<model::AssemblyInput> result = load_assembly(in);
  ASSERT_FALSE(result.ok());
  EXPECT_EQ(result.errors().size(), 2U);
  EXPECT_EQ(result.errors()[0].where, "bad.obj:1:7");
  EXPECT_NE(result.errors()[1].what.find("mesh \"photo.stl\": is a PNG image"), std::string::npos);
}

TEST(MeshFolderTest, LinksThatLeadOutAreRefused) {
  const TemporaryFolder folder;
  folder.put("outside.obj", one);
  folder.put("in/a.obj", one);
  std::filesystem::create_symlink(folder.file("outside.obj"), folder.file("in/link.obj"));
  expect_error(load_assembly(folder.file("in")), folder.file("in"), "is a link out of the folder");
}

TEST(MeshFolderTest, AssembliesNameMeshesOfAnyFormat) {
  const TemporaryFolder folder;
  folder.put("c.stl", stl);
  folder.put("noise.ply", "ply\nformat ascii 1.0\nend_header\n");
  const auto load = [&](const std::string& mesh) {
    return load_assembly(folder.put("w.json", R"({"blocks": [{"id": "x", "mesh": ")" + mesh + R"("}]})"));
  };
  EXPECT_TRUE(load("c.stl").ok());
  EXPECT_TRUE(load("c.stl#s").ok());
  expect_error(load("noise.ply"), folder.file("w.json") + ":/blocks/0/mesh", "mesh \"noise.ply\": no faces");
}

}  // namespace
}  // namespace trilith::io
