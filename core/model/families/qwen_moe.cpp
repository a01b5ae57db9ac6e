// SPDX-License-Identifier: MIT
#include <utility>

#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

/// Every `decoder_sparse_step`-th layer has experts, but for those named in `mlp_only_layers`.
void place_experts(Reader& r, Architecture& a, std::int64_t experts) {
    Block dense = a.blocks.front();
    dense.experts = {};
    a.blocks.front().mlp = {};
    a.blocks.push_back(std::move(dense));
    const std::int64_t step = r.size_or(1, "decoder_sparse_step");
    const Config* only = r.config().get("mlp_only_layers");
    for (std::size_t l = 0; l < a.layers.size(); ++l) {
        bool sparse = experts > 0 && step > 0 && (static_cast<std::int64_t>(l) + 1) % step == 0;
        if (only)
            for (const Config& layer : only->items())
                if (layer.is_number() && layer.number() == static_cast<double>(l)) sparse = false;
        a.layers[l] = sparse ? 0 : 1;
    }
    drop_unused_blocks(a);
}

}  // namespace

/// Qwen 3's mixture of experts.
void qwen3_moe(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 4;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.qk_norm = QkNorm::head;
    general_decoder(r, a, d);
    Experts e = fused_experts(a.hidden, r.size("moe_intermediate_size"), r.size("num_experts", "num_local_experts"),
                              r.positive_or(8, "num_experts_per_tok"));
    e.router.normalised = r.flag_or(false, "norm_topk_prob");
    e.adapted_by_name = e.router_adapted = true;
    a.blocks.front().experts = e;
    if (!r.flag_or(false, "use_sliding_window")) a.window = 0;
    place_experts(r, a, e.count);
    a.steps_known = true;
}

/// The same with its experts fused in the checkpoint too: no names of parts are known to PEFT.
void qwen3_vl_moe_text(Reader& r, Architecture& a) {
    qwen3_moe(r, a);
    a.steps_known = false;
    for (Block& b : a.blocks) b.experts.adapted_by_name = b.experts.router_adapted = false;
}

/// Qwen 1.5 and 2's mixture of experts: biases on q, k, v, and a shared expert behind a gate.
void qwen2_moe(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 16;
    d.qkv_bias = r.flag_or(true, "qkv_bias");
    general_decoder(r, a, d);
    Experts e = fused_experts(a.hidden, r.size("moe_intermediate_size"), r.size("num_experts"),
                              r.positive_or(4, "num_experts_per_tok"));
    e.router.normalised = r.flag_or(false, "norm_topk_prob");
    e.shared = gated_mlp("mlp.shared_expert", a.hidden, r.size("shared_expert_intermediate_size"),
                         a.blocks.front().mlp.activation);
    e.shared_gate = {"shared_expert_gate", a.hidden, 1};
    a.blocks.front().experts = e;
    if (!r.flag_or(false, "use_sliding_window")) a.window = 0;
    place_experts(r, a, e.count);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
