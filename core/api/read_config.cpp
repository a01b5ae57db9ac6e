// SPDX-License-Identifier: MIT
#include <algorithm>
#include <array>

#include "core/api/api.h"
#include "core/api/config_json.h"
#include "core/api/json_writer.h"
#include "core/api/response.h"
#include "core/model/adapter.h"
#include "core/model/inventory.h"
#include "core/model/quantized.h"
#include "core/model/read.h"

namespace memory_budget::api {
namespace {

using model::Architecture;
using model::Inventory;
using model::View;

constexpr std::array<std::string_view, 8> roles = {"embedding", "attention", "mlp",  "expert",
                                                   "router",    "norm",      "head", "other"};
constexpr std::array<std::string_view, 4> parts = {"text", "vision", "audio", "mtp"};

/// Sums of all tensors of one role in one part.
struct Group {
    std::int64_t tensors = 0;
    std::int64_t parameters = 0;
    std::int64_t quantised = 0;
    std::int64_t bytes_4bit = 0;
};

void add(Group& group, const model::Tensor& tensor) {
    const std::int64_t matrices = tensor.stack * tensor.copies;
    group.tensors += tensor.copies * (tensor.bias ? 2 : 1);
    group.parameters += tensor.parameters();
    if (!model::replaces(model::Quantization::nf4_double, tensor)) {
        group.bytes_4bit += tensor.parameters() * 2;
        return;
    }
    const std::int64_t weights = tensor.weight_elements() * tensor.copies;
    group.quantised += weights;
    group.bytes_4bit += (tensor.parameters() - weights) * 2;
    group.bytes_4bit +=
        model::quantized_matrix(model::Quantization::nf4_double, tensor.rows, tensor.columns).total() * matrices;
}

void write_inventory(JsonWriter& writer, const Inventory& all) {
    std::array<std::array<Group, roles.size()>, parts.size()> groups{};
    for (const model::Tensor& tensor : all.tensors)
        if (tensor.presence == model::Presence::both)
            add(groups[static_cast<std::size_t>(tensor.part)][static_cast<std::size_t>(tensor.role)], tensor);
    writer.key("inventory").array();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (std::size_t role = 0; role < roles.size(); ++role) {
            const Group& group = groups[part][role];
            if (group.tensors == 0) continue;
            writer.object().text("role", roles[role]).text("part", parts[part]);
            writer.integer("tensors", group.tensors).integer("parameters", group.parameters);
            writer.integer("bytes_16bit", group.parameters * 2).integer("bytes_4bit", group.bytes_4bit);
            writer.integer("quantised_parameters", group.quantised).end_object();
        }
    }
    writer.end_array();
}

void write_summary(JsonWriter& writer, const Architecture& architecture, const Inventory& all) {
    const auto attention = std::find_if(architecture.blocks.begin(), architecture.blocks.end(),
                                        [](const model::Block& block) { return block.attention.heads > 0; });
    const auto experts = std::find_if(architecture.blocks.begin(), architecture.blocks.end(),
                                      [](const model::Block& block) { return block.experts.present(); });
    std::int64_t width = architecture.dense_width;
    for (const model::Block& block : architecture.blocks)
        if (width == 0) width = block.mlp.width;

    writer.key("model").object().text("family", architecture.family);
    if (!architecture.name.empty()) writer.text("name", architecture.name);
    writer.integer("num_hidden_layers", static_cast<std::int64_t>(architecture.layers.size()));
    writer.integer("hidden_size", architecture.hidden).integer("vocab_size", architecture.vocabulary);
    if (width > 0) writer.integer("intermediate_size", width);
    if (attention != architecture.blocks.end()) {
        writer.integer("num_attention_heads", attention->attention.heads);
        writer.integer("num_key_value_heads", attention->attention.kv_heads);
        writer.integer("head_dim", attention->attention.head_dim);
    }
    if (experts != architecture.blocks.end()) {
        writer.integer("num_experts", experts->experts.count);
        writer.integer("num_experts_per_tok", experts->experts.per_token);
        writer.integer("moe_intermediate_size", experts->experts.width);
    }
    writer.boolean("tied_head", architecture.tied_head);
    writer.integer("parameters", all.parameters(View::network));
    writer.integer("active_parameters", all.active_parameters(View::network));
    writer.integer("checkpoint_parameters", all.parameters(View::checkpoint)).end_object();
}

/// Of a mixture of experts every choice there is, each with who makes it so.
void write_adapters(JsonWriter& writer, const Architecture& architecture, const Inventory& all) {
    struct Choice {
        std::string_view name;
        model::ExpertAdapters experts;
    };
    constexpr std::array<Choice, 4> choices = {{{"left-out", model::ExpertAdapters::left_out},
                                                {"dense-equivalent", model::ExpertAdapters::dense_equivalent},
                                                {"separate", model::ExpertAdapters::separate},
                                                {"fused", model::ExpertAdapters::fused}}};
    const bool mixture = std::any_of(architecture.blocks.begin(), architecture.blocks.end(),
                                     [](const model::Block& block) { return block.experts.present(); });
    writer.key("adapters").array();
    for (const Choice& choice : choices) {
        if (!mixture) break;
        model::AdapterPlan plan;
        plan.experts = choice.experts;
        const model::AdapterCount count = model::count_adapter(architecture, all, plan);
        if (!count.errors.empty()) continue;
        writer.object().text("choice", choice.name).text("library", count.library);
        writer.integer("rank", plan.rank).integer("parameters", count.parameters).end_object();
    }
    writer.end_array();
}

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
            const Inventory all = model::inventory(*read.architecture);
            write_summary(body, *read.architecture, all);
            write_inventory(body, all);
            write_adapters(body, *read.architecture, all);
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
