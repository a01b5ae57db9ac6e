// SPDX-License-Identifier: MIT
#include "core/api/full.h"

namespace memory_budget::api {
namespace {

namespace step = budget::step;

constexpr std::string_view phase_names[] = {"load", "forward", "metrics", "backward", "clip", "optimizer"};
static_assert(std::size(phase_names) == step::phase_count);
constexpr std::string_view category_names[] = {"parameters", "frozen",    "quantization", "buffers",
                                               "gradients",  "optimizer", "activations",  "workspace"};
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

void write_alive(JsonWriter& writer, const step::Alive& alive) {
    writer.object().text("dtype", step::name_of(alive.dtype)).key("shape").array();
    for (const std::int64_t dimension : alive.shape) writer.integer(dimension);
    writer.end_array().text("operation", step::name_of(alive.op)).text("made_in", name(alive.made));
    writer.text("category", category_names[static_cast<std::size_t>(alive.category)]);
    writer.integer("count", alive.count).integer("bytes", alive.bytes).end_object();
}

}  // namespace

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

}  // namespace memory_budget::api
