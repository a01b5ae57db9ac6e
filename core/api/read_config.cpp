// SPDX-License-Identifier: MIT
#include "core/api/api.h"
#include "core/api/config_json.h"
#include "core/api/inventory_json.h"
#include "core/api/json_writer.h"
#include "core/api/response.h"
#include "core/model/inventory.h"
#include "core/model/read.h"

namespace memory_budget::api {
namespace {

void copy(const model::Issues& from, std::vector<recipe::Issue>& to) {
    for (const model::Issue& issue : from) to.push_back({issue.code, issue.path, issue.message});
}

}  // namespace

std::string read_config(std::string_view text) {
    recipe::Issues issues;
    JsonWriter body;
    model::Issues unread;
    const auto config = parse_config(text, unread);
    copy(unread, issues.errors);
    if (config) {
        const model::Read read = model::read_architecture(*config);
        copy(read.errors, issues.errors);
        copy(read.warnings, issues.warnings);
        if (read.architecture) {
            const model::Inventory all = model::inventory(*read.architecture);
            write_summary(body, *read.architecture, all);
            write_roles(body, "inventory", all, {model::Quantization::nf4_double, 2});
            write_adapters(body, *read.architecture, all, {});
            body.text("compact", model::to_compact(*config));
        }
    }
    JsonWriter writer;
    writer.object().integer("schema", 1).boolean("ok", issues.errors.empty());
    write_issues(writer, "errors", issues.errors);
    write_issues(writer, "warnings", issues.warnings);
    if (const std::string fields = body.take(); !fields.empty()) writer.raw(fields);
    return writer.end_object().take();
}

}  // namespace memory_budget::api
