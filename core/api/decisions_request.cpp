// SPDX-License-Identifier: MIT
#include <cmath>

#include "core/api/decisions.h"
#include "core/api/request.h"
#include "core/budget/budget.h"

namespace memory_budget::api {
namespace {

using model::Config;
using recipe::Allowed;
using recipe::Issues;
using recipe::Key;

using Numbers = std::vector<std::int64_t>;

void too_many(const std::string& path, std::size_t most, Issues& issues) {
    issues.error("too-many", path, path + " is longer than allowed", {true, 1, static_cast<double>(most), {}, {}});
}

void read_list(const Config& value, const std::string& path, const recipe::Parameter& row, std::size_t most,
               Numbers& list, Issues& issues) {
    if (!value.is_list() || value.items().empty()) {
        Allowed allowed;
        allowed.type = "list";
        issues.error("wrong-type", path, path + " is a list of whole numbers", std::move(allowed));
        return;
    }
    if (value.items().size() > most) {
        too_many(path, most, issues);
        return;
    }
    for (std::size_t i = 0; i < value.items().size(); ++i)
        if (const auto number =
                read_number(value.items()[i], path + "[" + std::to_string(i) + "]", true, row.min, row.max, issues))
            list.push_back(static_cast<std::int64_t>(*number));
}

/// `from`, `to` and one of `step` and `factor`. The last value is `to` itself.
void read_range(const Config& value, const std::string& path, const recipe::Parameter& row, Numbers& list,
                Issues& issues) {
    const std::size_t errors = issues.errors.size();
    const auto number = [&](const char* name, bool whole, double least, double most, bool needed) {
        const Config* found = value.find(name);
        if (!found) {
            if (needed) issues.error("missing", path + "." + name, path + " needs " + name);
            return 0.0;
        }
        return read_number(*found, path + "." + name, whole, least, most, issues).value_or(0);
    };
    constexpr double least_factor = 1.001;
    const double from = number("from", true, row.min, row.max, true), to = number("to", true, row.min, row.max, true);
    const bool by_factor = value.find("factor") != nullptr;
    const double factor = number("factor", false, least_factor, row.max, false);
    const double step = number("step", true, 1, row.max, !by_factor);
    for (const std::string& key : value.keys())
        if (key != "from" && key != "to" && key != "step" && key != "factor") {
            std::string unknown = path;
            unknown += '.';
            unknown += key;
            issues.warn("unknown-key", unknown, "there is no such key");
        }
    if (issues.errors.size() > errors) return;
    if (to < from) {
        issues.error("out-of-range", path + ".to", path + ".to is below from", {true, from, row.max, {}, {}});
        return;
    }
    for (double at = from; std::round(at) < to && list.size() <= max_axis; at = by_factor ? at * factor : at + step)
        if (const auto whole = static_cast<std::int64_t>(std::round(at)); list.empty() || whole > list.back())
            list.push_back(whole);
    list.push_back(static_cast<std::int64_t>(to));
    if (list.size() > max_axis) too_many(path, max_axis, issues);
}

void read_axis(const Config& surface, const char* name, Key key, Numbers& list, Issues& issues) {
    const std::string path = std::string("surface.") + name;
    const Config* value = surface.find(name);
    const recipe::Parameter& row = recipe::parameter(key);
    if (!value)
        issues.error("missing", path, "a surface needs " + path);
    else if (value->is_object())
        read_range(*value, path, row, list, issues);
    else
        read_list(*value, path, row, max_axis, list, issues);
}

bool needs_object(const Config& value, const char* path, Issues& issues) {
    if (value.is_object()) return true;
    Allowed allowed;
    allowed.type = "object";
    issues.error("wrong-type", path, std::string(path) + " is an object", std::move(allowed));
    return false;
}

void read_measurement(const Config& value, Measurement& measurement, Issues& issues) {
    const Config* bytes = value.find("bytes");
    if (!bytes)
        issues.error("missing", "measurement.bytes", "a measurement needs its bytes");
    else if (const auto number = read_number(*bytes, "measurement.bytes", true, 1, budget::max_exact, issues))
        measurement.bytes = static_cast<std::int64_t>(*number);
    const Config* meter = value.find("meter");
    for (std::size_t i = 0; meter && i < std::size(meter_names); ++i)
        if (meter->is_string() && meter->text() == meter_names[i]) {
            measurement.level = i;
            return;
        }
    Allowed allowed;
    allowed.choices.assign(std::begin(meter_names), std::end(meter_names));
    issues.error(meter ? "not-a-choice" : "missing", "measurement.meter", "measurement.meter is one of a list",
                 std::move(allowed));
}

}  // namespace

bool read_decision(std::string_view key, const Config& value, Decisions& decisions, Issues& issues) {
    if (key == "surface") {
        if (!needs_object(value, "surface", issues)) return true;
        read_axis(value, "batch", Key::batch, decisions.batches, issues);
        read_axis(value, "sequence", Key::sequence, decisions.sequences, issues);
    } else if (key == "lengths") {
        read_list(value, "lengths", recipe::parameter(Key::sequence), max_lengths, decisions.lengths, issues);
    } else if (key == "measurement") {
        if (needs_object(value, "measurement", issues)) read_measurement(value, decisions.measurement, issues);
    } else {
        return false;
    }
    return true;
}

}  // namespace memory_budget::api
