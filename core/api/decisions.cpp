// SPDX-License-Identifier: MIT
#include "core/api/decisions.h"

#include <algorithm>

#include "core/api/full.h"
#include "core/api/gauge.h"
#include "core/api/response.h"
#include "core/catalog/machines.h"
#include "core/catalog/models.h"
#include "core/fit/changes.h"
#include "core/fit/limits.h"
#include "core/fit/reasons.h"
#include "core/fit/tiers.h"

namespace memory_budget::api {
namespace {

using fit::Need;
using recipe::Key;
using recipe::Recipe;

void write_bytes(JsonWriter& writer, std::string_view name, bool known, std::int64_t bytes) {
    writer.key(name);
    if (known)
        writer.integer(bytes);
    else
        writer.null();
}

void write_need(JsonWriter& writer, const Need& need) {
    write_bytes(writer, "total_bytes", need.known, need.total_bytes);
    write_bytes(writer, "requested_bytes", need.known, need.fit.requested_bytes);
}

void write_numbers(JsonWriter& writer, std::string_view name, const std::vector<std::int64_t>& numbers) {
    writer.key(name).array();
    for (const std::int64_t number : numbers) writer.integer(number);
    writer.end_array();
}

void write_surface(JsonWriter& writer, const Request& request, RunGauge& gauge) {
    const fit::Fit machine = fit::judge(0, request.recipe);
    writer.key("surface").object();
    write_numbers(writer, "batch", request.decisions.batches);
    write_numbers(writer, "sequence", request.decisions.sequences);
    writer.integer("machine_bytes", machine.machine_bytes).integer("reserve_bytes", machine.reserve_bytes);
    writer.key("tiers").array();
    for (const fit::Tier& tier : fit::tiers()) writer.text(tier.id);
    writer.end_array().key("rows").array();
    Recipe cell = request.recipe;
    std::vector<Need> needs(request.decisions.sequences.size());
    const auto column = [&](std::string_view name, auto value) {
        writer.key(name).array();
        for (const Need& need : needs) {
            if (need.known)
                value(need);
            else
                writer.null();
        }
        writer.end_array();
    };
    for (const std::int64_t batch : request.decisions.batches) {
        cell.set(Key::batch, static_cast<double>(batch));
        for (std::size_t i = 0; i < needs.size(); ++i) {
            cell.set(Key::sequence, static_cast<double>(request.decisions.sequences[i]));
            needs[i] = gauge.need(cell);
        }
        writer.object();
        column("total_bytes", [&](const Need& need) { writer.integer(need.total_bytes); });
        column("requested_bytes", [&](const Need& need) { writer.integer(need.fit.requested_bytes); });
        column("fits", [&](const Need& need) { writer.boolean(need.fits()); });
        column("tier", [&](const Need& need) {
            if (need.fit.tier)
                writer.integer(need.fit.tier - fit::tiers().data());
            else
                writer.null();
        });
        writer.end_object();
    }
    writer.end_array().end_object();
}

void write_limit(JsonWriter& writer, std::string_view name, const Request& request, RunGauge& gauge, Key key) {
    const recipe::Parameter& row = recipe::parameter(key);
    // Of a single token none is predicted, and nothing is trained.
    const std::int64_t least = key == Key::sequence ? 2 : static_cast<std::int64_t>(row.min);
    auto cap = static_cast<std::int64_t>(row.max);
    const std::int64_t context = request.model.architecture ? request.model.architecture->context : 0;
    const bool by_model = key == Key::sequence && context > 0 && context < cap;
    if (by_model) cap = context;
    const fit::Limit limit = fit::largest(gauge, request.recipe, key, least, cap);
    writer.key(name).object();
    write_bytes(writer, "value", limit.any, limit.value);
    writer.integer("least", least).integer("cap", cap).text("cap_by", by_model ? "model" : "parameter");
    writer.boolean("capped", limit.capped);
    write_need(writer, limit.any ? limit.at : Need{});
    write_bytes(writer, "next_bytes", !limit.capped && limit.next.known, limit.next.fit.requested_bytes);
    writer.end_object();
}

/// All models of the catalog, the largest first.
const std::vector<std::pair<std::int64_t, std::string>>& by_size() {
    static thread_local std::vector<std::pair<std::int64_t, std::string>> list;
    if (list.empty()) {
        recipe::Issues none;
        for (const catalog::Model& model : catalog::models()) {
            const std::string id = catalog::id_of(model);
            list.emplace_back(find_model(id, none).shape[recipe::ShapeKey::parameters], id);
        }
        std::stable_sort(list.begin(), list.end(), [](const auto& a, const auto& b) { return a.first > b.first; });
    }
    return list;
}

void write_largest_model(JsonWriter& writer, const Request& request) {
    Recipe recipe = request.recipe;
    recipe.clear(Key::adapter_parameters);  // a count given by hand belongs to the model at hand
    writer.key("model");
    for (const auto& [parameters, id] : by_size()) {
        recipe::Issues none;
        const Model model = find_model(id, none);
        RunGauge gauge(model);
        if (gauge.hopeless(recipe)) continue;
        const Need need = gauge.need(recipe);
        if (!need.fits()) continue;
        writer.object().text("id", id).text("name", model.shape.name).integer("parameters", parameters);
        write_need(writer, need);
        writer.end_object();
        return;
    }
    writer.null();
}

void write_limits(JsonWriter& writer, const Request& request, RunGauge& gauge) {
    writer.key("limits").object();
    write_limit(writer, "batch", request, gauge, Key::batch);
    write_limit(writer, "sequence", request, gauge, Key::sequence);
    if (request.recipe.choice<recipe::Method>(Key::method) == recipe::Method::full)
        writer.null("rank");
    else
        write_limit(writer, "rank", request, gauge, Key::rank);
    write_largest_model(writer, request);
    writer.end_object();
}

void write_given(JsonWriter& writer, std::string_view name, const Recipe& recipe, const std::vector<Key>& keys) {
    writer.key(name).object();
    for (const Key key : keys) {
        const recipe::Parameter& row = recipe::parameter(key);
        writer.key(row.key);
        if (recipe.given(key))
            write_value(writer, recipe, row);
        else
            writer.null();
    }
    writer.end_object();
}

void write_phase(JsonWriter& writer, std::string_view name, std::string_view phase) {
    writer.key(name);
    if (phase.empty())
        writer.null();
    else
        writer.text(phase);
}

void write_change(JsonWriter& writer, const fit::Change& change, const Need& now, const Recipe& before,
                  RunGauge& gauge) {
    writer.object().key("levers").array();
    std::uint8_t costs = 0;
    for (const fit::Lever* lever : change.levers) {
        writer.text(lever->id);
        costs |= lever->costs;
    }
    writer.end_array();
    write_given(writer, "set", change.recipe, change.keys);
    write_given(writer, "undo", before, change.keys);
    writer.integer("saved_bytes", now.fit.requested_bytes - change.need.fit.requested_bytes);
    write_need(writer, change.need);
    writer.integer("free_bytes", change.need.fit.free_bytes);
    write_phase(writer, "from_phase", gauge.peak_phase(before));
    write_phase(writer, "to_phase", gauge.peak_phase(change.recipe));
    writer.key("costs").array();
    for (std::size_t i = 0; i < fit::cost_names.size(); ++i)
        if (costs >> i & 1) writer.text(fit::cost_names[i]);
    writer.end_array().key("sources").array();
    for (const fit::Lever* lever : change.levers) writer.text(lever->source);
    writer.end_array().end_object();
}

/// The smallest machine of the catalog that holds the run as it is.
void write_machine(JsonWriter& writer, const Need& now, const Recipe& recipe) {
    const catalog::Machine* best = nullptr;
    for (const catalog::Machine& machine : catalog::machines())
        if (machine.bytes() >= now.fit.requested_bytes && (!best || machine.bytes() < best->bytes())) best = &machine;
    writer.key("machine");
    if (!best) {
        writer.null();
        return;
    }
    const std::vector<Key> keys = {Key::machine, Key::machine_gb};
    Recipe moved = recipe;
    moved.set(Key::machine, static_cast<double>(best - catalog::machines().data()));
    moved.clear(Key::machine_gb);
    writer.object().text("id", best->id).text("name", best->name).integer("bytes", best->bytes());
    write_given(writer, "set", moved, keys);
    write_given(writer, "undo", recipe, keys);
    writer.end_object();
}

void write_changes(JsonWriter& writer, const Request& request, RunGauge& gauge) {
    const fit::Changes found = fit::changes(gauge, request.recipe);
    writer.key("changes").object().boolean("fits", found.now.fits()).integer("over_bytes", found.now.fit.over_bytes);
    const auto list = [&](std::string_view name, const std::vector<fit::Change>& changes) {
        writer.key(name).array();
        for (const fit::Change& change : changes) write_change(writer, change, found.now, request.recipe, gauge);
        writer.end_array();
    };
    list("changes", found.alone);
    list("pairs", found.pairs);
    if (found.now.fits())
        writer.null("machine");
    else
        write_machine(writer, found.now, request.recipe);
    writer.end_object();
}

void write_lengths(JsonWriter& writer, const Request& request, RunGauge& gauge) {
    writer.key("lengths").object().key("rows").array();
    Recipe row = request.recipe;
    for (const std::int64_t length : request.decisions.lengths) {
        row.set(Key::sequence, static_cast<double>(length));
        const Need need = gauge.need(row);
        writer.object().integer("sequence", length);
        write_need(writer, need);
        writer.boolean("fits", need.fits()).end_object();
    }
    writer.end_array();
    write_limit(writer, "max_length", request, gauge, Key::sequence);
    writer.end_object();
}

void write_measurement(JsonWriter& writer, const Measurement& measured, const Evaluation& run) {
    const std::int64_t bytes = measured.bytes;
    budget::detailed::Level level = {{}, run.budget.total_bytes, run.budget.total_bytes, run.budget.total_bytes};
    if (run.detail) level = run.detail->levels[measured.level];
    const bool above = bytes > level.high_bytes, below = bytes < level.low_bytes;
    writer.key("measurement").object().integer("bytes", bytes).text("meter", meter_names[measured.level]);
    writer.integer("estimate_bytes", level.bytes);
    write_bytes(writer, "low_bytes", run.detail.has_value(), level.low_bytes);
    write_bytes(writer, "high_bytes", run.detail.has_value(), level.high_bytes);
    writer.key("ratio");
    if (level.bytes > 0)
        writer.number(static_cast<double>(bytes) / static_cast<double>(level.bytes));
    else
        writer.null();
    writer.text("verdict", above ? "above" : below ? "below" : "inside").key("reasons").array();
    if (above || below)
        for (const fit::Reason& reason : fit::reasons(above, measured.level, run.recipe))
            writer.object().text("code", reason.code).text("source", reason.source).end_object();
    writer.end_array().end_object();
}

}  // namespace

void write_decisions(JsonWriter& writer, const Request& request, const Evaluation& run) {
    const Decisions& asked = request.decisions;
    RunGauge gauge(request.model);
    if (!asked.batches.empty()) write_surface(writer, request, gauge);
    if (request.views & view_limits) write_limits(writer, request, gauge);
    if (request.views & view_changes) write_changes(writer, request, gauge);
    if (!asked.lengths.empty()) write_lengths(writer, request, gauge);
    if (asked.measurement.bytes > 0) write_measurement(writer, asked.measurement, run);
}

}  // namespace memory_budget::api
