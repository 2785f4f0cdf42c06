#pragma once
#include <string>

#include "io/json.h"
#include "model/assembly.h"
#include "results/check_json.h"
#include "statics/order.h"

namespace trilith::results {

/// The JSON result of `trilith order` (schema trilith.order/1). `given`: the order came from the caller. `warnings`: those of the assembly
/// and of the order.
io::Json order_json(const model::Assembly& assembly, const statics::OrderResult& result, bool given, const CheckEcho& echo,
                    const std::vector<Warning>& warnings);

/// The same for people.
std::string order_text(const model::Assembly& assembly, const statics::OrderResult& result, bool given);

}  // namespace trilith::results
