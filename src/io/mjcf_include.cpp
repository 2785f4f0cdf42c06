#include "io/mjcf_include.h"

#include <algorithm>
#include <map>

namespace trilith::io {
namespace {

class Includes {
 public:
  Includes(XmlTree& tree, RootedFiles* files, XmlFields& fields) : tree_(tree), files_(files), fields_(fields) {}

  void expand() {
    chain_.push_back({tree_.documents.front()->source(), files_ == nullptr ? "" : real_of_main(), ""});
    children(tree_.root(), 1);
  }

 private:
  /// A file whose elements are being walked.
  struct Level {
    std::string source;  ///< for people
    std::string real;
    std::string folder;  ///< relative to the main file's
  };

  std::string real_of_main() const {
    const std::string& source = tree_.documents.front()->source();
    return files_->real_path(source.substr(source.find_last_of('/') + 1));
  }
  void children(XmlElement& parent, int depth);
  /// The elements that take the place of `e`, nullptr where there are none.
  XmlElement* replacement(XmlElement& e, int depth);
  bool load(XmlElement& e, Level& level);
  std::string path_of(const std::string& file) const;
  std::string chain_to(const std::string& source) const;

  XmlTree& tree_;
  RootedFiles* files_;
  XmlFields& fields_;
  std::vector<Level> chain_;
  std::map<std::string, std::string> included_;  // real path: place
};

void Includes::children(XmlElement& parent, int depth) {
  if (depth > xml_depth_limit)
    return fields_.fail("nests deeper than the limit of " + std::to_string(xml_depth_limit) + " elements once files are included", parent);
  XmlElement** link = &parent.first_child;
  while (*link != nullptr && !fields_.full()) {
    XmlElement& e = **link;
    if (e.name != "include") {
      children(e, depth + 1);
      link = &e.next;
      continue;
    }
    XmlElement* const behind = e.next;
    XmlElement* const first = replacement(e, depth);
    *link = first == nullptr ? behind : first;
    if (first == nullptr) continue;
    XmlElement* last = first;
    for (; last->next != nullptr; last = last->next) last->parent = &parent;
    last->parent = &parent;
    last->next = behind;
    link = &last->next;
  }
}

XmlElement* Includes::replacement(XmlElement& e, int depth) {
  if (e.first_child != nullptr) fields_.fail("takes no elements inside", e);
  if (!fields_.require(e, "file")) return nullptr;
  Level level;
  if (!load(e, level)) return nullptr;
  XmlElement& root = tree_.documents.back()->root();
  if (root.first_child == nullptr) {
    fields_.fail("file " + in_quotes(e.value("file")) + " holds no elements", e);
    return nullptr;
  }
  chain_.push_back(std::move(level));
  root.parent = e.parent;  // for the places of what it holds
  children(root, depth);
  chain_.pop_back();
  return root.first_child;
}

// relative to the main file; where there is none, to the file that says it
std::string Includes::path_of(const std::string& file) const {
  if (!files_->real_path(file).empty()) return file;
  const std::string beside = join_path(chain_.back().folder, file);
  return files_->real_path(beside).empty() ? file : beside;
}

bool Includes::load(XmlElement& e, Level& level) {
  const std::string file(e.value("file"));
  if (files_ == nullptr) {
    fields_.fail("names a file, and this text may name none", e, "file");
    return false;
  }
  const std::string path = path_of(file);
  level = {join_path(files_->root(), path), files_->real_path(path), folder_of(path)};
  const bool cycle = std::any_of(chain_.begin(), chain_.end(), [&](const Level& l) { return !level.real.empty() && l.real == level.real; });
  if (cycle) {
    fields_.fail("includes itself: " + chain_to(level.source), e, "file");
    return false;
  }
  if (const auto earlier = included_.find(level.real); !level.real.empty() && earlier != included_.end()) {
    fields_.fail("file " + in_quotes(file) + " is included twice, first at " + earlier->second, e, "file");
    return false;
  }
  Result<RootedFiles::File> read = files_->read(path, "include", place_of(e, *e.find("file")));
  if (!read) {
    fields_.take(read.errors());
    return false;
  }
  Result<std::unique_ptr<XmlDocument>> document = XmlDocument::parse(read.value().text, level.source);
  if (!document) {
    fields_.take(document.errors());
    return false;
  }
  for (const Warning& warning : document.value()->warnings()) fields_.take(warning);
  included_.emplace(level.real, place_of(e));
  tree_.documents.push_back(std::move(document).value());
  return true;
}

std::string Includes::chain_to(const std::string& source) const {
  std::string text;
  for (const Level& level : chain_) text += level.source + " -> ";
  return text + source;
}

}  // namespace

void expand_includes(XmlTree& tree, RootedFiles* files, XmlFields& fields) { Includes(tree, files, fields).expand(); }

}  // namespace trilith::io
