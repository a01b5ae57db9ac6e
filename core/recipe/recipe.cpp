// SPDX-License-Identifier: MIT
#include "core/recipe/recipe.h"

namespace memory_budget::recipe {

Recipe::Recipe() {
    for (const Parameter& row : parameters()) values_[index(row.id)] = row.fallback;
}

void Recipe::clear(Key key) {
    values_[index(key)] = parameter(key).fallback;
    given_[index(key)] = false;
}

}  // namespace memory_budget::recipe
