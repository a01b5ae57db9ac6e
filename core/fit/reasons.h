// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

#include "core/recipe/recipe.h"

namespace memory_budget::fit {

/// What usually explains that a run took more, or less, than its estimate.
struct Reason {
    std::string_view code;
    std::string_view source;
};

/// `level`: what the meter reads, 0 allocated, 1 reserved, 2 device. `recipe` has all that is in use.
std::vector<Reason> reasons(bool above, std::size_t level, const recipe::Recipe& recipe);

}  // namespace memory_budget::fit
