// SPDX-License-Identifier: MIT
#pragma once

#include "core/api/request.h"

namespace memory_budget::api {

/// Errors and warnings as they stand in every response.
Json issue_list(const std::vector<recipe::Issue>& issues);

/// A parameter's value as it would stand in a request; null where there is none.
Json value_of(const recipe::Recipe& recipe, const recipe::Parameter& row);

/// The response to a request without errors, except `errors` and `warnings`; may add issues.
Json respond(const Request& request, recipe::Issues& issues);

}  // namespace memory_budget::api
