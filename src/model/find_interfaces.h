#pragma once
#include "geom/contact_settings.h"
#include "model/assembly.h"

namespace trilith::model {

using geom::ContactSettings;

/// Finds the contacts between all blocks and fills `assembly.interfaces` and `assembly.doubtful` (sorted by a, then b; a is the lower
/// index), with one warning for each doubtful or curved one. Pairs of two supports are left out. A block that touches nothing is kept. The
/// result does not depend on `threads` (0: as many as the machine has). (GEO-5)
void find_interfaces(Assembly& assembly, const ContactSettings& settings, int threads);

/// The default settings with the thresholds that `assembly` carries.
ContactSettings contact_settings(const Assembly& assembly);

}  // namespace trilith::model
