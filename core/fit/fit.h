// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/fit/tiers.h"
#include "core/recipe/recipe.h"

namespace memory_budget::fit {

/// How a total stands against a machine. What is asked of the machine is the total and the reserve; the estimate
/// itself never holds the reserve. One of `free_bytes` and `over_bytes` is 0.
struct Fit {
    std::int64_t machine_bytes;
    std::int64_t reserve_bytes;
    std::int64_t requested_bytes;
    std::int64_t free_bytes;
    std::int64_t over_bytes;
    const Tier* tier;  ///< null beyond the last

    bool fits() const { return over_bytes == 0; }
};

Fit judge(std::int64_t total_bytes, const recipe::Recipe& recipe);

}  // namespace memory_budget::fit
