// SPDX-License-Identifier: MIT
#include "core/api/notes.h"

#include <cmath>

#include "core/budget/course.h"
#include "core/fit/fit.h"

namespace memory_budget::api {
namespace {

using recipe::Key;
using recipe::Method;
using recipe::Recipe;
using recipe::Shape;

Json note(std::string_view code, bool caution, std::string_view source, Json values = Json::object()) {
    return {{"code", code}, {"caution", caution}, {"source", source}, {"values", std::move(values)}};
}

Json tier_id(std::int64_t total, const Recipe& recipe) {
    const fit::Tier* tier = fit::judge(total, recipe).tier;
    return tier ? Json(tier->id) : Json(nullptr);
}

/// The lesson's rank, targets and precisions: those that its cases were traced with.
bool lesson_case(const Recipe& recipe) {
    const Recipe defaults;
    for (const Key key : {Key::batch, Key::sequence, Key::weights_dtype, Key::gradients_dtype, Key::master,
                          Key::optimizer, Key::checkpointing, Key::sharding})
        if (recipe.number(key) != defaults.number(key)) return false;
    if (recipe.has(Key::base_bytes_per_parameter) || recipe.has(Key::adapter_parameters)) return false;
    return recipe.choice<Method>(Key::method) == Method::full ||
           (recipe.number(Key::rank) == defaults.number(Key::rank) &&
            recipe.number(Key::targets) == defaults.number(Key::targets));
}

}  // namespace

std::int64_t traced_bytes(const Shape& model, const Recipe& recipe) {
    const catalog::CourseModel* course = catalog::find_course_model(model.id);
    if (!course || !lesson_case(recipe)) return 0;
    switch (recipe.choice<Method>(Key::method)) {
        case Method::full:
            return course->traced.full;
        case Method::lora:
            return course->traced.lora;
        case Method::qlora:
            break;
    }
    return course->traced.qlora;
}

Json notes(const Shape& model, const Recipe& recipe, const budget::Budget& budget) {
    Json list = Json::array();
    const Method method = recipe.choice<Method>(Key::method);
    const catalog::CourseModel* course = catalog::find_course_model(model.id);
    if (course && course->experts && method == Method::qlora) {
        list.push_back(note(
            "experts-not-quantized", true, "traced-lesson",
            {{"frozen_bytes", course->traced.qlora_frozen},
             {"course_bytes", std::llround(static_cast<double>(course->parameters) * budget::course::base_4bit)}}));
    }
    if (const std::int64_t traced = traced_bytes(model, recipe)) {
        const Json course_tier = tier_id(budget.total_bytes, recipe);
        const Json traced_tier = tier_id(traced, recipe);
        Json values = {{"traced_bytes", traced},
                       {"course_bytes", budget.total_bytes},
                       {"course_tier", course_tier},
                       {"traced_tier", traced_tier},
                       {"fits", fit::judge(traced, recipe).fits()}};
        if (method == Method::full) values["pure_bf16_bytes"] = course->traced.full_bf16;
        if (method == Method::lora) values["nll_bytes"] = course->traced.lora_nll;
        if (method == Method::qlora) values["nll_bytes"] = course->traced.qlora_nll;
        const bool differs = course_tier != traced_tier ||
                             fit::judge(traced, recipe).fits() != fit::judge(budget.total_bytes, recipe).fits();
        list.push_back(note("traced", differs, "traced-lesson", std::move(values)));
    }
    if (model.experts) {
        list.push_back(note("moe-total-weights", false, "lesson-moe"));
        if (method != Method::full && !recipe.has(Key::adapter_parameters))
            list.push_back(note("moe-dense-adapter", false, "lesson-moe"));
    }
    return list;
}

}  // namespace memory_budget::api
