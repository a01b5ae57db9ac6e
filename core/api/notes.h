// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/api/json_text.h"
#include "core/budget/budget.h"
#include "core/catalog/course.h"
#include "core/recipe/recipe.h"

namespace memory_budget::api {

/// The traced peak of the pinned software for this run, or 0 where the run is not one of the lesson's own cases.
std::int64_t traced_bytes(const recipe::Shape& model, const recipe::Recipe& recipe);

/// What a reader must know beside the figures, each with a code, its values, its source and whether it is a caution.
Json notes(const recipe::Shape& model, const recipe::Recipe& recipe, const budget::Budget& budget);

}  // namespace memory_budget::api
