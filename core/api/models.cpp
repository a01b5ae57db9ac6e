// SPDX-License-Identifier: MIT
#include "core/catalog/models.h"

#include "core/api/full.h"
#include "core/budget/kept.h"
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

/// Models that were asked for last: a page asks for the same one at every stroke of a key.
constexpr std::size_t kept_models = 8;

Model catalog_model(std::string_view id) {
    Model found;
    if (const catalog::Model* entry = catalog::find_model(id)) {
        if (auto architecture = model::read_architecture(catalog::config_of(*entry)).architecture) {
            found.shape = shape_of(*architecture);
            found.architecture = std::make_shared<const model::Architecture>(*std::move(architecture));
        }
        found.shape.id = id;
        found.shape.name = entry->name;
    }
    if (const catalog::CourseModel* course = catalog::find_course_model(id)) found.shape = catalog::shape_of(*course);
    return found;
}

/// What came of reading a configuration.
struct Read {
    Model model;
    model::Issues errors;
    model::Issues warnings;
};

Read read_whole(const model::Config& config) {
    model::Read read = model::read_architecture(config);
    Read kept = {{}, std::move(read.errors), std::move(read.warnings)};
    if (read.architecture) {
        kept.model.shape = shape_of(*read.architecture);
        kept.model.config = model::to_compact(config);
        kept.model.architecture = std::make_shared<const model::Architecture>(*std::move(read.architecture));
    }
    return kept;
}

}  // namespace

bool is_full() {
    return true;
}

Model find_model(std::string_view id, recipe::Issues&) {
    static thread_local budget::Kept<std::string, Model, kept_models> kept;
    return kept.get(std::string(id), [id] { return catalog_model(id); });
}

Model read_model(const model::Config& config, const std::string& path, recipe::Issues& issues) {
    static thread_local budget::Kept<std::string, Read, kept_models> kept;
    // A page hands the compact line over again and again; an object comes once.
    const Read read = config.is_string() ? kept.get(std::string(config.text()),
                                                    [&] { return read_whole(model::parse_compact(config.text())); })
                                         : read_whole(config);
    const auto at = [&path](const model::Issue& issue) { return issue.path.empty() ? path : path + "." + issue.path; };
    for (const model::Issue& issue : read.errors) issues.error(issue.code, at(issue), issue.message);
    for (const model::Issue& issue : read.warnings) issues.warn(issue.code, at(issue), issue.message);
    return read.model;
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
