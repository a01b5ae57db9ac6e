// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// StarCoder 2: biases everywhere, plain MLP, all blocks slide where there is a window.
void starcoder2(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, Norm("model.norm", NormKind::layer, 0));
    const bool bias = r.flag_or(true, "use_bias");
    Decoder d;
    d.kv_heads = 2;
    d.qkv_bias = d.output_bias = bias;
    Block b;
    block_norms(b, NormKind::layer, a.hidden);
    b.attention = grouped_attention(r, a, d);
    b.mlp = plain_mlp("mlp", "c_fc", "c_proj", a.hidden, r.size("intermediate_size"),
                      activation(r, "hidden_act", "gelu_pytorch_tanh"), bias);
    set_rotary(a, b, RotaryKind::halves, b.attention.head_dim);
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
    split_by_window(
        r, a, r.size_or(0, "sliding_window"), [](std::int64_t, std::int64_t) { return true; }, 0);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
