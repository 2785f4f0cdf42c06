#pragma once
#include <string>

#include "model/assembly.h"
#include "results/check_json.h"
#include "statics/check.h"

namespace trilith::results {

/// The answer in words for the person who builds: verdict, what it rests on, how it was found, what it does not say.
std::string check_text(const model::Assembly& assembly, const statics::CheckResult& result, const CheckTimes& times);

/// The part of it about a fall: which blocks move, how the joints do, and the proof.
std::string fall_text(const model::Assembly& assembly, const statics::CheckResult& result);
/// Name, blocks, interfaces, weight, friction, unit; an empty line.
std::string heading_text(const model::Assembly& assembly);
/// Which blocks move together and how the joints between them move; empty where nothing does.
std::string pieces_text(const model::Assembly& assembly, const statics::Collapse& collapse);

}  // namespace trilith::results
