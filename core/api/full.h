// SPDX-License-Identifier: MIT
// What only the full engine has: any model, and the detailed basis. The course engine, which a page loads first, is
// linked with course_only.cpp in place of these files and is half the size.
#pragma once

#include <string>
#include <string_view>

#include "core/api/evaluate.h"
#include "core/api/json_writer.h"
#include "core/api/notes.h"
#include "core/model/adapter.h"
#include "core/model/config.h"

namespace memory_budget::api {

struct Request;

/// The error of a request that the course engine cannot answer; a page loads the full one and asks again.
inline constexpr std::string_view needs_full_engine = "needs-full-engine";

/// Whether this is the full engine.
bool is_full();

/// A model of the catalog: the course's five with the counts that the lesson prints, all others as they count out.
/// Empty (no id) where there is none of that name.
Model find_model(std::string_view id, recipe::Issues& issues);

/// The model of a `config.json`, or of its compact line; errors and warnings of its reading stand under `path`.
Model read_model(const model::Config& config, const std::string& path, recipe::Issues& issues);

/// Writes the catalog's models beyond the course's five, as elements of a list.
void write_known_models(JsonWriter& writer);

/// What `recipe` puts adapters on, with the named choice for routed experts.
model::AdapterPlan adapter_plan(const recipe::Recipe& recipe, model::ExpertAdapters experts);

/// Adapter parameters exactly, by the inventory; a mixture of experts as the lesson counts it unless the recipe says
/// else. Of a model without an architecture it is 0, with a warning.
std::int64_t adapter_parameters(const Model& model, const recipe::Recipe& recipe, recipe::Issues& issues);

/// Fills `evaluation` by a dry run of one step. It needs an architecture whose pieces are known: else an error.
void evaluate_detailed(const Model& model, Evaluation& evaluation, recipe::Issues& issues);

/// The fields that a budget of the detailed basis has more: the peak's phase, every phase, the tensors alive at the
/// peak, the levels and the range.
void write_step(JsonWriter& writer, const budget::detailed::Estimate& estimate);

/// Bytes of a base that bitsandbytes loads in 4 bits: what it knows to quantize, and all else at 16 bits.
std::int64_t quantized_base_bytes(const model::Architecture& architecture);

/// What the pinned software does that the lesson does not say, where it bears on this run of the detailed basis.
std::vector<Note> findings(const model::Architecture& architecture, const recipe::Shape& shape, const Evaluation& run);

/// What the model is made of and what its adapters may be, by role and by choice.
void write_inventory(JsonWriter& writer, const model::Architecture& architecture, const recipe::Recipe& recipe);

/// The name of a phase, as a response has it.
std::string_view phase_name(budget::step::Phase phase);

/// What was asked beside the budget that takes many runs to answer: `Request::decisions`, and two of the views.
void write_decisions(JsonWriter& writer, const Request& request, const Evaluation& run);

/// The step over time. `recipe` is filled by its stack.
void write_timeline(JsonWriter& writer, const model::Architecture& architecture, const recipe::Recipe& recipe);

}  // namespace memory_budget::api
