// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// GLM 4.5: grouped attention with partly rotated heads, DeepSeek's router and shared expert.
void glm4_moe(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    d.head_dim = 128;
    d.qkv_bias = r.flag_or(false, "attention_bias");
    d.qk_norm = r.flag_or(false, "use_qk_norm") ? QkNorm::head : QkNorm::none;
    d.rotary = RotaryKind::partial_inside;
    d.rotary_share = 0.5;
    general_decoder(r, a, d);
    Block sparse = a.blocks.front();
    const Activation act = sparse.mlp.activation;
    sparse.mlp = {};
    Experts& e = sparse.experts;
    const std::int64_t width = r.size("moe_intermediate_size");
    e = fused_experts(a.hidden, width, r.size("n_routed_experts"), r.positive_or(8, "num_experts_per_tok"));
    e.activation = act;
    e.router.kind = RouterKind::sigmoid;
    e.router.wide_product = e.router.scaled = true;
    e.router.groups = r.size_or(1, "n_group");
    e.router.correction_bias = true;
    e.router.normalised = r.flag_or(true, "norm_topk_prob");
    e.adapted_by_name = e.router_adapted = true;
    const std::int64_t shared = r.size_or(1, "n_shared_experts");
    if (shared > 0) e.shared = gated_mlp("mlp.shared_experts", a.hidden, shared * width, act);
    a.blocks.push_back(sparse);
    const std::int64_t first = r.size_or(1, "first_k_dense_replace");
    for (std::size_t l = 0; l < a.layers.size(); ++l) a.layers[l] = static_cast<std::int64_t>(l) < first ? 0 : 1;
    prediction_layers(a, sparse, r.size_or(0, "num_nextn_predict_layers"));
    drop_unused_blocks(a);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
