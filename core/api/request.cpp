// SPDX-License-Identifier: MIT
#include "core/api/request.h"

#include <algorithm>
#include <cmath>

#include "core/api/full.h"
#include "core/budget/course.h"
#include "core/catalog/course.h"
#include "core/catalog/machines.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {
namespace {

using model::Config;
using recipe::Allowed;
using recipe::Issues;
using recipe::Key;
using recipe::Kind;
using recipe::Parameter;
using recipe::ShapeKey;

constexpr std::string_view view_names[] = {"methods",   "table",  "difference", "timeline",
                                           "inventory", "limits", "changes"};

Allowed of_type(std::string_view type) {
    Allowed allowed;
    allowed.type = type;
    return allowed;
}

Allowed one_of(std::span<const std::string_view> names) {
    Allowed allowed;
    allowed.choices.assign(names.begin(), names.end());
    return allowed;
}

std::optional<std::size_t> find_choice(const Config& value, std::span<const std::string_view> names) {
    if (!value.is_string()) return std::nullopt;
    const std::string_view text = value.text();
    for (std::size_t i = 0; i < names.size(); ++i)
        if (names[i] == text) return i;
    return std::nullopt;
}

/// `targets`: one of the named sets, or a list of module names.
void read_targets(const Config& value, const Parameter& row, recipe::Recipe& recipe, Issues& issues) {
    if (const auto choice = find_choice(value, row.choices)) {
        recipe.set(row.id, static_cast<double>(*choice));
        return;
    }
    if (!value.is_list() || value.items().empty()) {
        issues.error(value.is_string() ? "not-a-choice" : "wrong-type", "targets",
                     "targets is a named set or a list of module names", one_of(row.choices));
        return;
    }
    recipe.target_names.clear();
    for (const Config& item : value.items()) recipe.target_names.emplace_back(item.text());
    recipe.set(row.id, static_cast<double>(static_cast<std::uint8_t>(recipe::Targets::list)));
}

/// A model of which only sizes are known has the seven projections; an architecture knows its own names.
void check_targets(const Request& request, Issues& issues) {
    const auto& names = budget::course::projection_names();
    const bool own_names = request.model.architecture && !catalog::find_course_model(request.model.shape.id);
    for (std::size_t i = 0; i < request.recipe.target_names.size(); ++i) {
        const std::string& name = request.recipe.target_names[i];
        const bool known = std::find(names.begin(), names.end(), name) != names.end();
        const std::string path = "targets[" + std::to_string(i) + "]";
        if (name.empty() || (!known && !own_names))
            issues.error("not-a-choice", path, path + " is not the name of a projection", one_of(names));
    }
}

/// A machine by name; its memory stands unless `machine_gb` is given beside it.
void read_machine(const Config& value, const Parameter& row, recipe::Recipe& recipe, Issues& issues) {
    const auto machines = catalog::machines();
    for (std::size_t i = 0; value.is_string() && i < machines.size(); ++i)
        if (machines[i].id == value.text()) {
            recipe.set(row.id, static_cast<double>(i));
            return;
        }
    Allowed allowed;
    for (const catalog::Machine& machine : machines) allowed.choices.push_back(machine.id);
    issues.error(value.is_string() ? "not-a-choice" : "wrong-type", "machine",
                 "there is no such machine in the catalog", std::move(allowed));
}

void read_stack(const Config& value, const Parameter& row, recipe::Recipe& recipe, Issues& issues) {
    std::vector<std::string_view> ids;
    for (const recipe::Stack& stack : recipe::stacks()) ids.push_back(stack.id);
    if (const auto choice = find_choice(value, ids))
        recipe.set(row.id, static_cast<double>(*choice));
    else
        issues.error(value.is_string() ? "not-a-choice" : "wrong-type", "stack", "stack is one of a list", one_of(ids));
}

void read_value(const Config& value, const Parameter& row, recipe::Recipe& recipe, Issues& issues) {
    const std::string path(row.key);
    switch (row.kind) {
        case Kind::integer:
        case Kind::number:
            if (const auto number = read_number(value, path, row.kind == Kind::integer, row.min, row.max, issues))
                recipe.set(row.id, *number);
            return;
        case Kind::boolean:
            if (value.is_boolean())
                recipe.set(row.id, value.truth() ? 1 : 0);
            else
                issues.error("wrong-type", path, path + " is true or false", of_type("boolean"));
            return;
        case Kind::choice:
            if (const auto choice = find_choice(value, row.choices))
                recipe.set(row.id, static_cast<double>(*choice));
            else
                issues.error(value.is_string() ? "not-a-choice" : "wrong-type", path, path + " is one of a list",
                             one_of(row.choices));
            return;
        case Kind::list:
            read_targets(value, row, recipe, issues);
            return;
        case Kind::stack:
            read_stack(value, row, recipe, issues);
            return;
        case Kind::machine:
            read_machine(value, row, recipe, issues);
            return;
    }
}

void read_views(const Config& value, Request& request, Issues& issues) {
    if (!value.is_list()) {
        issues.error("wrong-type", "views", "views is a list", one_of(view_names));
        return;
    }
    for (std::size_t i = 0; i < value.items().size(); ++i) {
        const std::string path = "views[" + std::to_string(i) + "]";
        const auto view = find_choice(value.items()[i], view_names);
        if (!view)
            issues.error("not-a-choice", path, "there is no such view", one_of(view_names));
        else if (!is_full() && 1u << *view >= view_inventory)
            issues.error(needs_full_engine, path, "the course engine does not hold this view: load the full one");
        else
            request.views |= 1u << *view;
    }
}

void read_shape(const Config& object, Model& model, Issues& issues) {
    recipe::Shape& shape = model.shape;
    // A configuration decides every size; a name may stand beside it.
    if (const Config* config = object.find("config")) {
        if (config->is_string() || config->is_object()) {
            model = read_model(*config, "model.config", issues);
        } else {
            issues.error("wrong-type", "model.config", "model.config is an object or a compact line",
                         of_type("object or string"));
        }
    }
    for (std::size_t i = 0; i < object.items().size(); ++i) {
        const std::string& key = object.keys()[i];
        const Config& value = object.items()[i];
        const std::string path = "model." + key;
        if (key == "config") continue;
        if (key == "name") {
            if (value.is_string())
                shape.name = value.text().substr(0, 200);
            else
                issues.error("wrong-type", path, path + " is a text", of_type("string"));
            continue;
        }
        bool known = false;
        for (const recipe::ShapeParameter& row : recipe::shape_parameters()) {
            if (row.key != key) continue;
            known = true;
            if (const auto number = read_number(value, path, true, row.min, row.max, issues))
                shape[row.id] = static_cast<std::int64_t>(*number);
        }
        if (!known) issues.warn("unknown-key", path, "there is no key " + path);
    }
    // Heads share the hidden size where no width of their own is given; key-value heads share the heads.
    const std::int64_t heads = shape[ShapeKey::num_attention_heads];
    const std::int64_t hidden = shape[ShapeKey::hidden_size];
    if (heads && hidden && !shape[ShapeKey::head_dim] && hidden % heads != 0)
        issues.error("missing", "model.head_dim", "the heads do not divide the hidden size: their width is needed",
                     of_type("integer"));
}

void read_named_model(const Config& value, Model& model, Issues& issues) {
    if (value.is_object()) {
        read_shape(value, model, issues);
        return;
    }
    if (!value.is_string()) {
        issues.error("wrong-type", "model", "model is the id of a model or an object", of_type("string or object"));
        return;
    }
    const std::size_t before = issues.errors.size();
    model = find_model(value.text(), issues);
    if (!model.shape.id.empty() || issues.errors.size() > before) return;
    Allowed allowed;
    // The course's alone: a list of all that `catalog()` names would bury the message.
    for (const catalog::CourseModel& each : catalog::course_models()) allowed.choices.push_back(each.id);
    issues.error("unknown-model", "model", "there is no such model in the catalog", std::move(allowed));
}

}  // namespace

