// SPDX-License-Identifier: MIT
#include "core/recipe/recipe.h"

namespace memory_budget::recipe {

Recipe::Recipe() {
    for (const Parameter& row : parameters()) values_[index(row.id)] = row.fallback;
}

bool Recipe::same_but_size(const Recipe& other) const {
    for (const Parameter& row : parameters()) {
        if (row.id == Key::batch || row.id == Key::sequence) continue;
        if (number(row.id) != other.number(row.id) && (has(row.id) || other.has(row.id))) return false;
    }
    return target_names == other.target_names;
}

bool Recipe::operator==(const Recipe& other) const {
    return number(Key::batch) == other.number(Key::batch) && number(Key::sequence) == other.number(Key::sequence) &&
           same_but_size(other);
}

void Recipe::clear(Key key) {
    values_[index(key)] = parameter(key).fallback;
    given_[index(key)] = false;
}

}  // namespace memory_budget::recipe
