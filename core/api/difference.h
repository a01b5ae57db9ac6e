// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "core/api/evaluate.h"

namespace memory_budget::api {

/// One part of a run by both bases, and the code of what mostly makes the difference.
struct Difference {
    std::string_view id;
    std::int64_t course_bytes;
    std::int64_t detailed_bytes;
    std::string_view reason;
};

/// Where a dry run and the course's arithmetic part, for the same request: only parts that differ, in the bar's order.
std::vector<Difference> difference(const Model& model, const Evaluation& detailed);

}  // namespace memory_budget::api
