// SPDX-License-Identifier: MIT
#include "core/api/api.h"

#include "core/api/request_text.h"
#include "core/api/response.h"

namespace memory_budget::api {

std::string calculate(std::string_view text) {
    recipe::Issues issues;
    JsonWriter body;
    if (const auto tree = parse_request(text, issues)) {
        const Request request = read_request(*tree, issues);
        if (issues.errors.empty()) respond(body, request, issues);
    }
    JsonWriter writer;
    writer.object().integer("schema", 1).boolean("ok", issues.errors.empty());
    write_issues(writer, "errors", issues.errors);
    write_issues(writer, "warnings", issues.warnings);
    if (const std::string fields = body.take(); !fields.empty()) writer.raw(fields);
    return writer.end_object().take();
}

std::string version() {
    return MEMORY_BUDGET_VERSION;
}

}  // namespace memory_budget::api
