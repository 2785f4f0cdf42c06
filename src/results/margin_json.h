#pragma once
#include <string>

#include "io/json.h"
#include "results/check_json.h"
#include "statics/margin_report.h"

namespace trilith::results {

/// Times of a whole question, seconds of wall time.
struct MarginTimes {
  double read = 0, interfaces = 0, solve = 0;
};

/// The JSON result of `trilith margin` (schema trilith.margin/1).
io::Json margin_json(const model::Assembly& assembly, const statics::MarginReport& report, const MarginTimes& times, const CheckEcho& echo);

/// The same in words: which way it goes first, which blocks move.
std::string margin_text(const model::Assembly& assembly, const statics::MarginReport& report, const MarginTimes& times);

}  // namespace trilith::results
