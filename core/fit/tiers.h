// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memory_budget::fit {

/// A class of machine from the course's hardware reference; both ends in GB of 10^9 bytes.
struct Tier {
    std::string_view id;
    int low_gb;
    int high_gb;
};

std::span<const Tier> tiers();

/// The smallest tier whose upper figure holds so many bytes, or null beyond the last.
const Tier* smallest_tier(std::int64_t bytes);

}  // namespace memory_budget::fit
