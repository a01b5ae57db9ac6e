// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "core/api/evaluate.h"
#include "core/fit/tiers.h"

namespace memory_budget::api {

/// A value of a note: bytes, or the tier that they need (null beyond the last), or a yes or no.
struct NoteValue {
    enum class Kind { bytes, tier, flag };
    std::string_view name;
    Kind kind;
    std::int64_t bytes = 0;
    const fit::Tier* tier = nullptr;
    bool flag = false;
};

/// What a reader must know beside the figures. The text comes from the page's messages, by `code`.
struct Note {
    std::string_view code;
    bool caution;  ///< changes what the reader would decide: shown where it cannot be missed
    std::string_view source;
    std::vector<NoteValue> values = {};
};

/// The traced peak of the pinned software for this run, or 0 where the run is not one of the lesson's own cases.
std::int64_t traced_bytes(const recipe::Shape& model, const recipe::Recipe& recipe);

/// Whether a 4-bit load leaves most of the model at 16 bits: experts that are one fused parameter, in Transformers 5.
bool experts_stay_wide(const recipe::Shape& model, const recipe::Recipe& recipe);

std::vector<Note> notes(const Model& model, const Evaluation& run);

}  // namespace memory_budget::api
