// SPDX-License-Identifier: MIT
#include "core/api/api.h"

#include "core/api/response.h"

namespace memory_budget::api {

std::string calculate(std::string_view text) {
    recipe::Issues issues;
    Json response = Json::object();
    if (const auto json = parse(text, issues)) {
        const Request request = read_request(*json, issues);
        if (issues.errors.empty()) response = respond(request, issues);
    }
    response["schema"] = 1;
    response["ok"] = issues.errors.empty();
    response["errors"] = issue_list(issues.errors);
    response["warnings"] = issue_list(issues.warnings);
    return dump(response);
}

std::string version() {
    return MEMORY_BUDGET_VERSION;
}

}  // namespace memory_budget::api
