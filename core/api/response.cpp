// SPDX-License-Identifier: MIT
#include "core/api/response.h"

#include "core/api/notes.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"
#include "core/fit/fit.h"

namespace memory_budget::api {
namespace {

namespace course = budget::course;
using recipe::Key;
using recipe::Kind;
using recipe::Method;
using recipe::Recipe;
using recipe::Shape;
using recipe::ShapeKey;

Json tier_json(const fit::Tier* tier) {
    if (!tier) return nullptr;
    return {{"id", tier->id}, {"low_gb", tier->low_gb}, {"high_gb", tier->high_gb}};
}

/// Whole numbers leave as integers, so that no reader sees 16.0.
Json number_json(double value) {
    const auto whole = static_cast<std::int64_t>(value);
    return static_cast<double>(whole) == value ? Json(whole) : Json(value);
}

Json rows_json(const budget::Budget& budget) {
    Json rows = Json::array();
    for (const budget::Row& row : budget.rows) {
        Json inputs = Json::object();
        for (const budget::Input& input : row.inputs) inputs[input.symbol] = number_json(input.value);
        rows.push_back({{"id", row.id},
                        {"bytes", row.bytes},
                        {"formula", row.formula},
                        {"inputs", std::move(inputs)},
                        {"source", row.source}});
    }
    return rows;
}

/// The lesson's segments and, where there is one, the reserve after them.
Json segments_json(const budget::Budget& budget, const fit::Fit& fit) {
    Json segments = Json::array();
    for (const budget::Segment& segment : course::segments(budget))
        segments.push_back({{"id", segment.id}, {"bytes", segment.bytes}, {"rows", segment.rows}});
    if (fit.reserve_bytes > 0)
        segments.push_back({{"id", "reserve"}, {"bytes", fit.reserve_bytes}, {"rows", Json::array()}});
    return segments;
}

Json fit_json(const fit::Fit& fit) {
    return {{"fits", fit.fits()},
            {"free_bytes", fit.free_bytes},
            {"over_bytes", fit.over_bytes},
            {"requested_bytes", fit.requested_bytes},
            {"machine_bytes", fit.machine_bytes},
            {"reserve_bytes", fit.reserve_bytes},
            {"tier", tier_json(fit.tier)}};
}

Json model_json(const Shape& model, const budget::Budget& budget) {
    Json json = {{"id", model.id}, {"name", model.name}, {"experts", model.experts}};
    for (const recipe::ShapeParameter& row : recipe::shape_parameters())
        json[row.key] = model[row.id] ? Json(model[row.id]) : Json(nullptr);
    json["trainable_parameters"] = budget.trainable_parameters;
    return json;
}

Json bytes_json(const course::BytesPerParameter& bytes) {
    return {{"weights", number_json(bytes.weights)},
            {"gradients", number_json(bytes.gradients)},
            {"optimizer", number_json(bytes.optimizer)},
            {"master", number_json(bytes.master)},
            {"total", number_json(bytes.total())},
            {"states", number_json(bytes.states())},
            {"base", number_json(bytes.base)}};
}

/// The lesson's table of bytes per parameter, for the recipe in use, with the two rows that do not depend on it.
Json bytes_table(const Recipe& recipe) {
    const course::BytesPerParameter bytes = course::bytes_per_parameter(recipe);
    Recipe eight_bit = recipe;
    eight_bit.set(Key::optimizer, static_cast<double>(static_cast<std::uint8_t>(recipe::Optimizer::adamw_8bit)));
    const course::BytesPerParameter small = course::bytes_per_parameter(eight_bit);
    const auto row = [](std::string_view id, const Json& precision, double value, std::string_view source) {
        return Json{{"id", id}, {"precision", precision}, {"bytes", number_json(value)}, {"source", source}};
    };
    const auto text = [&recipe](Key key) { return value_of(recipe, recipe::parameter(key)); };
    return {row("weights", text(Key::weights_dtype), bytes.weights, "lesson-roles"),
            row("gradients", text(Key::gradients_dtype), bytes.gradients, "lesson-roles"),
            row("optimizer", text(Key::optimizer), bytes.optimizer, "lesson-roles"),
            row("optimizer_8bit", "int8", small.optimizer, "bitsandbytes-8bit"),
            row("master", text(Key::master), bytes.master, "nvidia-master"),
            row("states", nullptr, bytes.states(), "guide-16"),
            row("total", nullptr, bytes.total(), "lesson-roles"),
            row("total_8bit", "int8", small.total(), "bitsandbytes-8bit"),
            row("base_4bit", "nf4", course::base_4bit, "lesson-4bit")};
}

Recipe with_method(const Recipe& recipe, Method method) {
    Recipe changed = recipe;
    changed.set(Key::method, static_cast<double>(static_cast<std::uint8_t>(method)));
    return changed;
}

constexpr Method all_methods[] = {Method::full, Method::lora, Method::qlora};

std::string_view name_of(Method method) {
    return recipe::parameter(Key::method).choices[static_cast<std::size_t>(method)];
}

Json methods_json(const Shape& model, const Recipe& recipe) {
    Json list = Json::array();
    for (const Method method : all_methods) {
        const Recipe changed = with_method(recipe, method);
        recipe::Issues ignored;  // the same as the main estimate's
        const budget::Budget budget = course::estimate(model, changed, ignored);
        if (budget.overflow) continue;
        const fit::Fit fit = fit::judge(budget.total_bytes, changed);
        Json json = fit_json(fit);
        json["method"] = name_of(method);
        json["fixed_bytes"] = budget.fixed_bytes;
        json["total_bytes"] = budget.total_bytes;
        json["segments"] = segments_json(budget, fit);
        json["notes"] = notes(model, changed, budget);
        list.push_back(std::move(json));
    }
    return list;
}

/// A cell of the fit table: one model by one method.
Json cell_json(const Shape& model, const Recipe& recipe) {
    recipe::Issues ignored;
    const budget::Budget budget = course::estimate(model, recipe, ignored);
    if (budget.overflow) return nullptr;
    const fit::Fit fit = fit::judge(budget.total_bytes, recipe);
    Json cell = {{"fixed_bytes", budget.fixed_bytes},
                 {"total_bytes", budget.total_bytes},
                 {"requested_bytes", fit.requested_bytes},
                 {"tier", tier_json(fit.tier)},
                 {"traced", nullptr},
                 {"caution", false}};
    if (const std::int64_t traced = traced_bytes(model, recipe)) {
        const fit::Fit real = fit::judge(traced, recipe);
        cell["traced"] = {{"bytes", traced}, {"tier", tier_json(real.tier)}};
        cell["caution"] = real.tier != fit.tier;
    } else if (model.experts && recipe.choice<Method>(Key::method) == Method::qlora) {
        cell["caution"] = true;
    }
    return cell;
}

Json table_json(const Request& request) {
    std::vector<Shape> models;
    bool listed = false;
    for (const catalog::CourseModel& model : catalog::course_models()) {
        models.push_back(catalog::shape_of(model));
        listed = listed || model.id == request.model.id;
    }
    if (!listed) models.push_back(request.model);
    // Counts given by hand belong to the chosen model alone.
    Recipe others;
    for (const recipe::Parameter& row : recipe::parameters())
        if (row.id != Key::adapter_parameters && request.recipe.given(row.id))
            others.set(row.id, request.recipe.number(row.id));
    others.target_names = request.recipe.target_names;

    Json rows = Json::array();
    for (const Shape& model : models) {
        const bool selected = model.id == request.model.id;
        Json cells = Json::object();
        for (const Method method : all_methods)
            cells[name_of(method)] = cell_json(model, with_method(selected ? request.recipe : others, method));
        rows.push_back(
            {{"model", {{"id", model.id}, {"name", model.name}, {"parameters", model[ShapeKey::parameters]}}},
             {"selected", selected},
             {"cells", std::move(cells)}});
    }
    return {{"batch", request.recipe.integer(Key::batch)},
            {"sequence", request.recipe.integer(Key::sequence)},
            {"reserve_bytes", fit::judge(0, request.recipe).reserve_bytes},
            {"rows", std::move(rows)}};
}

Json request_json(const Request& request) {
    Json json = {{"v", 1}};
    for (const recipe::Parameter& row : recipe::parameters()) {
        Json value = value_of(request.recipe, row);
        if (!value.is_null()) json[row.key] = std::move(value);
    }
    if (!request.model.id.empty()) {
        json["model"] = request.model.id;
    } else {
        Json model = Json::object();
        if (!request.model.name.empty()) model["name"] = request.model.name;
        for (const recipe::ShapeParameter& row : recipe::shape_parameters())
            if (request.model[row.id]) model[row.key] = request.model[row.id];
        json["model"] = std::move(model);
    }
    return json;
}

}  // namespace

Json issue_list(const std::vector<recipe::Issue>& issues) {
    Json list = Json::array();
    for (const recipe::Issue& issue : issues) {
        Json json = {{"code", issue.code}, {"path", issue.path}, {"message", issue.message}};
        Json allowed = Json::object();
        if (issue.allowed.has_range) {
            allowed["min"] = number_json(issue.allowed.min);
            allowed["max"] = number_json(issue.allowed.max);
        }
        if (!issue.allowed.choices.empty()) allowed["choices"] = issue.allowed.choices;
        if (!issue.allowed.type.empty()) allowed["type"] = issue.allowed.type;
        if (!allowed.empty()) json["allowed"] = std::move(allowed);
        list.push_back(std::move(json));
    }
    return list;
}

Json value_of(const Recipe& recipe, const recipe::Parameter& row) {
    if (!recipe.has(row.id)) return nullptr;
    if (row.kind == Kind::boolean) return recipe.flag(row.id);
    if (row.kind == Kind::list && recipe.choice<recipe::Targets>(row.id) == recipe::Targets::list)
        return recipe.target_names;
    if (row.kind == Kind::choice || row.kind == Kind::list)
        return row.choices[static_cast<std::size_t>(recipe.integer(row.id))];
    return number_json(recipe.number(row.id));
}

Json respond(const Request& request, recipe::Issues& issues) {
    const budget::Budget budget = course::estimate(request.model, request.recipe, issues);
    if (budget.overflow) {
        issues.error("overflow", "", "the figures of this run are beyond 2^53 bytes",
                     {true, 0, budget::max_exact, {}, {}});
        return Json::object();
    }
    const fit::Fit fit = fit::judge(budget.total_bytes, request.recipe);
    const course::BytesPerParameter bytes = course::bytes_per_parameter(request.recipe);

    Json json = Json::object();
    json["request"] = request_json(request);
    json["model"] = model_json(request.model, budget);
    json["bytes_per_parameter"] = bytes_json(bytes);
    json["bytes_per_parameter_table"] = bytes_table(request.recipe);
    json["ratios"] = {{"full_over_bf16", bytes.total() / 2}, {"full_over_q4_k_m", bytes.total() / course::q4_k_m}};
    json["budget"] = {{"basis", value_of(request.recipe, recipe::parameter(Key::basis))},
                      {"complete", budget.complete},
                      {"fixed_bytes", budget.fixed_bytes},
                      {"activations_and_logits_bytes", budget.total_bytes - budget.fixed_bytes},
                      {"total_bytes", budget.total_bytes},
                      {"rows", rows_json(budget)},
                      {"segments", segments_json(budget, fit)}};
    json["fit"] = fit_json(fit);
    json["notes"] = notes(request.model, request.recipe, budget);
    if (request.views & view_methods) json["methods"] = methods_json(request.model, request.recipe);
    if (request.views & view_table) json["table"] = table_json(request);
    return json;
}

}  // namespace memory_budget::api
