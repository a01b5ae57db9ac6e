// SPDX-License-Identifier: MIT
#include "core/api/full.h"
#include "core/budget/step/timeline.h"

namespace memory_budget::api {
namespace {

namespace step = budget::step;

constexpr std::string_view phase_names[] = {"load", "forward", "metrics", "backward", "clip", "optimizer"};
static_assert(std::size(phase_names) == step::phase_count);
constexpr std::string_view category_names[] = {"parameters", "frozen",      "quantization", "buffers", "gradients",
                                               "optimizer",  "activations", "workspace",    "host"};
static_assert(std::size(category_names) == step::category_count);

std::string_view name(step::Phase phase) {
    return phase_names[static_cast<std::size_t>(phase)];
}

void write_phase(JsonWriter& writer, const step::PhaseMemory& phase) {
    writer.object().text("id", name(phase.id)).integer("peak_bytes", phase.peak_bytes);
    writer.integer("end_bytes", phase.end_bytes).text("operation", step::name_of(phase.op));
    writer.key("by_category").object();
    for (std::size_t i = 0; i < step::category_count; ++i)
        if (phase.by_category[i] > 0) writer.integer(category_names[i], phase.by_category[i]);
    writer.end_object().end_object();
}

void write_tensor(JsonWriter& writer, const step::Alive& alive) {
    writer.text("dtype", step::name_of(alive.dtype)).key("shape").array();
    for (const std::int64_t dimension : alive.shape) writer.integer(dimension);
    writer.end_array().text("operation", step::name_of(alive.op)).text("made_in", name(alive.made));
    writer.text("category", category_names[static_cast<std::size_t>(alive.category)]);
}

void write_alive(JsonWriter& writer, const step::Alive& alive) {
    write_tensor(writer.object(), alive);
    writer.integer("count", alive.count).integer("bytes", alive.bytes).end_object();
}

}  // namespace

std::string_view phase_name(step::Phase phase) {
    return name(phase);
}

void write_step(JsonWriter& writer, const budget::detailed::Estimate& estimate) {
    const step::Step& step = estimate.step;
    writer.boolean("exact", estimate.inexact.empty());
    if (!estimate.inexact.empty()) writer.text("inexact", estimate.inexact);
    writer.text("peak_phase", name(step.peak_phase));
    writer.key("range_bytes").object();
    writer.integer("low", estimate.levels.front().low_bytes).integer("high", estimate.levels.front().high_bytes);
    writer.end_object();
    writer.integer("after_load_bytes", step.after_load).integer("after_forward_bytes", step.after_forward);
    writer.integer("after_backward_bytes", step.after_backward).integer("after_step_bytes", step.after_step);
    writer.integer("saved_for_backward_bytes", step.saved_for_backward);
    writer.integer("first_step_peak_bytes", step.first_peak_bytes);
    if (step.host_bytes > 0) writer.integer("host_bytes", step.host_bytes);
    writer.key("levels").array();
    for (const budget::detailed::Level& level : estimate.levels)
        writer.object()
            .text("id", level.id)
            .integer("low_bytes", level.low_bytes)
            .integer("bytes", level.bytes)
            .integer("high_bytes", level.high_bytes)
            .end_object();
    writer.end_array().key("phases").array();
    for (const step::PhaseMemory& phase : step.phases) write_phase(writer, phase);
    writer.end_array().key("tensors").array();
    for (const step::Alive& alive : estimate.alive) write_alive(writer, alive);
    writer.end_array();
}

void write_timeline(JsonWriter& writer, const model::Architecture& architecture, const recipe::Recipe& recipe) {
    constexpr std::size_t moments = 190, largest = 8;
    const step::Timeline line =
        step::timeline(architecture, budget::detailed::settings_of(recipe, architecture.family), moments, largest);
    writer.key("timeline").object().integer("peak", static_cast<std::int64_t>(line.peak));
    writer.texts("categories", category_names).key("moments").array();
    for (const step::TimelineMoment& moment : line.moments) {
        writer.object().text("phase", name(moment.phase)).text("operation", step::name_of(moment.op));
        writer.integer("bytes", moment.bytes).key("by_category").array();
        for (const std::int64_t bytes : moment.by_category) writer.integer(bytes);
        writer.end_array().key("tensors").array();
        for (const step::TimelineMoment::Held& held : moment.largest)
            writer.array().integer(static_cast<std::int64_t>(held.tensor)).integer(held.count).end_array();
        writer.end_array().end_object();
    }
    writer.end_array().key("tensors").array();
    for (const step::Alive& tensor : line.tensors) {
        write_tensor(writer.object(), tensor);
        writer.integer("bytes", tensor.bytes).end_object();
    }
    writer.end_array().end_object();
}

}  // namespace memory_budget::api
