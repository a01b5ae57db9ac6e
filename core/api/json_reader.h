// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "core/model/config.h"

namespace memory_budget::api {

/// Why a text was not read, and where.
struct ReadFailure {
    enum class Why { none, no_json, not_finite, too_deep, zero_byte };

    Why why = Why::none;
    std::string path;          ///< of the value that was being read: `model.parameters`
    std::size_t position = 0;  ///< bytes read, the offending one included
};

/// JSON text to a tree of values, by nlohmann_json's parser in one pass and without its own tree: that tree, its
/// binary formats and its writer would be a third of the engine. Objects and lists may be `max_depth` inside one
/// another. Empty where the text could not be read.
std::optional<model::Config> read_json(std::string_view text, std::size_t max_depth, ReadFailure& failure);

}  // namespace memory_budget::api
