// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

Decoder glm_decoder(Reader& r) {
    Decoder d;
    d.kv_heads = 2;
    d.head_dim = 128;
    d.joined_mlp = true;
    d.qkv_bias = r.flag_or(true, "attention_bias");
    d.rotary = RotaryKind::interleaved;
    d.rotary_share = 0.5;
    return d;
}

}  // namespace

/// GLM 4 of 2024.
void glm(Reader& r, Architecture& a) {
    general_decoder(r, a, glm_decoder(r));
    a.steps_known = true;
}

/// GLM 4 of 2025: norms after the branches too.
void glm4(Reader& r, Architecture& a) {
    Decoder d = glm_decoder(r);
    d.qkv_bias = r.flag_or(false, "attention_bias");
    general_decoder(r, a, d);
    Block& b = a.blocks.front();
    b.layout = BlockLayout::sandwich;
    b.after_attention = Norm("post_self_attn_layernorm", NormKind::rms, a.hidden);
    b.before_mlp = Norm("post_attention_layernorm", NormKind::rms, a.hidden);
    b.after_mlp = Norm("post_mlp_layernorm", NormKind::rms, a.hidden);
    a.liger_norm_in_place = false;
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
