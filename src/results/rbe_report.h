#pragma once
#include <string>

#include "io/json.h"
#include "statics/rbe.h"

namespace trilith::results {

/// The `rbe` block of `check --json` (DESIGN section 6): settings, metrics, tension demand of every interface. A report, no verdict.
io::Json rbe_json(const model::Assembly& assembly, const statics::RbeReport& report);

/// One or two lines for people.
std::string rbe_text(const model::Assembly& assembly, const statics::RbeReport& report);

}  // namespace trilith::results
