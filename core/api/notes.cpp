// SPDX-License-Identifier: MIT
#include "core/api/notes.h"

#include <cmath>

#include "core/api/full.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"
#include "core/fit/fit.h"

namespace memory_budget::api {
namespace {

using recipe::Key;
using recipe::Method;
using recipe::Recipe;
using recipe::Shape;

NoteValue bytes(std::string_view name, std::int64_t value) {
    return {name, NoteValue::Kind::bytes, value};
}

NoteValue tier(std::string_view name, const fit::Fit& fit) {
    return {name, NoteValue::Kind::tier, 0, fit.tier};
}

NoteValue flag(std::string_view name, bool value) {
    return {name, NoteValue::Kind::flag, 0, nullptr, value};
}

/// The lesson's rank, targets and precisions: those that its cases were traced with.
bool lesson_case(const Recipe& recipe) {
    const Recipe defaults;
    if (recipe.choice<recipe::Basis>(Key::basis) != recipe::Basis::course) return false;
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

bool experts_stay_wide(const Shape& model, const Recipe& recipe) {
    return model.experts && recipe.choice<Method>(Key::method) == Method::qlora;
}

std::vector<Note> notes(const Model& model, const Evaluation& run) {
    const Recipe& recipe = run.recipe;
    const Shape& shape = model.shape;
    if (run.detail) return findings(*model.architecture, shape, run);
    std::vector<Note> list;
    const Method method = recipe.choice<Method>(Key::method);
    const catalog::CourseModel* course = catalog::find_course_model(shape.id);
    if (experts_stay_wide(shape, recipe)) {
        const std::int64_t frozen = course               ? course->traced.qlora_frozen
                                    : model.architecture ? quantized_base_bytes(*model.architecture)
                                                         : 0;
        const double arithmetic = static_cast<double>(shape[recipe::ShapeKey::parameters]) * budget::course::base_4bit;
        list.push_back({"experts-not-quantized",
                        true,
                        "traced-lesson",
                        {bytes("frozen_bytes", frozen), bytes("course_bytes", std::llround(arithmetic))}});
    }
    if (const std::int64_t traced = course ? traced_bytes(shape, recipe) : 0) {
        const fit::Fit said = fit::judge(run.budget.total_bytes, recipe);
        const fit::Fit real = fit::judge(traced, recipe);
        Note note = {"traced", said.tier != real.tier || said.fits() != real.fits(), "traced-lesson"};
        note.values = {bytes("traced_bytes", traced), bytes("course_bytes", run.budget.total_bytes),
                       tier("traced_tier", real), tier("course_tier", said), flag("fits", real.fits())};
        if (method == Method::full) note.values.push_back(bytes("pure_bf16_bytes", course->traced.full_bf16));
        if (method == Method::lora) note.values.push_back(bytes("nll_bytes", course->traced.lora_nll));
        if (method == Method::qlora) note.values.push_back(bytes("nll_bytes", course->traced.qlora_nll));
        list.push_back(std::move(note));
    }
    if (shape.experts) {
        list.push_back({"moe-total-weights", false, "lesson-moe"});
        if (method != Method::full && !recipe.has(Key::adapter_parameters))
            list.push_back({"moe-dense-adapter", false, "lesson-moe"});
    }
    return list;
}

}  // namespace memory_budget::api
