// SPDX-License-Identifier: MIT
#include "core/api/evaluate.h"

#include "core/budget/course.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {
namespace {

using recipe::Key;

void evaluate_course(const Model& model, Evaluation& evaluation, recipe::Issues& issues) {
    evaluation.budget = budget::course::estimate(model.shape, evaluation.recipe, issues);
    evaluation.segments = budget::course::segments(evaluation.budget);
    evaluation.fit = fit::judge(evaluation.budget.total_bytes, evaluation.recipe);
}

/// A machine is asked for what its driver will report: the peak and, as a segment of its own, what comes with it.
void evaluate_detailed(const Model& model, Evaluation& evaluation, recipe::Issues& issues) {
    if (!model.architecture) {
        issues.error("architecture-needed", "model",
                     "a dry run needs the model's architecture: a model of the catalog or a config.json");
        return;
    }
    recipe::apply_stack(evaluation.recipe);
    budget::detailed::check(evaluation.recipe, issues);
    evaluation.detail = budget::detailed::estimate(*model.architecture, evaluation.recipe);
    evaluation.budget = evaluation.detail->budget;
    evaluation.segments = budget::detailed::segments(evaluation.budget, evaluation.recipe);
    const std::int64_t device = evaluation.detail->levels.back().bytes;
    evaluation.segments.push_back({"overhead", device - evaluation.budget.total_bytes, {}});
    evaluation.fit = fit::judge(device, evaluation.recipe);
}

}  // namespace

Evaluation evaluate(const Model& model, const recipe::Recipe& recipe, recipe::Issues& issues) {
    Evaluation evaluation;
    evaluation.recipe = recipe;
    if (recipe.choice<recipe::Basis>(Key::basis) == recipe::Basis::course)
        evaluate_course(model, evaluation, issues);
    else
        evaluate_detailed(model, evaluation, issues);
    return evaluation;
}

}  // namespace memory_budget::api
