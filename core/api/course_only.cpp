// SPDX-License-Identifier: MIT
// In the course engine this stands in place of what only the full engine has.
#include "core/api/api.h"
#include "core/api/full.h"
#include "core/api/response.h"
#include "core/catalog/course.h"

namespace memory_budget::api {
namespace {

void refuse(const std::string& path, recipe::Issues& issues) {
    issues.error(needs_full_engine, path, "the course engine does not hold this: load the full one and ask again");
}

}  // namespace

bool is_full() {
    return false;
}

Model find_model(std::string_view id, recipe::Issues& issues) {
    Model found;
    if (const catalog::CourseModel* course = catalog::find_course_model(id))
        found.shape = catalog::shape_of(*course);
    else
        refuse("model", issues);
    return found;
}

Model read_model(const model::Config&, const std::string& path, recipe::Issues& issues) {
    refuse(path, issues);
    return {};
}

void write_known_models(JsonWriter&) {}

std::int64_t adapter_parameters(const Model&, const recipe::Recipe&, recipe::Issues& issues) {
    refuse("model", issues);
    return 0;
}

void evaluate_detailed(const Model&, Evaluation&, recipe::Issues& issues) {
    refuse("basis", issues);
}

std::int64_t quantized_base_bytes(const model::Architecture&) {
    return 0;
}

std::vector<Note> findings(const model::Architecture&, const recipe::Shape&, const Evaluation&) {
    return {};
}

bool read_decision(std::string_view key, const model::Config&, Decisions&, recipe::Issues& issues) {
    const bool known = key == "surface" || key == "lengths" || key == "measurement";
    if (known) refuse(std::string(key), issues);
    return known;
}

void write_decisions(JsonWriter&, const Request&, const Evaluation&) {}

void write_step(JsonWriter&, const budget::detailed::Estimate&) {}

void write_inventory(JsonWriter&, const model::Architecture&, const recipe::Recipe&) {}

void write_timeline(JsonWriter&, const model::Architecture&, const recipe::Recipe&) {}

std::string read_config(std::string_view) {
    recipe::Issues issues;
    refuse("", issues);
    JsonWriter writer;
    writer.object().integer("schema", 1).boolean("ok", false);
    write_issues(writer, "errors", issues.errors);
    write_issues(writer, "warnings", issues.warnings);
    return writer.end_object().take();
}

}  // namespace memory_budget::api
