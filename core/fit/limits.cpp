// SPDX-License-Identifier: MIT
#include "core/fit/limits.h"

#include <algorithm>

namespace memory_budget::fit {
namespace {

/// Where a straight line between a value that fits and one that does not meets the machine, strictly between them.
std::int64_t meeting(std::int64_t fits, const Need& low, std::int64_t fails, const Need& high) {
    const std::int64_t middle = fits + (fails - fits) / 2;
    if (!high.known) return middle;
    const double rise = static_cast<double>(high.fit.requested_bytes - low.fit.requested_bytes);
    const double room = static_cast<double>(low.fit.free_bytes);
    if (rise <= 0) return middle;
    const double step = static_cast<double>(fails - fits) * (room / rise);
    return std::clamp(fits + static_cast<std::int64_t>(step), fits + 1, fails - 1);
}

}  // namespace

Limit largest(Gauge& gauge, const recipe::Recipe& recipe, recipe::Key key, std::int64_t least, std::int64_t cap) {
    recipe::Recipe tried = recipe;
    const auto need = [&](std::int64_t value) {
        tried.set(key, static_cast<double>(value));
        return gauge.need(tried);
    };
    Limit limit;
    limit.at = need(least);
    limit.value = least;
    limit.any = limit.at.fits();
    if (!limit.any) {
        limit.next = limit.at;
        return limit;
    }
    if (cap <= least) {
        limit.capped = true;
        return limit;
    }
    std::int64_t fails = cap;
    limit.next = need(cap);
    if (limit.next.fits()) {
        limit = {true, true, cap, limit.next, {}};
        return limit;
    }
    // Memory is close to straight pieces in each of these numbers: the line finds the place in a few steps, and a
    // halving after each bounds their number.
    for (bool line = true; fails - limit.value > 1; line = !line) {
        const std::int64_t at =
            line ? meeting(limit.value, limit.at, fails, limit.next) : limit.value + (fails - limit.value) / 2;
        const Need tried_here = need(at);
        if (tried_here.fits()) {
            limit.value = at;
            limit.at = tried_here;
        } else {
            fails = at;
            limit.next = tried_here;
        }
    }
    return limit;
}

}  // namespace memory_budget::fit
