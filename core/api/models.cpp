// SPDX-License-Identifier: MIT
#include "core/catalog/models.h"

#include "core/api/full.h"
#include "core/catalog/course.h"
#include "core/model/inventory.h"
#include "core/model/read.h"

namespace memory_budget::api {
namespace {

using recipe::ShapeKey;

/// The sizes of an architecture as the course's arithmetic needs them.
recipe::Shape shape_of(const model::Architecture& architecture) {
    recipe::Shape shape;
    shape.name = architecture.name.empty() ? architecture.family : architecture.name;
    shape[ShapeKey::parameters] = model::inventory(architecture).parameters(model::View::network);
    shape[ShapeKey::hidden_size] = architecture.hidden;
    shape[ShapeKey::num_hidden_layers] = static_cast<std::int64_t>(architecture.layers.size());
    shape[ShapeKey::vocab_size] = architecture.vocabulary;
    shape[ShapeKey::intermediate_size] = architecture.dense_width;
    for (const model::Block& block : architecture.blocks) {
        shape.experts = shape.experts || block.experts.present();
        if (!shape[ShapeKey::intermediate_size]) shape[ShapeKey::intermediate_size] = block.mlp.width;
        if (shape[ShapeKey::num_attention_heads] || block.attention.heads <= 0) continue;
        shape[ShapeKey::num_attention_heads] = block.attention.heads;
        shape[ShapeKey::num_key_value_heads] = block.attention.kv_heads;
        shape[ShapeKey::head_dim] = block.attention.head_dim;
    }
    return shape;
}

}  // namespace

bool is_full() {
    return true;
}

Model find_model(std::string_view id, recipe::Issues&) {
    Model found;
    const catalog::Model* entry = catalog::find_model(id);
    if (entry) {
        found.architecture = model::read_architecture(catalog::config_of(*entry)).architecture;
        if (found.architecture) found.shape = shape_of(*found.architecture);
        found.shape.id = id;
        found.shape.name = entry->name;
    }
    if (const catalog::CourseModel* course = catalog::find_course_model(id)) found.shape = catalog::shape_of(*course);
    return found;
}

Model read_model(const model::Config& config, const std::string& path, recipe::Issues& issues) {
    Model found;
    model::Read read = model::read_architecture(config);
    const auto at = [&path](const model::Issue& issue) { return issue.path.empty() ? path : path + "." + issue.path; };
    for (const model::Issue& issue : read.errors) issues.error(issue.code, at(issue), issue.message);
    for (const model::Issue& issue : read.warnings) issues.warn(issue.code, at(issue), issue.message);
    found.architecture = std::move(read.architecture);
    if (found.architecture) {
        found.shape = shape_of(*found.architecture);
        found.config = model::to_compact(config);
    }
    return found;
}

void write_known_models(JsonWriter& writer) {
    recipe::Issues none;
    for (const catalog::Model& model : catalog::models()) {
        const std::string id = catalog::id_of(model);
        if (catalog::find_course_model(id)) continue;
        const Model known = find_model(id, none);
        writer.object().text("id", id).text("name", model.name).text("hub", model.hub);
        writer.boolean("course", false).boolean("experts", known.shape.experts);
        for (const recipe::ShapeParameter& row : recipe::shape_parameters()) {
            writer.key(row.key);
            if (known.shape[row.id])
                writer.integer(known.shape[row.id]);
            else
                writer.null();
        }
        writer.end_object();
    }
}

}  // namespace memory_budget::api
