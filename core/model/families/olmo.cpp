// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

Decoder olmo_decoder(Reader& r) {
    Decoder d;
    d.norm = NormKind::rms_wide;
    d.layout = BlockLayout::post_norm;
    d.qk_norm = QkNorm::whole;
    d.rotary = RotaryKind::halves_wide;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    return d;
}

}  // namespace

/// OLMo 2: norms after the branches, norms over the whole of q and k.
void olmo2(Reader& r, Architecture& a) {
    general_decoder(r, a, olmo_decoder(r));
    a.liger_norm_in_place = false;
    a.steps_known = true;
}

/// OLMo 3: three of four blocks slide, with rotary tables of their own.
void olmo3(Reader& r, Architecture& a) {
    Decoder d = olmo_decoder(r);
    d.window = 4096;
    general_decoder(r, a, d);
    a.rotary.tables = 2;
    split_by_window(r, a, a.window, sliding_but_every, 4);
    a.liger_norm_in_place = false;
    a.steps_known = true;
}

/// OLMoE: a mixture of experts with Llama's norms before the branches.
void olmoe(Reader& r, Architecture& a) {
    Decoder d;
    d.qk_norm = QkNorm::whole;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    general_decoder(r, a, d);
    Block& b = a.blocks.front();
    b.experts =
        fused_experts(a.hidden, b.mlp.width, r.positive_or(64, "num_experts"), r.positive_or(8, "num_experts_per_tok"));
    b.experts.activation = b.mlp.activation;
    b.experts.router.normalised = r.flag_or(false, "norm_topk_prob");
    b.experts.adapted_by_name = b.experts.router_adapted = true;
    b.mlp = {};
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
