// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// gpt-oss: a learned sink in each head, experts with biases and interleaved halves, every second block slides.
void gpt_oss(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    d.head_dim = 64;
    d.norm = NormKind::rms_wide;
    d.qkv_bias = d.output_bias = r.flag_or(true, "attention_bias");
    d.rotary = RotaryKind::split_products;
    d.window = 128;
    general_decoder(r, a, d);
    Block& b = a.blocks.front();
    b.attention.sinks = true;
    b.attention.eager = EagerKind::sinks;
    Experts& e = b.experts;
    e = fused_experts(a.hidden, b.mlp.width, r.size("num_local_experts"),
                      r.positive_or(4, "num_experts_per_tok", "experts_per_token"));
    e.bias = e.interleaved = e.transposed = true;
    e.router.kind = RouterKind::top_softmax;
    e.router.path = "mlp.router";
    e.router.weight.bias = true;
    b.mlp = {};
    split_by_window(r, a, a.window, sliding_but_every, 2);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
