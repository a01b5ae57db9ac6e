// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>

#include "core/api/full.h"
#include "core/catalog/machines.h"
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
    plan.dora = recipe.flag(Key::dora);
    plan.train_head = recipe.flag(Key::train_head);
    plan.train_embedding = recipe.flag(Key::train_embedding);
    return plan;
}

std::int64_t adapter_parameters(const Model& model, const recipe::Recipe& recipe, recipe::Issues& issues) {
    if (!model.architecture) {
        issues.warn("adapter-choices-unused", "model",
                    "of a model that is known by its sizes alone the seven are adapted");
        return 0;
    }
    const model::ExpertAdapters experts = recipe.has(Key::expert_adapters)
                                              ? recipe.choice<model::ExpertAdapters>(Key::expert_adapters)
                                              : model::ExpertAdapters::dense_equivalent;
    const model::AdapterCount count =
        model::count_adapter(*model.architecture, model::inventory(*model.architecture), adapter_plan(recipe, experts));
    for (const model::Issue& issue : count.errors) issues.error(issue.code, "targets", issue.message);
    for (const model::Issue& issue : count.warnings) issues.warn(issue.code, "targets", issue.message);
    return count.parameters;
}

namespace {

/// What routed experts carry in a dry run: what PEFT makes of the stack's classes.
model::ExpertAdapters played_experts(const model::Architecture& architecture, const recipe::Recipe& recipe) {
    if (recipe::stack_of(recipe).pieces.separate_experts) return model::ExpertAdapters::separate;
    const bool by_name =
        std::any_of(architecture.blocks.begin(), architecture.blocks.end(),
                    [](const model::Block& block) { return block.experts.present() && block.experts.adapted_by_name; });
    return by_name ? model::ExpertAdapters::fused : model::ExpertAdapters::left_out;
}

/// Choices that the machine cannot run.
void check_machine(const recipe::Recipe& recipe, recipe::Issues& issues) {
    if (!recipe.has(Key::machine)) return;
    const std::string_view id = catalog::machines()[static_cast<std::size_t>(recipe.integer(Key::machine))].id;
    const bool without_paging = id.substr(0, 6) == "apple-" || id.substr(0, 4) == "arc-";
    if (without_paging && recipe.choice<recipe::Optimizer>(Key::optimizer) == recipe::Optimizer::paged_adamw_8bit)
        issues.warn("paged-needs-cuda", "optimizer", "paged optimizers move states by CUDA's unified memory");
}

/// Choices of adapters that a dry run does not play.
void check_adapter(const model::Architecture& architecture, const recipe::Recipe& recipe, recipe::Issues& issues) {
    if (recipe.choice<recipe::Method>(Key::method) == recipe::Method::full) return;
    for (const Key key : {Key::dora, Key::train_head, Key::train_embedding})
        if (recipe.flag(key))
            issues.warn("adapter-not-played", std::string(recipe::parameter(key).key),
                        "the dry run does not play this: its figures are without");
    const bool mixture = std::any_of(architecture.blocks.begin(), architecture.blocks.end(),
                                     [](const model::Block& block) { return block.experts.present(); });
    if (mixture && recipe.has(Key::expert_adapters) &&
        recipe.choice<model::ExpertAdapters>(Key::expert_adapters) != played_experts(architecture, recipe))
        issues.warn("experts-as-stack", "expert_adapters",
                    "the dry run puts adapters on experts as this stack's libraries do: its figures are those");
}

}  // namespace

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
    check_machine(evaluation.recipe, issues);
    check_adapter(*model.architecture, evaluation.recipe, issues);
    evaluation.detail = budget::detailed::estimate(model.architecture, evaluation.recipe);
    evaluation.budget = evaluation.detail->budget;
    evaluation.segments = budget::detailed::segments(evaluation.budget, evaluation.recipe);
    const std::int64_t device = evaluation.detail->levels.back().bytes;
    evaluation.segments.push_back({"overhead", device - evaluation.budget.total_bytes, {}});
    evaluation.fit = fit::judge(device, evaluation.recipe);
}

}  // namespace memory_budget::api
