#include "io/load_model.h"

#include <algorithm>

#include "io/file.h"
#include "io/mjcf.h"
#include "io/text_position.h"
#include "io/xml.h"

namespace trilith::io {
namespace {

/// Past what may stand before the root element: byte order mark, declarations, comments.
std::string_view skip_prologue(std::string_view text) {
  if (text.starts_with("\xef\xbb\xbf")) text.remove_prefix(3);
  for (;;) {
    text.remove_prefix(std::min(text.find_first_not_of(" \t\r\n"), text.size()));
    const std::string_view end = text.starts_with("<?") ? "?>" : text.starts_with("<!--") ? "-->" : "";
    if (end.empty()) return text;
    const std::size_t at = text.find(end);
    text.remove_prefix(at == std::string_view::npos ? text.size() : at + end.size());
  }
}

/// Name of the root element; empty where a quick look does not find it.
std::string_view root_name(std::string_view text) {
  text = skip_prologue(text);
  if (!text.starts_with('<')) return "";
  return text.substr(1, text.find_first_of(" \t\r\n/>", 1) - 1);
}

/// The whole document decides where a quick look does not: another encoding, or no XML at all.
Result<std::string> find_root(const std::string& path) {
  const Result<std::string> text = read_file(path);
  if (!text) return text.errors();
  const std::string_view quick = root_name(text.value());
  if (quick == "mujoco" || quick == "robot") return std::string(quick);
  const auto document = XmlDocument::parse(text.value(), path);
  if (!document) return document.errors();
  const XmlElement& root = document.value()->root();
  if (root.name == "mujoco" || root.name == "robot") return std::string(root.name);
  return Error{"is no model: its root element is " + in_quotes(root.name) + "; read are MJCF (mujoco) and URDF (robot)", place_of(root)};
}

}  // namespace

Result<model::Model> load_model(const std::string& path, const LoadOptions& load, const model::ModelOptions& options) {
  const Result<std::string> root = find_root(path);
  if (!root) return root.errors();
  Result<model::ModelInput> input =
      root.value() == "robot" ? load_urdf(path, load.urdf) : load_mjcf(path, MjcfOptions{.allowed_folders = load.allowed_folders});
  if (!input) return input.errors();
  return model::make_model(std::move(input).value(), options);
}

}  // namespace trilith::io
