// SPDX-License-Identifier: MIT
#include "core/api/full.h"
#include "core/model/inventory.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {

using recipe::Key;

model::AdapterPlan adapter_plan(const recipe::Recipe& recipe, model::ExpertAdapters experts) {
    model::AdapterPlan plan;
    plan.rank = recipe.integer(Key::rank);
    plan.targets = recipe.choice<model::TargetSet>(Key::targets);
    for (const std::string& name : recipe.target_names) plan.names.push_back(name);
    plan.experts = experts;
    return plan;
}

std::int64_t adapter_parameters(const model::Architecture& architecture, const recipe::Recipe& recipe,
                                recipe::Issues& issues) {
    const model::Inventory all = model::inventory(architecture);
    const model::AdapterCount count =
        model::count_adapter(architecture, all, adapter_plan(recipe, model::ExpertAdapters::dense_equivalent));
    for (const model::Issue& issue : count.errors) issues.error(issue.code, "targets", issue.message);
    for (const model::Issue& issue : count.warnings) issues.warn(issue.code, "targets", issue.message);
    return count.parameters;
}

/// A machine is asked for what its driver will report: the peak and, as a segment of its own, what comes with it.
void evaluate_detailed(const Model& model, Evaluation& evaluation, recipe::Issues& issues) {
    if (!model.architecture) {
        issues.error("architecture-needed", "model",
                     "a dry run needs the model's architecture: a model of the catalog or a config.json");
        return;
    }
    if (!budget::step::playable(*model.architecture)) {
        issues.error("family-not-played", "model", "no dry run is offered for this family yet: use the course basis");
        return;
    }
    recipe::apply_stack(evaluation.recipe);
    budget::detailed::check(evaluation.recipe, issues);
    evaluation.detail = budget::detailed::estimate(model.architecture, evaluation.recipe);
    evaluation.budget = evaluation.detail->budget;
    evaluation.segments = budget::detailed::segments(evaluation.budget, evaluation.recipe);
    const std::int64_t device = evaluation.detail->levels.back().bytes;
    evaluation.segments.push_back({"overhead", device - evaluation.budget.total_bytes, {}});
    evaluation.fit = fit::judge(device, evaluation.recipe);
}

}  // namespace memory_budget::api
