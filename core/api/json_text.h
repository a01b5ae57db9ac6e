// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <string_view>

#include "core/recipe/issue.h"

namespace memory_budget::api {

using Json = nlohmann::json;

/// A request longer than this is refused before it is read.
inline constexpr std::size_t max_request_bytes = 1u << 20;
/// Objects and lists inside one another, at most.
inline constexpr int max_depth = 32;

/// Text to JSON without exceptions. Refused, with the place named: text that is too long, nested too deeply or no
/// JSON, and numbers that do not fit a double.
std::optional<Json> parse(std::string_view text, recipe::Issues& issues);

/// JSON to text. Bytes that are no UTF-8 come out as the replacement character.
std::string dump(const Json& json);

}  // namespace memory_budget::api
