// SPDX-License-Identifier: MIT
#include "core/api/gauge.h"

#include "core/api/full.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {

using recipe::Key;
using recipe::Recipe;

namespace {

bool detailed(const Recipe& recipe) {
    return recipe.choice<recipe::Basis>(Key::basis) == recipe::Basis::detailed;
}

}  // namespace

Recipe RunGauge::resolved(const Recipe& recipe) {
    Recipe filled = recipe;
    if (detailed(recipe)) recipe::apply_stack(filled);
    return filled;
}

void RunGauge::prepare(const Recipe& recipe) {
    prepared_ = recipe;
    outline_.reset();
    recipe::Issues issues;
    if (detailed(recipe)) {
        known_ = model_.architecture && budget::step::playable(*model_.architecture);
        if (!known_) return;
        const Recipe filled = resolved(recipe);
        budget::detailed::check(filled, issues);
        outline_.emplace(model_.architecture, filled);
    } else {
        Recipe token = recipe;
        token.set(Key::batch, 1);
        token.set(Key::sequence, 1);
        budget_ = evaluate(model_, token, issues).budget;
        known_ = issues.errors.empty() && !budget_.overflow;
    }
    warnings_ = issues.warnings.size();
}

fit::Need RunGauge::need(const Recipe& recipe) {
    if (!prepared_ || !prepared_->same_but_size(recipe)) prepare(recipe);
    if (!known_) return {};
    std::int64_t total = 0, asked = 0;
    if (outline_) {
        const auto peak = outline_->at(recipe.integer(Key::batch), recipe.integer(Key::sequence));
        total = peak.bytes;
        asked = peak.device_bytes;
        if (total < 0 || static_cast<double>(total) > budget::max_exact) return {};
    } else {
        const double tokens = recipe.number(Key::batch) * recipe.number(Key::sequence);
        const double exact =
            static_cast<double>(budget_.fixed_bytes) + tokens * static_cast<double>(budget_.bytes_per_token);
        if (exact > budget::max_exact) return {};
        total = asked = static_cast<std::int64_t>(exact);
    }
    return {true, total, fit::judge(asked, recipe), warnings_};
}

bool RunGauge::hopeless(const Recipe& recipe) {
    if (!prepared_ || !prepared_->same_but_size(recipe)) prepare(recipe);
    return !known_ || (outline_ && !fit::judge(outline_->resting_bytes(), recipe).fits());
}

std::string_view RunGauge::peak_phase(const Recipe& recipe) {
    if (!need(recipe).known || !outline_) return {};
    return phase_name(outline_->phase(recipe.integer(Key::batch), recipe.integer(Key::sequence)));
}

}  // namespace memory_budget::api
