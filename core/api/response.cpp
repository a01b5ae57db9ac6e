// SPDX-License-Identifier: MIT
#include "core/api/response.h"

#include "core/api/difference.h"
#include "core/api/full.h"
#include "core/api/notes.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"
#include "core/catalog/machines.h"
#include "core/fit/fit.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {
namespace {

namespace course = budget::course;
using recipe::Key;
using recipe::Kind;
using recipe::Method;
using recipe::Recipe;
using recipe::Shape;
using recipe::ShapeKey;

void write_tier(JsonWriter& writer, std::string_view name, const fit::Tier* tier) {
    writer.key(name);
    if (!tier) {
        writer.null();
        return;
    }
    writer.object();
    writer.text("id", tier->id).integer("low_gb", tier->low_gb).integer("high_gb", tier->high_gb);
    writer.end_object();
}

void write_rows(JsonWriter& writer, const budget::Budget& budget) {
    writer.key("rows").array();
    for (const budget::Row& row : budget.rows) {
        writer.object().text("id", row.id).integer("bytes", row.bytes).text("formula", row.formula);
        writer.key("inputs").object();
        for (const budget::Input& input : row.inputs) writer.number(input.symbol, input.value);
        writer.end_object().text("source", row.source).end_object();
    }
    writer.end_array();
}

/// The segments of a bar and, where there is one, the reserve after them.
void write_segments(JsonWriter& writer, const Evaluation& evaluation) {
    writer.key("segments").array();
    const auto write = [&writer](std::string_view id, std::int64_t bytes, std::span<const std::string_view> rows) {
        writer.object().text("id", id).integer("bytes", bytes).texts("rows", rows).end_object();
    };
    for (const budget::Segment& segment : evaluation.segments) write(segment.id, segment.bytes, segment.rows);
    if (evaluation.fit.reserve_bytes > 0) write("reserve", evaluation.fit.reserve_bytes, {});
    writer.end_array();
}

void write_fit_fields(JsonWriter& writer, const fit::Fit& fit) {
    writer.boolean("fits", fit.fits());
    writer.integer("free_bytes", fit.free_bytes);
    writer.integer("over_bytes", fit.over_bytes);
    writer.integer("requested_bytes", fit.requested_bytes);
    writer.integer("machine_bytes", fit.machine_bytes);
    writer.integer("reserve_bytes", fit.reserve_bytes);
    write_tier(writer, "tier", fit.tier);
}

void write_notes(JsonWriter& writer, const std::vector<Note>& notes) {
    writer.key("notes").array();
    for (const Note& note : notes) {
        writer.object().text("code", note.code).boolean("caution", note.caution).text("source", note.source);
        writer.key("values").object();
        for (const NoteValue& value : note.values) {
            switch (value.kind) {
                case NoteValue::Kind::bytes:
                    writer.integer(value.name, value.bytes);
                    break;
                case NoteValue::Kind::tier:
                    write_tier(writer, value.name, value.tier);
                    break;
                case NoteValue::Kind::flag:
                    writer.boolean(value.name, value.flag);
                    break;
            }
        }
        writer.end_object().end_object();
    }
    writer.end_array();
}

void write_model(JsonWriter& writer, const Shape& model, const budget::Budget& budget) {
    writer.key("model").object();
    writer.text("id", model.id).text("name", model.name).boolean("experts", model.experts);
    for (const recipe::ShapeParameter& row : recipe::shape_parameters()) {
        writer.key(row.key);
        if (model[row.id])
            writer.integer(model[row.id]);
        else
            writer.null();
    }
    writer.integer("trainable_parameters", budget.trainable_parameters).end_object();
}

/// The bytes of each role, the lesson's table of them for the recipe in use, and the lesson's two ratios.
void write_bytes_per_parameter(JsonWriter& writer, const Recipe& recipe) {
    const course::BytesPerParameter bytes = course::bytes_per_parameter(recipe);
    writer.key("bytes_per_parameter").object();
    writer.number("weights", bytes.weights).number("gradients", bytes.gradients);
    writer.number("optimizer", bytes.optimizer).number("master", bytes.master);
    writer.number("states", bytes.states()).number("total", bytes.total()).number("base", bytes.base);
    writer.end_object();

    Recipe eight_bit = recipe;
    eight_bit.set(Key::optimizer, static_cast<double>(static_cast<std::uint8_t>(recipe::Optimizer::adamw_8bit)));
    const course::BytesPerParameter small = course::bytes_per_parameter(eight_bit);
    const auto row = [&](std::string_view id, std::string_view precision, double value, std::string_view source) {
        writer.object().text("id", id).key("precision");
        if (const recipe::Parameter* parameter = recipe::find_parameter(precision))
            write_value(writer, recipe, *parameter);
        else if (precision.empty())
            writer.null();
        else
            writer.text(precision);
        writer.number("bytes", value).text("source", source).end_object();
    };
    writer.key("bytes_per_parameter_table").array();
    row("weights", "weights_dtype", bytes.weights, "lesson-roles");
    row("gradients", "gradients_dtype", bytes.gradients, "lesson-roles");
    row("optimizer", "optimizer", bytes.optimizer, "lesson-roles");
    row("optimizer_8bit", "int8", small.optimizer, "bitsandbytes-8bit");
    row("master", "master", bytes.master, "nvidia-master");
    row("states", "", bytes.states(), "guide-16");
    row("total", "", bytes.total(), "lesson-roles");
    row("total_8bit", "", small.total(), "bitsandbytes-8bit");
    row("base_4bit", "nf4", course::base_4bit, "lesson-4bit");
    writer.end_array();

    writer.key("ratios").object();
    writer.number("full_over_bf16", bytes.total() / 2).number("full_over_q4_k_m", bytes.total() / course::q4_k_m);
    writer.end_object();
}

Recipe with_method(const Recipe& recipe, Method method) {
    Recipe changed = recipe;
    // A base's bytes given by hand are those of the chosen method's base.
    if (recipe.choice<Method>(Key::method) != method) changed.clear(Key::base_bytes_per_parameter);
    changed.set(Key::method, static_cast<double>(static_cast<std::uint8_t>(method)));
    return changed;
}

constexpr Method all_methods[] = {Method::full, Method::lora, Method::qlora};

std::string_view name_of(Method method) {
    return recipe::parameter(Key::method).choices[static_cast<std::size_t>(method)];
}

void write_methods(JsonWriter& writer, const Request& request) {
    writer.key("methods").array();
    for (const Method method : all_methods) {
        recipe::Issues ignored;  // the main estimate has the same
        const Evaluation run = evaluate(request.model, with_method(request.recipe, method), ignored);
        if (run.budget.overflow) continue;
        writer.object().text("method", name_of(method));
        writer.integer("fixed_bytes", run.budget.fixed_bytes).integer("total_bytes", run.budget.total_bytes);
        write_fit_fields(writer, run.fit);
        write_segments(writer, run);
        write_notes(writer, notes(request.model, run));
        writer.end_object();
    }
    writer.end_array();
}

/// A cell of the fit table: one model by one method.
void write_cell(JsonWriter& writer, const Model& model, const Recipe& recipe) {
    recipe::Issues issues;
    const Evaluation run = evaluate(model, recipe, issues);
    if (run.budget.overflow || !issues.errors.empty()) {
        writer.null();
        return;
    }
    writer.object();
    writer.integer("fixed_bytes", run.budget.fixed_bytes).integer("total_bytes", run.budget.total_bytes);
    writer.integer("requested_bytes", run.fit.requested_bytes);
    write_tier(writer, "tier", run.fit.tier);
    bool caution = false;
    writer.key("traced");
    if (const std::int64_t traced = traced_bytes(model.shape, recipe)) {
        const fit::Fit real = fit::judge(traced, recipe);
        writer.object().integer("bytes", traced);
        write_tier(writer, "tier", real.tier);
        writer.end_object();
        caution = real.tier != run.fit.tier;
    } else {
        writer.null();
        caution = !run.detail && experts_stay_wide(model.shape, recipe);
    }
    writer.boolean("caution", caution).end_object();
}

void write_table(JsonWriter& writer, const Request& request) {
    std::vector<Model> models;
    bool listed = false;
    for (const catalog::CourseModel& model : catalog::course_models()) {
        recipe::Issues none;
        models.push_back(find_model(model.id, none));
        listed = listed || model.id == request.model.shape.id;
    }
    if (!listed) models.push_back(request.model);
    // A count given by hand belongs to the chosen model alone.
    Recipe others = request.recipe;
    others.clear(Key::adapter_parameters);

    writer.key("table").object();
    writer.integer("batch", request.recipe.integer(Key::batch));
    writer.integer("sequence", request.recipe.integer(Key::sequence));
    writer.integer("reserve_bytes", fit::judge(0, request.recipe).reserve_bytes);
    writer.key("rows").array();
    for (const Model& model : models) {
        const bool selected = model.shape.id == request.model.shape.id;
        writer.object().key("model").object();
        writer.text("id", model.shape.id).text("name", model.shape.name);
        writer.integer("parameters", model.shape[ShapeKey::parameters]);
        writer.end_object().boolean("selected", selected).key("cells").object();
        for (const Method method : all_methods) {
            writer.key(name_of(method));
            write_cell(writer, model, with_method(selected ? request.recipe : others, method));
        }
        writer.end_object().end_object();
    }
    writer.end_array().end_object();
}

void write_difference(JsonWriter& writer, const Model& model, const Evaluation& detailed) {
    writer.key("difference").array();
    for (const Difference& part : difference(model, detailed)) {
        writer.object().text("id", part.id).integer("course_bytes", part.course_bytes);
        writer.integer("detailed_bytes", part.detailed_bytes).text("reason", part.reason).end_object();
    }
    writer.end_array();
}

void write_request(JsonWriter& writer, const Request& request, const Recipe& recipe) {
    writer.key("request").object().integer("v", 1).key("model");
    if (!request.model.shape.id.empty()) {
        writer.text(request.model.shape.id);
    } else {
        writer.object();
        if (!request.model.shape.name.empty()) writer.text("name", request.model.shape.name);
        if (!request.model.config.empty()) writer.text("config", request.model.config);
        for (const recipe::ShapeParameter& row : recipe::shape_parameters())
            if (request.model.config.empty() && request.model.shape[row.id])
                writer.integer(row.key, request.model.shape[row.id]);
        writer.end_object();
    }
    const bool course = recipe.choice<recipe::Basis>(Key::basis) == recipe::Basis::course;
    const std::uint8_t basis = course ? recipe::basis_course : recipe::basis_detailed;
    for (const recipe::Parameter& row : recipe::parameters()) {
        if (!recipe.has(row.id) || !(row.bases & basis)) continue;
        writer.key(row.key);
        write_value(writer, recipe, row);
    }
    writer.end_object();
}

}  // namespace

