// SPDX-License-Identifier: MIT
// From a number to a decision: what a request may ask beside its budget that takes many runs to answer. Only the full
// engine answers it.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "core/model/config.h"
#include "core/recipe/issue.h"

namespace memory_budget::api {

/// A peak that a user's run reported.
struct Measurement {
    std::int64_t bytes = 0;  ///< 0: none was given
    std::size_t level = 0;   ///< which of a budget's levels the meter reads: allocated, reserved, device
};

struct Decisions {
    std::vector<std::int64_t> batches, sequences;  ///< the axes of the surface; empty where none was asked for
    std::vector<std::int64_t> lengths;             ///< of the user's data
    Measurement measurement;
};

inline constexpr std::size_t max_axis = 64;
inline constexpr std::size_t max_lengths = 256;
/// The meters, in the order of a budget's levels.
inline constexpr std::string_view meter_names[] = {"allocated", "reserved", "device"};

/// Reads one of the keys `surface`, `lengths` and `measurement`; false where `key` is none of them.
bool read_decision(std::string_view key, const model::Config& value, Decisions& decisions, recipe::Issues& issues);

}  // namespace memory_budget::api
