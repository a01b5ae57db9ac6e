// SPDX-License-Identifier: MIT
#include "core/api/inventory_json.h"

#include <algorithm>
#include <array>

#include "core/api/full.h"

namespace memory_budget::api {
namespace {

using model::Architecture;
using model::Inventory;
using model::View;
using recipe::Key;

constexpr std::array<std::string_view, 8> roles = {"embedding", "attention", "mlp",  "expert",
                                                   "router",    "norm",      "head", "other"};
constexpr std::array<std::string_view, 4> parts = {"text", "vision", "audio", "mtp"};

/// Sums of all tensors of one role in one part.
struct Group {
    std::int64_t tensors = 0;
    std::int64_t parameters = 0;
    std::int64_t quantised = 0;
    std::int64_t quantised_bytes = 0;
};

void add(Group& group, const model::Tensor& tensor, model::Quantization quantization) {
    group.tensors += tensor.copies * (tensor.bias ? 2 : 1);
    group.parameters += tensor.parameters();
    if (!model::replaces(quantization, tensor)) return;
    group.quantised += tensor.weight_elements() * tensor.copies;
    group.quantised_bytes +=
        model::quantized_matrix(quantization, tensor.rows, tensor.columns).total() * tensor.stack * tensor.copies;
}

bool is_mixture(const Architecture& architecture) {
    return std::any_of(architecture.blocks.begin(), architecture.blocks.end(),
                       [](const model::Block& block) { return block.experts.present(); });
}

}  // namespace

Load load_of(const recipe::Recipe& recipe) {
    Load load;
    if (recipe.choice<recipe::Dtype>(Key::weights_dtype) == recipe::Dtype::fp32) load.width = 4;
    if (recipe.choice<recipe::Method>(Key::method) != recipe::Method::qlora) return load;
    load.quantization = model::Quantization::nf4_double;
    if (!recipe.has(Key::quantization)) return load;
    switch (recipe.choice<recipe::Quantization>(Key::quantization)) {
        case recipe::Quantization::none:
            load.quantization = model::Quantization::none;
            break;
        case recipe::Quantization::nf4:
            load.quantization = model::Quantization::nf4;
            break;
        case recipe::Quantization::gptq:
            load.quantization = model::Quantization::gptq;
            break;
        case recipe::Quantization::nf4_double:
            break;
    }
    return load;
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

void write_roles(JsonWriter& writer, std::string_view name, const Inventory& all, const Load& load) {
    std::array<std::array<Group, roles.size()>, parts.size()> groups{};
    for (const model::Tensor& tensor : all.tensors)
        if (tensor.presence == model::Presence::both)
            add(groups[static_cast<std::size_t>(tensor.part)][static_cast<std::size_t>(tensor.role)], tensor,
                load.quantization);
    writer.key(name).array();
    for (std::size_t part = 0; part < parts.size(); ++part) {
        for (std::size_t role = 0; role < roles.size(); ++role) {
            const Group& group = groups[part][role];
            if (group.tensors == 0) continue;
            const std::int64_t kept = (group.parameters - group.quantised) * load.width;
            writer.object().text("role", roles[role]).text("part", parts[part]);
            writer.integer("tensors", group.tensors).integer("parameters", group.parameters);
            writer.integer("quantised_parameters", group.quantised).integer("quantised_bytes", group.quantised_bytes);
            writer.integer("bytes", kept + group.quantised_bytes).end_object();
        }
    }
    writer.end_array();
}

void write_adapters(JsonWriter& writer, const Architecture& architecture, const Inventory& all,
                    const recipe::Recipe& recipe) {
    const auto names = recipe::parameter(Key::expert_adapters).choices;
    writer.key("adapters").array();
    for (std::size_t i = 0; i < names.size() && is_mixture(architecture); ++i) {
        const model::AdapterPlan plan = adapter_plan(recipe, static_cast<model::ExpertAdapters>(i));
        const model::AdapterCount count = model::count_adapter(architecture, all, plan);
        if (!count.errors.empty()) continue;
        writer.object().text("choice", names[i]).text("library", count.library);
        writer.integer("rank", plan.rank).integer("parameters", count.parameters).end_object();
    }
    writer.end_array();
}

void write_inventory(JsonWriter& writer, const Architecture& architecture, const recipe::Recipe& recipe) {
    const Inventory all = model::inventory(architecture);
    writer.key("inventory").object();
    write_summary(writer, architecture, all);
    write_roles(writer, "roles", all, load_of(recipe));
    write_adapters(writer, architecture, all, recipe);
    writer.end_object();
}

}  // namespace memory_budget::api
