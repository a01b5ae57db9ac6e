// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

/// A gated delta network in place of attention.
Attention delta_network(Reader& r, const Architecture& a, bool joined) {
    Attention t;
    t.kind = AttentionKind::delta;
    t.path = "linear_attn";
    Delta& d = t.delta;
    d.key_heads = r.positive_or(16, "linear_num_key_heads");
    d.value_heads = r.positive_or(32, "linear_num_value_heads");
    d.key_dim = r.positive_or(128, "linear_key_head_dim");
    d.value_dim = r.positive_or(128, "linear_value_head_dim");
    d.kernel = r.positive_or(4, "linear_conv_kernel_dim");
    const std::int64_t key = d.key_heads * d.key_dim;
    const std::int64_t value = d.value_heads * d.value_dim;
    if (joined) {
        d.qkvz = {"in_proj_qkvz", a.hidden, 2 * key + 2 * value};
        d.ba = {"in_proj_ba", a.hidden, 2 * d.value_heads};
    } else {
        d.qkv = {"in_proj_qkv", a.hidden, 2 * key + value};
        d.z = {"in_proj_z", a.hidden, value};
        d.b = {"in_proj_b", a.hidden, d.value_heads};
        d.a = {"in_proj_a", a.hidden, d.value_heads};
    }
    d.norm = Norm("norm", NormKind::rms, d.value_dim);
    t.o = {"out_proj", value, a.hidden};
    return t;
}

/// Gated delta networks with full attention in every fourth layer, dense or with experts.
void hybrid(Reader& r, Architecture& a, bool joined, bool experts, bool named) {
    decoder_frame(r, a, false, Norm("model.norm", NormKind::rms_gemma, 0));
    const Activation act = activation(r, "hidden_act", "silu");
    Decoder d;
    d.kv_heads = 2;
    d.head_dim = 256;
    d.norm = NormKind::rms_gemma;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.qk_norm = QkNorm::head;
    Block full;
    block_norms(full, d.norm, a.hidden);
    full.attention = grouped_attention(r, a, d);
    Attention& t = full.attention;
    t.output_gate = true;
    t.q.out *= 2;
    set_rotary(a, full, RotaryKind::partial_inside,
               share_of(r.rope_number_or(0.25, "partial_rotary_factor"), t.head_dim));
    if (experts) {
        Experts& e = full.experts;
        e = fused_experts(a.hidden, r.size("moe_intermediate_size"), r.size("num_experts"),
                          r.positive_or(8, "num_experts_per_tok"));
        e.activation = act;
        e.router.normalised = r.flag_or(true, "norm_topk_prob");
        e.shared = gated_mlp("mlp.shared_expert", a.hidden, r.size("shared_expert_intermediate_size"), act);
        e.shared_gate = {"shared_expert_gate", a.hidden, 1};
        e.adapted_by_name = e.router_adapted = named;
    } else {
        full.mlp = gated_mlp("mlp", a.hidden, r.size("intermediate_size"), act);
    }
    Block linear = full;
    linear.attention = delta_network(r, a, joined);

    const std::int64_t layers = layer_count(r);
    const Config* types = r.layer_types(layers);
    const std::int64_t period = r.size_or(4, "full_attention_interval");
    for (std::int64_t l = 0; l < layers; ++l) {
        const bool is_linear = types ? types->items()[static_cast<std::size_t>(l)].text() == "linear_attention"
                                     : period == 0 || sliding_but_every(l, period);
        a.layers.push_back(is_linear ? 1 : 0);
    }

    const std::int64_t ahead = r.size_or(0, "mtp_num_hidden_layers", "num_nextn_predict_layers");
    if (ahead > 0) {
        a.prediction_blocks.assign(1, full);
        a.prediction_copies = ahead;
        a.extras.push_back(extra_linear("mtp.fc", Role::other, Part::mtp, 2 * a.hidden, a.hidden, 1));
        for (const char* name : {"mtp.pre_fc_norm_embedding", "mtp.pre_fc_norm_hidden", "mtp.norm"})
            a.extras.push_back(extra_vector(name, Role::norm, Part::mtp, a.hidden));
    }
    a.blocks = {full, linear};
    drop_unused_blocks(a);
}

}  // namespace

void qwen3_next(Reader& r, Architecture& a) {
    hybrid(r, a, true, true, true);
}
void qwen3_5_text(Reader& r, Architecture& a) {
    hybrid(r, a, false, false, false);
}
void qwen3_5_moe_text(Reader& r, Architecture& a) {
    hybrid(r, a, false, true, false);
}

}  // namespace memory_budget::model::families
