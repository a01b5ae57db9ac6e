// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// LFM 2: short convolutions with attention in some layers.
void lfm2(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, Norm("model.embedding_norm", NormKind::rms, 0));
    const std::int64_t layers = layer_count(r);
    std::int64_t width = r.size("block_ff_dim", "intermediate_size");
    if (r.flag_or(true, "block_auto_adjust_ff_dim")) {
        const std::int64_t multiple = r.size_or(256, "block_multiple_of");
        width = 2 * width / 3;
        width = static_cast<std::int64_t>(r.number_or(1, "block_ffn_dim_multiplier") * static_cast<double>(width));
        if (multiple > 0) width = (width + multiple - 1) / multiple * multiple;
        if (width < 1 || width > (1 << 30)) {
            r.error("out-of-range", "block_ffn_dim_multiplier", "the width that follows is too small or too large");
            width = 1;
        }
    }
    Decoder d;
    d.kv_heads = 8;
    d.qk_norm = QkNorm::head;
    Block full;
    full.before_attention = Norm("operator_norm", NormKind::rms, a.hidden);
    full.before_mlp = Norm("ffn_norm", NormKind::rms, a.hidden);
    full.attention = grouped_attention(r, a, d);
    full.attention.o.name = "out_proj";
    full.attention.q_norm.name = "q_layernorm";
    full.attention.k_norm.name = "k_layernorm";
    full.mlp = gated_mlp("feed_forward", a.hidden, width, Activation::silu);
    full.mlp.gate.name = "w1";
    full.mlp.up.name = "w3";
    full.mlp.down.name = "w2";
    set_rotary(a, full, RotaryKind::halves, full.attention.head_dim);
    Block convolution = full;
    convolution.attention = {};
    Attention& t = convolution.attention;
    t.kind = AttentionKind::convolution;
    t.path = "conv";
    t.convolution.bias = r.flag_or(false, "conv_bias");
    t.convolution.kernel = r.positive_or(3, "conv_L_cache");
    t.convolution.in = {"in_proj", a.hidden, 3 * a.hidden, t.convolution.bias};
    t.convolution.out = {"out_proj", a.hidden, a.hidden, t.convolution.bias};
    a.blocks = {convolution, full};

    a.layers.assign(static_cast<std::size_t>(layers), 0);
    const Config* types = r.layer_types(layers);
    const Config* full_ones = r.config().get("full_attn_idxs");
    for (std::size_t l = 0; l < a.layers.size(); ++l) {
        bool attends = !types && !full_ones;
        if (types) attends = types->items()[l].text() == "full_attention";
        if (full_ones)
            for (const Config& one : full_ones->items()) attends = attends || one.number() == static_cast<double>(l);
        a.layers[l] = attends ? 1 : 0;
    }
    drop_unused_blocks(a);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
