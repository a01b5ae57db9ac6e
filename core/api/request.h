// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <vector>

#include "core/api/evaluate.h"
#include "core/model/config.h"
#include "core/recipe/issue.h"
#include "core/recipe/recipe.h"

namespace memory_budget::api {

/// What to compute beside the budget itself, in the same call.
enum View : unsigned { view_methods = 1, view_table = 2, view_difference = 4, view_timeline = 8, view_inventory = 16 };

/// A request that was read and checked.
struct Request {
    recipe::Recipe recipe;
    Model model;
    unsigned views = 0;
};

/// Reads every key and reports all that is wrong, not the first only. Keys that are not known are warnings.
Request read_request(const model::Config& request, recipe::Issues& issues);

}  // namespace memory_budget::api
