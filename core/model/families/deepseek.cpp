// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

Block latent_block(Reader& r, const Architecture& a) {
    Block b;
    block_norms(b, NormKind::rms, a.hidden);
    Attention& t = b.attention;
    Latent& m = t.latent;
    t.kind = AttentionKind::latent;
    t.path = "self_attn";
    t.heads = t.kv_heads = r.size("num_attention_heads");
    m.nope_dim = r.size("qk_nope_head_dim");
    m.rope_dim = r.size("qk_rope_head_dim");
    m.kv_rank = r.size("kv_lora_rank");
    t.head_dim = m.nope_dim + m.rope_dim;
    t.value_dim = r.size("v_head_dim");
    const std::int64_t query = t.heads * t.head_dim;
    const std::int64_t query_rank = r.size_or(0, "q_lora_rank");
    const bool bias = r.flag_or(false, "attention_bias");
    if (query_rank > 0) {
        m.q_a = {"q_a_proj", a.hidden, query_rank, bias};
        m.q_norm = Norm("q_a_layernorm", NormKind::rms, query_rank);
        m.q_b = {"q_b_proj", query_rank, query};
    } else {
        t.q = {"q_proj", a.hidden, query};
    }
    m.kv_a = {"kv_a_proj_with_mqa", a.hidden, m.kv_rank + m.rope_dim, bias};
    m.kv_norm = Norm("kv_a_layernorm", NormKind::rms, m.kv_rank);
    m.kv_b = {"kv_b_proj", m.kv_rank, t.heads * (m.nope_dim + t.value_dim)};
    t.o = {"o_proj", t.heads * t.value_dim, a.hidden, bias};
    return b;
}

void deepseek(Reader& r, Architecture& a, RouterKind router, bool correction) {
    decoder_frame(r, a, false, Norm("model.norm", NormKind::rms, 0));
    const Activation act = activation(r, "hidden_act", "silu");
    Block dense = latent_block(r, a);
    set_rotary(a, dense, router == RouterKind::sigmoid ? RotaryKind::latent : RotaryKind::complex,
               dense.attention.latent.rope_dim);
    Block sparse = dense;
    const std::int64_t layers = layer_count(r);
    const std::int64_t first = r.size_or(0, "first_k_dense_replace");
    const std::int64_t width = r.size("moe_intermediate_size");
    if (first > 0) dense.mlp = gated_mlp("mlp", a.hidden, r.size("intermediate_size"), act);
    Experts& e = sparse.experts;
    e = fused_experts(a.hidden, width, r.size("n_routed_experts"), r.positive_or(8, "num_experts_per_tok"));
    e.activation = act;
    e.router.kind = router;
    e.router.wide = e.router.wide_product = true;
    e.router.scaled = true;
    e.router.groups = r.size_or(1, "n_group");
    e.router.correction_bias = correction;
    e.router.normalised = r.flag_or(router == RouterKind::sigmoid, "norm_topk_prob");
    e.adapted_by_name = e.router_adapted = true;
    const std::int64_t shared = r.size_or(0, "n_shared_experts");
    if (shared > 0) e.shared = gated_mlp("mlp.shared_experts", a.hidden, shared * width, act);
    a.blocks = {dense, sparse};
    for (std::int64_t l = 0; l < layers; ++l) a.layers.push_back(l < first ? 0 : 1);
    prediction_layers(a, sparse, r.size_or(0, "num_nextn_predict_layers"));
    drop_unused_blocks(a);
    a.steps_known = true;
}

}  // namespace

void deepseek_v2(Reader& r, Architecture& a) {
    deepseek(r, a, RouterKind::softmax_top, false);
}

/// DeepSeek V3, Kimi K2 and GLM 4.7 Flash: sigmoid scores with a correction bias for the choice.
void deepseek_v3(Reader& r, Architecture& a) {
    deepseek(r, a, RouterKind::sigmoid, r.word_or("noaux_tc", "topk_method") == "noaux_tc");
}

}  // namespace memory_budget::model::families
