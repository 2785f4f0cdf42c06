#pragma once
#include "geom/contact_settings.h"
#include "model/assembly.h"

namespace trilith::model {

using geom::ContactSettings;

/// Finds the planar contacts between all blocks and fills `assembly.interfaces` (sorted by a, then b; a is the lower index) and one warning
/// for each doubtful one. Pairs of two supports are left out. A block that touches nothing is kept. The result does not depend on `threads`
/// (0: as many as the machine has). (GEO-5)
void find_interfaces(Assembly& assembly, const ContactSettings& settings, int threads);

}  // namespace trilith::model
