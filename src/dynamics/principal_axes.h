#pragma once
#include "dynamics/system.h"

namespace trilith::dynamics {

/// The frame at the centre of mass whose axes are principal axes of inertia, X_BI. An inertia that is diagonal in B keeps B's axes.
Posed principal_frame(const Inertiad& inertia) noexcept;

/// The box of the same mass and principal inertias, which the medium drags. (DYN-14)
DraggedBody drag_box(std::int32_t body, const Inertiad& inertia) noexcept;

}  // namespace trilith::dynamics
