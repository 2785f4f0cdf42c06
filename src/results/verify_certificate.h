#pragma once
#include "certify/verify.h"
#include "model/assembly.h"
#include "results/certificate.h"
#include "trilith/result.h"

namespace trilith::results {

/// Judges a certificate against the assembly it speaks about, in exact rational arithmetic.
///
/// Refused (an Error, program exit 65): the certificate was made for other input bytes. Everything else that is wrong is a broken condition
/// of a Verification that is not accepted (`undecided`, exit 2): unknown or missing blocks, settings that are not those in force, another
/// friction, an interface that the file does not list (where it lists them) or that does not lie on faces of both blocks (where they were
/// detected), for a collapse a contact of the assembly that is left out, and all of `certify`.
///
/// Where the file lists the interfaces, the polygon, normal and friction that count are the assembly's. A contact left out of a force state
/// carries no force. A collapse is judged against every contact of the assembly and every further one of the certificate.
Result<certify::Verification> verify_certificate(const model::Assembly& assembly, const Certificate& certificate,
                                                 const certify::VerifySettings& settings);

/// How far a polygon may lie from the faces of its blocks, over the smaller block's size: the setting, or more where the model takes wider
/// gaps as contacts.
double contact_tolerance(const model::Assembly& assembly, const certify::VerifySettings& settings);

}  // namespace trilith::results
