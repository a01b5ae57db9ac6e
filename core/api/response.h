// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/api/json_writer.h"
#include "core/api/request.h"

namespace memory_budget::api {

/// Errors or warnings as they stand in every response.
void write_issues(JsonWriter& writer, std::string_view name, const std::vector<recipe::Issue>& issues);

/// A parameter's value as it would stand in a request; null where there is none.
void write_value(JsonWriter& writer, const recipe::Recipe& recipe, const recipe::Parameter& row);

/// Writes the fields of the response to a request without errors. Where the figures turn out too large, an error is
/// added and nothing is written.
void respond(JsonWriter& writer, const Request& request, recipe::Issues& issues);

}  // namespace memory_budget::api
