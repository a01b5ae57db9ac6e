// SPDX-License-Identifier: MIT
#include "core/recipe/recipe.h"

namespace memory_budget::recipe {

Recipe::Recipe() {
    for (const Parameter& row : parameters()) values_[index(row.id)] = row.fallback;
}

}  // namespace memory_budget::recipe
