// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Phi 1 and 2: layer norm, biases everywhere, attention and MLP side by side on one norm.
void phi(Reader& r, Architecture& a) {
    decoder_frame(r, a, false, Norm("model.final_layernorm", NormKind::layer, 0));
    a.head_bias = true;
    Decoder d;
    d.qkv_bias = d.output_bias = true;
    d.norm = NormKind::layer;
    Block b;
    b.layout = BlockLayout::parallel;
    b.sum = ResidualSum::attention_mlp;
    b.before_attention = Norm("input_layernorm", NormKind::layer, a.hidden);
    b.attention = grouped_attention(r, a, d);
    b.attention.o.name = "dense";
    if (r.flag_or(false, "qk_layernorm")) {
        b.attention.qk_norm = QkNorm::head;
        b.attention.q_norm = Norm("q_layernorm", NormKind::layer, b.attention.head_dim);
        b.attention.k_norm = Norm("k_layernorm", NormKind::layer, b.attention.head_dim);
    }
    b.mlp = plain_mlp("mlp", "fc1", "fc2", a.hidden, r.size("intermediate_size"),
                      activation(r, "hidden_act", "gelu_new"), true);
    const double share = r.rope_number_or(0.5, "partial_rotary_factor");
    set_rotary(a, b, RotaryKind::partial_outside, share_of(share, b.attention.head_dim));
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
