#pragma once
#include "results/record.h"

namespace trilith::results {

/// The answer of `trilith replay`.
struct ReplayAnswer {
  std::string record;  ///< its file
  dynamics::RunReport report;
  std::size_t compared = 0;  ///< lines
  std::optional<RecordDifference> difference;
  std::vector<Warning> warnings;
};

/// The JSON result of `trilith replay` (schema trilith.replay/1): `identical` is null where the run did not come to its end.
io::Json replay_json(const ReplayAnswer& answer);
std::string replay_text(const ReplayAnswer& answer);

}  // namespace trilith::results
