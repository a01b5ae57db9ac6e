// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>

#include "core/fit/gauge.h"
#include "core/recipe/recipe.h"

namespace memory_budget::fit {

/// How far one number of a recipe goes on its machine, all else as it is.
struct Limit {
    bool any = false;        ///< whether even the least fits
    bool capped = false;     ///< all up to the cap fit
    std::int64_t value = 0;  ///< the largest that fits
    Need at;                 ///< of the run there
    Need next;               ///< of the run with one more, where that is too much
};

/// The largest value of `key` from `least` to `cap` that fits; one more does not.
Limit largest(Gauge& gauge, const recipe::Recipe& recipe, recipe::Key key, std::int64_t least, std::int64_t cap);

}  // namespace memory_budget::fit