void write_issues(JsonWriter& writer, std::string_view name, const std::vector<recipe::Issue>& issues) {
    writer.key(name).array();
    for (const recipe::Issue& issue : issues) {
        writer.object().text("code", issue.code).text("path", issue.path).text("message", issue.message);
        const recipe::Allowed& allowed = issue.allowed;
        if (allowed.has_range || !allowed.choices.empty() || !allowed.type.empty()) {
            writer.key("allowed").object();
            if (!allowed.type.empty()) writer.text("type", allowed.type);
            if (allowed.has_range) writer.number("min", allowed.min).number("max", allowed.max);
            if (!allowed.choices.empty()) writer.texts("choices", allowed.choices);
            writer.end_object();
        }
        writer.end_object();
    }
    writer.end_array();
}

void write_value(JsonWriter& writer, const Recipe& recipe, const recipe::Parameter& row) {
    if (!recipe.has(row.id)) {
        writer.null();
    } else if (row.kind == Kind::boolean) {
        writer.boolean(recipe.flag(row.id));
    } else if (row.kind == Kind::list && recipe.choice<recipe::Targets>(row.id) == recipe::Targets::list) {
        writer.array();
        for (const std::string& name : recipe.target_names) writer.text(name);
        writer.end_array();
    } else if (row.kind == Kind::stack) {
        writer.text(recipe::stacks()[static_cast<std::size_t>(recipe.integer(row.id))].id);
    } else if (row.kind == Kind::machine) {
        writer.text(catalog::machines()[static_cast<std::size_t>(recipe.integer(row.id))].id);
    } else if (row.kind == Kind::choice || row.kind == Kind::list) {
        writer.text(row.choices[static_cast<std::size_t>(recipe.integer(row.id))]);
    } else {
        writer.number(recipe.number(row.id));
    }
}

