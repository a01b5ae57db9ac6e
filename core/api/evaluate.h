// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "core/budget/budget.h"
#include "core/budget/detailed.h"
#include "core/fit/fit.h"
#include "core/model/architecture.h"
#include "core/recipe/issue.h"
#include "core/recipe/recipe.h"

namespace memory_budget::api {

/// A model as a request names it: its sizes always, its architecture where it is known.
struct Model {
    recipe::Shape shape;
    std::shared_ptr<const model::Architecture> architecture;
    std::string config;  ///< the compact line of a configuration that was given
};

/// One run of one model: its budget by the basis that the recipe asks for, and how it fits.
struct Evaluation {
    recipe::Recipe recipe;  ///< with what its stack decided
    budget::Budget budget;
    std::vector<budget::Segment> segments;
    fit::Fit fit;
    std::optional<budget::detailed::Estimate> detail;
};

/// Counts a run. The detailed basis needs an architecture: without one there is an error.
Evaluation evaluate(const Model& model, const recipe::Recipe& recipe, recipe::Issues& issues);

}  // namespace memory_budget::api
