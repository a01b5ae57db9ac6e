// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Cohere's Command R: attention and MLP side by side on one layer norm without bias, tied head.
void cohere(Reader& r, Architecture& a) {
    Decoder d;
    d.tied = true;
    d.norm = NormKind::layer;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.rotary = RotaryKind::interleaved;
    general_decoder(r, a, d);
    a.final_norm.bias = false;
    a.logits_divisor = 1;
    Block& b = a.blocks.front();
    b.layout = BlockLayout::parallel;
    b.sum = ResidualSum::one_after_other;
    b.before_attention.bias = false;
    b.before_mlp = {};
    if (r.flag_or(false, "use_qk_norm")) {
        b.attention.qk_norm = QkNorm::head;
        b.extras.push_back(
            extra_vector("self_attn.q_norm", Role::norm, Part::text, b.attention.heads * b.attention.head_dim));
        b.extras.push_back(
            extra_vector("self_attn.k_norm", Role::norm, Part::text, b.attention.kv_heads * b.attention.head_dim));
    }
    // Command R7B and A: three of four blocks slide.
    if (a.family == "cohere2") split_by_window(r, a, a.window > 0 ? a.window : 4096, sliding_but_every, 4);
}

}  // namespace memory_budget::model::families
