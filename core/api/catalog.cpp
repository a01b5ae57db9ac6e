// SPDX-License-Identifier: MIT
#include "core/api/api.h"
#include "core/api/full.h"
#include "core/api/response.h"
#include "core/catalog/course.h"
#include "core/catalog/machines.h"
#include "core/fit/tiers.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {
namespace {

constexpr std::string_view kind_names[] = {"choice", "integer", "number", "boolean", "list", "machine", "stack"};
constexpr std::string_view method_names[] = {"full", "lora", "qlora"};
constexpr std::string_view reading_names[] = {"framework", "reported", "share"};
constexpr std::string_view basis_names[] = {"course", "detailed"};

void write_mask(JsonWriter& writer, std::string_view name, std::span<const std::string_view> names, unsigned mask) {
    writer.key(name).array();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (mask & (1u << i)) writer.text(names[i]);
    writer.end_array();
}

void write_unit(JsonWriter& writer, std::string_view unit) {
    writer.key("unit");
    if (unit.empty())
        writer.null();
    else
        writer.text(unit);
}

std::string kebab(std::string_view key) {
    std::string text(key);
    for (char& c : text)
        if (c == '_') c = '-';
    return text;
}

void write_parameter(JsonWriter& writer, const recipe::Parameter& row) {
    writer.object().text("key", row.key).text("attribute", kebab(row.key)).text("url", row.url);
    writer.text("kind", kind_names[static_cast<std::size_t>(row.kind)]);
    write_unit(writer, row.unit);
    writer.key("default");
    write_value(writer, recipe::Recipe(), row);
    if (row.kind == recipe::Kind::integer || row.kind == recipe::Kind::number)
        writer.number("min", row.min).number("max", row.max);
    if (!row.choices.empty()) writer.texts("choices", row.choices);
    write_mask(writer, "methods", method_names, row.methods);
    write_mask(writer, "bases", basis_names, row.bases);
    writer.text("group", row.group).integer("since", row.since).end_object();
}

void write_shape_parameter(JsonWriter& writer, const recipe::ShapeParameter& row) {
    writer.object().text("key", row.key).text("attribute", "model-" + kebab(row.key));
    writer.text("url", "model." + std::string(row.key)).text("kind", "integer");
    write_unit(writer, row.unit);
    writer.number("min", row.min).number("max", row.max).end_object();
}

void write_model(JsonWriter& writer, const catalog::CourseModel& model) {
    const recipe::Shape shape = catalog::shape_of(model);
    writer.object().text("id", model.id).text("name", model.name);
    writer.boolean("course", true).boolean("experts", model.experts);
    for (const recipe::ShapeParameter& row : recipe::shape_parameters()) writer.integer(row.key, shape[row.id]);
    writer.end_object();
}

void write_machine(JsonWriter& writer, const catalog::Machine& machine) {
    writer.object().text("id", machine.id).text("name", machine.name).boolean("unified", machine.unified);
    writer.integer("marketed_gb", machine.marketed_gb).integer("bytes", machine.bytes());
    writer.text("reading", reading_names[static_cast<std::size_t>(machine.reading)]).end_object();
}

}  // namespace

std::string catalog() {
    JsonWriter writer;
    writer.object().integer("schema", 1).text("version", version()).boolean("full", is_full());
    writer.key("parameters").array();
    for (const recipe::Parameter& row : recipe::parameters()) write_parameter(writer, row);
    writer.end_array().key("shape").array();
    for (const recipe::ShapeParameter& row : recipe::shape_parameters()) write_shape_parameter(writer, row);
    writer.end_array().text("default_model", catalog::default_model).key("models").array();
    for (const catalog::CourseModel& model : catalog::course_models()) write_model(writer, model);
    write_known_models(writer);
    writer.end_array().key("tiers").array();
    for (const fit::Tier& tier : fit::tiers())
        writer.object()
            .text("id", tier.id)
            .integer("low_gb", tier.low_gb)
            .integer("high_gb", tier.high_gb)
            .end_object();
    writer.end_array().key("machines").array();
    for (const catalog::Machine& machine : catalog::machines()) write_machine(writer, machine);
    writer.end_array().key("stacks").array();
    for (const recipe::Stack& stack : recipe::stacks())
        writer.object().text("id", stack.id).text("versions", stack.versions).end_object();
    writer.end_array().key("recipes").array();
    for (const catalog::NamedRecipe& recipe : catalog::named_recipes())
        writer.object().text("id", recipe.id).key("set").raw(recipe.set).end_object();
    writer.end_array().key("presets").array();
    for (const catalog::Preset& preset : catalog::presets())
        writer.object()
            .text("id", preset.id)
            .text("document", preset.document)
            .key("request")
            .raw(preset.request)
            .end_object();
    return writer.end_array().end_object().take();
}

}  // namespace memory_budget::api
