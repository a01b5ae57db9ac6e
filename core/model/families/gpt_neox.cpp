// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// GPT-NeoX and Pythia: q, k, v joined head by head, a quarter of each head rotated.
void gpt_neox(Reader& r, Architecture& a) {
    decoder_frame(r, a, false, Norm("gpt_neox.final_layer_norm", NormKind::layer, 0));
    a.embedding_name = "gpt_neox.embed_in";
    a.blocks_name = "gpt_neox.layers";
    a.head_name = "embed_out";
    Block b;
    const bool parallel = r.flag_or(true, "use_parallel_residual");
    b.layout = parallel ? BlockLayout::parallel : BlockLayout::pre_norm;
    b.sum = ResidualSum::mlp_attention;
    b.before_attention = Norm("input_layernorm", NormKind::layer, a.hidden);
    b.before_mlp = Norm("post_attention_layernorm", NormKind::layer, a.hidden);
    b.attention = grouped_attention(r, a, {});
    Attention& t = b.attention;
    const bool bias = r.flag_or(true, "attention_bias");
    t.path = "attention";
    t.layout = QkvLayout::per_head;
    t.kv_heads = t.heads;
    t.qkv = {"query_key_value", a.hidden, 3 * a.hidden, bias};
    t.q = t.k = t.v = {};
    t.o = {"dense", a.hidden, a.hidden, bias};
    b.mlp = plain_mlp("mlp", "dense_h_to_4h", "dense_4h_to_h", a.hidden, r.size("intermediate_size"),
                      activation(r, "hidden_act", "gelu"), true);
    const double share = r.rope_number_or(r.number_or(0.25, "rotary_pct"), "partial_rotary_factor");
    set_rotary(a, b, RotaryKind::partial_neox, share_of(share, t.head_dim));
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
