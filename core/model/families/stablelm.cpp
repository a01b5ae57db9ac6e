// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// StableLM: Llama's linears with layer norms and partly rotated heads.
void stablelm(Reader& r, Architecture& a) {
    decoder_frame(r, a, false, Norm("model.norm", NormKind::layer, 0));
    Decoder d;
    d.kv_heads = 32;
    d.qkv_bias = r.flag_or(false, "use_qkv_bias");
    d.norm = NormKind::layer;
    Block b = decoder_block(r, a, d);
    b.sum = ResidualSum::one_after_other;
    if (r.flag_or(false, "use_parallel_residual")) {
        b.layout = BlockLayout::parallel;
        b.before_mlp = {};
    }
    if (r.flag_or(false, "qk_layernorm")) {
        b.attention.qk_norm = QkNorm::head;
        b.extras.push_back(extra_vector("self_attn.q_layernorm.norms", Role::norm, Part::text, b.attention.head_dim,
                                        b.attention.heads));
        b.extras.push_back(extra_vector("self_attn.k_layernorm.norms", Role::norm, Part::text, b.attention.head_dim,
                                        b.attention.kv_heads));
    }
    const double share = r.rope_number_or(0.25, "partial_rotary_factor");
    set_rotary(a, b, RotaryKind::partial_outside, share_of(share, b.attention.head_dim));
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
