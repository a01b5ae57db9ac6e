// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string_view>

#include "core/recipe/parameters.h"

namespace memory_budget::fit {

/// What a change costs its user, as bits.
enum Cost : std::uint8_t {
    cost_time = 1,
    cost_quality = 2,
    cost_dependency = 4,  ///< another library
    cost_data = 8,        ///< data is cut off
    cost_hardware = 16,   ///< more GPUs
};
inline constexpr std::array<std::string_view, 5> cost_names = {"time", "quality", "dependency", "data-truncated",
                                                               "hardware"};

/// A number that a lever moves no further than it must.
enum class Scale : std::uint8_t {
    none,
    batch,   ///< down, among the parts of what one optimizer step sees; `accumulation` makes up for it
    length,  ///< down
    rank,    ///< down
    gpus,    ///< up, doubled each time
};

/// A value for a key; NaN takes the key out of the recipe.
struct Set {
    recipe::Key key;
    double value;
};

/// Something that a user may change to need less memory.
struct Lever {
    std::string_view id;
    std::array<Set, 4> sets;  ///< those in use first
    std::uint8_t count;       ///< how many are
    Scale scale;
    std::uint8_t methods;  ///< the methods that it starts from
    std::uint8_t costs;
    std::uint8_t effort;  ///< how much it asks of the user beside others, 0 for nothing
    std::string_view source;

    std::span<const Set> settings() const { return {sets.data(), count}; }
};

/// All levers, those that cost the user least first.
std::span<const Lever> levers();

}  // namespace memory_budget::fit
