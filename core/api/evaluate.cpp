// SPDX-License-Identifier: MIT
#include "core/api/evaluate.h"

#include "core/api/full.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"

namespace memory_budget::api {

using recipe::Key;

namespace {

/// Choices of adapters that the lesson's count does not know.
bool beyond_lesson(const recipe::Recipe& recipe) {
    return recipe.has(Key::expert_adapters) || recipe.flag(Key::dora) || recipe.flag(Key::train_head) ||
           recipe.flag(Key::train_embedding);
}

void evaluate_course(const Model& model, Evaluation& evaluation, recipe::Issues& issues) {
    recipe::Shape shape = model.shape;
    const bool beyond = beyond_lesson(evaluation.recipe);
    const bool exact = beyond || (model.architecture && !catalog::find_course_model(shape.id));
    const bool adapted = evaluation.recipe.choice<recipe::Method>(Key::method) != recipe::Method::full;
    // The course engine refuses such a choice by any method, since the views show the others too.
    if (exact && (adapted || (beyond && !is_full())))
        shape.adapter_parameters = adapter_parameters(model, evaluation.recipe, issues);
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
