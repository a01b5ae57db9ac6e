// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/api/decisions.h"
#include "core/api/evaluate.h"
#include "core/model/config.h"
#include "core/recipe/issue.h"
#include "core/recipe/recipe.h"

namespace memory_budget::api {

/// What to compute beside the budget itself, in the same call.
enum View : unsigned {
    view_methods = 1,
    view_table = 2,
    view_difference = 4,
    view_timeline = 8,
    view_inventory = 16,
    view_limits = 32,
    view_changes = 64
};

/// A request that was read and checked.
struct Request {
    recipe::Recipe recipe;
    Model model;
    unsigned views = 0;
    Decisions decisions;
};

/// A finite number in its range, an integer where one is asked for; else an error and an empty result.
std::optional<double> read_number(const model::Config& value, const std::string& path, bool integer, double min,
                                  double max, recipe::Issues& issues);

/// Reads every key and reports all that is wrong, not the first only. Keys that are not known are warnings.
Request read_request(const model::Config& request, recipe::Issues& issues);

}  // namespace memory_budget::api