void respond(JsonWriter& writer, const Request& request, recipe::Issues& issues) {
    const Evaluation run = evaluate(request.model, request.recipe, issues);
    if (!issues.errors.empty()) return;
    if (run.budget.overflow) {
        issues.error("overflow", "", "the figures of this run are beyond 2^53 bytes",
                     {true, 0, budget::max_exact, {}, {}});
        return;
    }
    write_request(writer, request, run.recipe);
    write_model(writer, request.model.shape, run.budget);
    write_bytes_per_parameter(writer, run.recipe);

    writer.key("budget").object().key("basis");
    write_value(writer, run.recipe, recipe::parameter(Key::basis));
    writer.boolean("complete", run.budget.complete);
    writer.integer("fixed_bytes", run.budget.fixed_bytes);
    writer.integer("activations_and_logits_bytes", run.budget.total_bytes - run.budget.fixed_bytes);
    writer.integer("total_bytes", run.budget.total_bytes);
    write_rows(writer, run.budget);
    write_segments(writer, run);
    if (run.detail) write_step(writer, *run.detail);
    writer.end_object();

    writer.key("fit").object();
    write_fit_fields(writer, run.fit);
    writer.end_object();
    write_notes(writer, notes(request.model, run));
    if (request.views & view_methods) write_methods(writer, request);
    if (request.views & view_table) write_table(writer, request);
    if ((request.views & view_difference) && run.detail) write_difference(writer, request.model, run);
    if ((request.views & view_inventory) && request.model.architecture)
        write_inventory(writer, *request.model.architecture, run.recipe);
    if ((request.views & view_timeline) && run.detail) write_timeline(writer, *request.model.architecture, run.recipe);
    write_decisions(writer, request, run);
}

}  // namespace memory_budget::api
