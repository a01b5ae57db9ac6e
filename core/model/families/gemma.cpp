// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

/// Gemma's classes know the activation under two keys; the older one is in old files only.
Decoder gemma_decoder(Reader& r) {
    Decoder d;
    d.tied = true;
    d.head_dim = 256;
    d.norm = NormKind::rms_gemma;
    d.activation = "gelu_pytorch_tanh";
    if (r.has("hidden_activation")) d.activation_key = "hidden_activation";
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    return d;
}

}  // namespace

void gemma(Reader& r, Architecture& a) {
    Decoder d = gemma_decoder(r);
    d.kv_heads = 16;
    general_decoder(r, a, d);
    a.embedding_scale = true;
    a.steps_known = true;
}

/// Gemma 2: norms on both sides, scores and logits capped, every second block slides.
void gemma2(Reader& r, Architecture& a) {
    Decoder d = gemma_decoder(r);
    d.kv_heads = 4;
    d.layout = BlockLayout::sandwich;
    d.window = 4096;
    general_decoder(r, a, d);
    a.embedding_scale = true;
    a.final_softcap = r.config().find("final_logit_softcapping") ? r.number_or(0, "final_logit_softcapping") : 30;
    a.blocks.front().attention.softcap =
        r.config().find("attn_logit_softcapping") ? r.number_or(0, "attn_logit_softcapping") : 50;
    split_by_window(r, a, a.window, sliding_but_every, 2);
    a.liger_norm_in_place = false;
    a.steps_known = true;
}

/// Gemma 3: norms on q and k, five of six blocks slide and have rotary tables of their own.
void gemma3_text(Reader& r, Architecture& a) {
    Decoder d = gemma_decoder(r);
    d.kv_heads = 4;
    d.layout = BlockLayout::sandwich;
    d.qk_norm = QkNorm::head_after;
    d.window = 4096;
    general_decoder(r, a, d);
    a.rotary.tables = 2;
    a.embedding_scale = true;
    a.final_softcap = r.number_or(0, "final_logit_softcapping");
    a.blocks.front().attention.softcap = r.number_or(0, "attn_logit_softcapping");
    const std::int64_t period = r.size_or(6, "sliding_window_pattern");
    split_by_window(r, a, a.window, sliding_but_every, period > 0 ? period : 6);
    a.liger_norm_in_place = false;
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
