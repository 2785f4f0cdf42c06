#pragma once
#include <memory>
#include <vector>

#include "io/rooted_files.h"
#include "io/xml_fields.h"

namespace trilith::io {

/// The documents of one model, the main one first; elements of the others hang in its tree.
struct XmlTree {
  std::vector<std::unique_ptr<XmlDocument>> documents;
  XmlElement& root() { return documents.front()->root(); }
};

/// Puts the elements of the named files where `tree` says `include`. A name is relative to the folder of the main file, or else of the file
/// that holds it. Refused: a file that includes itself, by any way (the chain is printed), a file included twice, an empty one, nesting
/// beyond `xml_depth_limit`, what `files` refuses. `files` nullptr: every include is refused.
void expand_includes(XmlTree& tree, RootedFiles* files, XmlFields& fields);

}  // namespace trilith::io
