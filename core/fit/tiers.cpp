// SPDX-License-Identifier: MIT
#include "core/fit/tiers.h"

namespace memory_budget::fit {
namespace {

constexpr Tier table[] = {{"8", 8, 8},       {"12-16", 12, 16}, {"24", 24, 24},   {"32", 32, 32},
                          {"48-64", 48, 64}, {"96", 96, 96},    {"128", 128, 128}};

}  // namespace

std::span<const Tier> tiers() {
    return table;
}

const Tier* smallest_tier(std::int64_t bytes) {
    for (const Tier& tier : table)
        if (bytes <= std::int64_t{tier.high_gb} * 1'000'000'000) return &tier;
    return nullptr;
}

}  // namespace memory_budget::fit
