// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// OPT: learned positions (two rows more than the context), and in one size projections around the blocks.
void opt(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, {});
    a.embedding_name = "model.decoder.embed_tokens";
    a.embedding_width = r.positive_or(a.hidden, "word_embed_proj_dim");
    a.positions_name = "model.decoder.embed_positions";
    a.context = r.size("max_position_embeddings");
    a.positions = a.context + 2;
    a.blocks_name = "model.decoder.layers";
    if (a.embedding_width != a.hidden) {
        a.project_in = {"model.decoder.project_in", a.embedding_width, a.hidden};
        a.project_out = {"model.decoder.project_out", a.hidden, a.embedding_width};
    }
    const bool before = r.flag_or(true, "do_layer_norm_before");
    const bool bias = r.flag_or(true, "enable_bias");
    const bool affine = r.flag_or(true, "layer_norm_elementwise_affine");
    a.final_norm = before && affine && !r.flag_or(false, "_remove_final_layer_norm")
                       ? Norm("model.decoder.final_layer_norm", NormKind::layer, a.hidden)
                       : Norm{};
    Decoder d;
    d.qkv_bias = d.output_bias = bias;
    Block b;
    b.layout = before ? BlockLayout::pre_norm : BlockLayout::sum_norm;
    b.attention = grouped_attention(r, a, d);
    b.attention.kv_heads = b.attention.heads;
    b.attention.o.name = "out_proj";
    b.attention.rope = false;
    b.attention.dropout = r.number_or(0, "attention_dropout");
    b.attention.output_dropout = r.number_or(0.1, "dropout");
    b.mlp =
        plain_mlp("", "fc1", "fc2", a.hidden, r.size("ffn_dim"), activation(r, "activation_function", "relu"), bias);
    b.mlp.dropout = b.attention.output_dropout;
    if (affine) {
        b.before_attention = Norm("self_attn_layer_norm", NormKind::layer, a.hidden);
        b.before_mlp = Norm("final_layer_norm", NormKind::layer, a.hidden);
    }
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
}

}  // namespace memory_budget::model::families