std::optional<double> read_number(const Config& value, const std::string& path, bool integer, double min, double max,
                                  Issues& issues) {
    const Allowed range = {true, min, max, {}, {}};
    if (!value.is_number()) {
        Allowed allowed = range;
        allowed.type = integer ? "integer" : "number";
        issues.error("wrong-type", path, path + " is a number", std::move(allowed));
        return std::nullopt;
    }
    const double number = value.number();
    if (integer && number != std::floor(number)) {
        issues.error("not-integer", path, path + " is a whole number", range);
        return std::nullopt;
    }
    if (!(number >= min && number <= max)) {
        issues.error("out-of-range", path, path + " is outside its range", range);
        return std::nullopt;
    }
    return number;
}

Request read_request(const Config& tree, Issues& issues) {
    Request request;
    if (!tree.is_object()) {
        issues.error("not-an-object", "", "a request is one JSON object", of_type("object"));
        return request;
    }
    bool has_model = false;
    for (std::size_t i = 0; i < tree.items().size(); ++i) {
        const std::string& key = tree.keys()[i];
        const Config& value = tree.items()[i];
        if (key == "v") {
            if (value.number() != 1) issues.error("version", "v", "this engine reads version 1", {true, 1, 1, {}, {}});
        } else if (key == "model") {
            has_model = true;
            request.model = {};
            read_named_model(value, request.model, issues);
        } else if (key == "views") {
            read_views(value, request, issues);
        } else if (read_decision(key, value, request.decisions, issues)) {
            continue;
        } else if (const Parameter* row = recipe::find_parameter(key)) {
            read_value(value, *row, request.recipe, issues);
        } else {
            issues.warn("unknown-key", key, "there is no parameter " + key);
        }
    }
    if (request.recipe.has(Key::machine) && !request.recipe.given(Key::machine_gb)) {
        const catalog::Machine& machine =
            catalog::machines()[static_cast<std::size_t>(request.recipe.integer(Key::machine))];
        request.recipe.assume(Key::machine_gb, static_cast<double>(machine.bytes()) / 1e9);
    }
    if (!has_model) request.model = find_model(catalog::default_model, issues);
    check_targets(request, issues);
    return request;
}

}  // namespace memory_budget::api
