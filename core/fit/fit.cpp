// SPDX-License-Identifier: MIT
#include "core/fit/fit.h"

#include <cmath>

namespace memory_budget::fit {
namespace {

std::int64_t gigabytes(double gb) {
    return static_cast<std::int64_t>(std::round(gb * 1e9));
}

}  // namespace

Fit judge(std::int64_t total_bytes, const recipe::Recipe& recipe) {
    Fit fit = {};
    fit.machine_bytes = gigabytes(recipe.number(recipe::Key::machine_gb));
    fit.reserve_bytes = gigabytes(recipe.number(recipe::Key::reserve_gb));
    fit.requested_bytes = total_bytes + fit.reserve_bytes;
    const std::int64_t left = fit.machine_bytes - fit.requested_bytes;
    fit.free_bytes = left > 0 ? left : 0;
    fit.over_bytes = left < 0 ? -left : 0;
    fit.tier = smallest_tier(fit.requested_bytes);
    return fit;
}

}  // namespace memory_budget::fit
