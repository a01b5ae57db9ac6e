// SPDX-License-Identifier: MIT
#include "core/api/full.h"
#include "core/model/quantized.h"
#include "core/recipe/stacks.h"

namespace memory_budget::api {
namespace {

using recipe::Key;
using recipe::Method;
using recipe::Recipe;

NoteValue bytes(std::string_view name, std::int64_t value) {
    return {name, NoteValue::Kind::bytes, value};
}

/// The stacks that load by TRL's own defaults.
bool of_trl(const Recipe& recipe) {
    return recipe::stacks()[static_cast<std::size_t>(recipe.integer(Key::stack))].id.substr(0, 3) == "trl";
}

bool adapts_experts(const Recipe& recipe) {
    const auto targets = recipe.choice<recipe::Targets>(Key::targets);
    return targets == recipe::Targets::all_linear || targets == recipe::Targets::mlp;
}

}  // namespace

std::int64_t quantized_base_bytes(const model::Architecture& architecture) {
    constexpr std::int64_t kept_width = 2;
    return model::quantized_load(model::inventory(architecture), model::Quantization::nf4_double, kept_width).total();
}

std::vector<Note> findings(const model::Architecture& architecture, const recipe::Shape& shape, const Evaluation& run) {
    constexpr std::string_view traced = "traced-lesson";
    const Recipe& recipe = run.recipe;
    const recipe::Pieces& pieces = recipe::stack_of(recipe).pieces;
    const bool fused_experts = shape.experts && !pieces.separate_experts;
    const Method method = recipe.choice<Method>(Key::method);
    const auto dtype = [&](Key key) { return recipe.choice<recipe::Dtype>(key); };
    const auto loss = recipe.choice<recipe::Loss>(Key::loss);
    const std::int64_t head = architecture.vocabulary * architecture.hidden;
    std::vector<Note> list;
    if (method == Method::qlora) {
        std::int64_t base = 0;
        for (const budget::Row& row : run.budget.rows)
            if (row.id == "base" || row.id == "quantization") base += row.bytes;
        list.push_back(
            {fused_experts ? "experts-counted-wide" : "base-partly-4-bit", false, traced, {bytes("base_bytes", base)}});
    }
    if (fused_experts && method != Method::full && adapts_experts(recipe))
        list.push_back({"adapters-on-experts", false, traced});
    if (method == Method::full && of_trl(recipe) && dtype(Key::weights_dtype) == recipe::Dtype::fp32 &&
        !recipe.given(Key::weights_dtype))
        list.push_back({"loads-at-32-bit", false, traced, {}});
    if (of_trl(recipe) && method != Method::full && loss == recipe::Loss::chunked)
        list.push_back({"chunked-under-adapter", false, traced, {bytes("head_bytes", 6 * head)}});
    if (of_trl(recipe) && method != Method::full)
        list.push_back({dtype(Key::adapter_dtype) == recipe::Dtype::fp32 ? "adapter-at-32-bit" : "adapter-at-16-bit",
                        false, traced});
    if (loss == recipe::Loss::full && pieces.loss_chain == recipe::LossChain::padded_labels)
        list.push_back({"logits-in-backward",
                        false,
                        traced,
                        {bytes("logits_bytes", 12 * recipe.integer(Key::batch) * recipe.integer(Key::sequence) *
                                                   architecture.vocabulary)}});
    if (recipe.choice<recipe::Optimizer>(Key::optimizer) == recipe::Optimizer::adamw_foreach)
        list.push_back({"multi-tensor-temporary", false, traced});
    if (run.detail && run.detail->step.host_bytes > 0)
        list.push_back({"waits-on-host", false, "step-parameters", {bytes("host_bytes", run.detail->step.host_bytes)}});
    return list;
}

}  // namespace memory_budget::api
