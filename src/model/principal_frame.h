#pragma once
#include "linalg/fixed.h"

namespace trilith::model {

/// about_com = axes diag(moments) axes', the columns of `axes` orthonormal.
struct PrincipalFrame {
  Vec3d moments;
  Mat3d axes;
};

/// Principal moments, largest first, and axes of a full tensor as MuJoCo's compiler finds them: rotations of the largest entry beside the
/// diagonal until it, or the angle, is small. What is left beside the diagonal (up to some 1e-9 of the tensor) is dropped, there and here,
/// so that a file means the same bodies to both. (INE-5)
PrincipalFrame principal_frame(const Mat3d& about_com) noexcept;

/// The tensor that the frame stands for.
Mat3d tensor_of(const PrincipalFrame& frame) noexcept;

}  // namespace trilith::model
