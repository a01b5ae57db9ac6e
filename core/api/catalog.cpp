// SPDX-License-Identifier: MIT
#include "core/api/api.h"
#include "core/api/response.h"
#include "core/catalog/course.h"
#include "core/fit/tiers.h"

namespace memory_budget::api {
namespace {

constexpr std::string_view kind_names[] = {"choice", "integer", "number", "boolean", "list"};
constexpr std::string_view method_names[] = {"full", "lora", "qlora"};
constexpr std::string_view basis_names[] = {"course", "detailed"};

template <std::size_t N>
Json names_of(const std::string_view (&names)[N], unsigned mask) {
    Json list = Json::array();
    for (std::size_t i = 0; i < N; ++i)
        if (mask & (1u << i)) list.push_back(names[i]);
    return list;
}

Json range(double min, double max) {
    return {{"min", min == static_cast<double>(static_cast<std::int64_t>(min)) ? Json(static_cast<std::int64_t>(min))
                                                                               : Json(min)},
            {"max", static_cast<std::int64_t>(max)}};
}

Json text_or_null(std::string_view text) {
    return text.empty() ? Json(nullptr) : Json(text);
}

Json kebab(std::string_view key) {
    std::string text(key);
    for (char& c : text)
        if (c == '_') c = '-';
    return text;
}

Json parameter_json(const recipe::Parameter& row) {
    const recipe::Recipe defaults;
    Json json = {{"key", row.key},
                 {"attribute", kebab(row.key)},
                 {"url", row.url},
                 {"kind", kind_names[static_cast<std::size_t>(row.kind)]},
                 {"unit", text_or_null(row.unit)},
                 {"default", value_of(defaults, row)},
                 {"methods", names_of(method_names, row.methods)},
                 {"bases", names_of(basis_names, row.bases)},
                 {"group", row.group},
                 {"since", row.since}};
    if (row.kind == recipe::Kind::integer || row.kind == recipe::Kind::number) json.update(range(row.min, row.max));
    if (!row.choices.empty()) json["choices"] = row.choices;
    return json;
}

Json parsed(std::string_view text) {
    return Json::parse(text.begin(), text.end(), nullptr, false);
}

}  // namespace

std::string catalog() {
    Json json = {{"schema", 1}, {"version", version()}};
    for (const recipe::Parameter& row : recipe::parameters()) json["parameters"].push_back(parameter_json(row));
    for (const recipe::ShapeParameter& row : recipe::shape_parameters()) {
        Json entry = {{"key", row.key},
                      {"attribute", "model-" + kebab(row.key).get<std::string>()},
                      {"url", "model." + std::string(row.key)},
                      {"kind", "integer"},
                      {"unit", text_or_null(row.unit)}};
        entry.update(range(row.min, row.max));
        json["shape"].push_back(std::move(entry));
    }
    for (const catalog::CourseModel& model : catalog::course_models()) {
        const recipe::Shape shape = catalog::shape_of(model);
        Json entry = {{"id", model.id}, {"name", model.name}, {"course", true}, {"experts", model.experts}};
        for (const recipe::ShapeParameter& row : recipe::shape_parameters()) entry[row.key] = shape[row.id];
        json["models"].push_back(std::move(entry));
    }
    json["default_model"] = "qwen3-1.7b";
    for (const fit::Tier& tier : fit::tiers())
        json["tiers"].push_back({{"id", tier.id}, {"low_gb", tier.low_gb}, {"high_gb", tier.high_gb}});
    for (const catalog::NamedRecipe& recipe : catalog::named_recipes())
        json["recipes"].push_back({{"id", recipe.id}, {"set", parsed(recipe.set)}});
    for (const catalog::Preset& preset : catalog::presets())
        json["presets"].push_back(
            {{"id", preset.id}, {"document", preset.document}, {"request", parsed(preset.request)}});
    return dump(json);
}

}  // namespace memory_budget::api
