// SPDX-License-Identifier: MIT
#pragma once

#include "core/api/json_writer.h"
#include "core/budget/detailed.h"

namespace memory_budget::api {

/// The fields that a budget of the detailed basis has more: the peak's phase, every phase, the tensors alive at the
/// peak, the levels and the range.
void write_step(JsonWriter& writer, const budget::detailed::Estimate& estimate);

}  // namespace memory_budget::api
