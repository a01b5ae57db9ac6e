// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string_view>

#include "core/model/config.h"
#include "core/recipe/issue.h"

namespace memory_budget::api {

/// A request longer than this is refused before it is read.
inline constexpr std::size_t max_request_bytes = 1u << 20;
/// Objects and lists inside one another, at most.
inline constexpr std::size_t max_request_depth = 32;

/// The text of a request as a tree of values. Refused, with the place named: text that is too long, nested too
/// deeply or no JSON, and numbers that do not fit a double.
std::optional<model::Config> parse_request(std::string_view text, recipe::Issues& issues);

}  // namespace memory_budget::api
