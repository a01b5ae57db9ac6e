// SPDX-License-Identifier: MIT
#include "core/api/evaluate.h"

#include "core/api/full.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"

namespace memory_budget::api {

using recipe::Key;

namespace {

void evaluate_course(const Model& model, Evaluation& evaluation, recipe::Issues& issues) {
    recipe::Shape shape = model.shape;
    if (model.architecture && !catalog::find_course_model(shape.id) &&
        evaluation.recipe.choice<recipe::Method>(Key::method) != recipe::Method::full)
        shape.adapter_parameters = adapter_parameters(*model.architecture, evaluation.recipe, issues);
    evaluation.budget = budget::course::estimate(shape, evaluation.recipe, issues);
    evaluation.segments = budget::course::segments(evaluation.budget);
    evaluation.fit = fit::judge(evaluation.budget.total_bytes, evaluation.recipe);
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
