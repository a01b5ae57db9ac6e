// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// GPT-2: learned positions, transposed linears, dropouts that are on in training.
void gpt2(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, Norm("transformer.ln_f", NormKind::layer, 0));
    a.embedding_name = "transformer.wte";
    a.positions_name = "transformer.wpe";
    a.positions = r.positive_or(1024, "n_positions", "n_ctx");
    a.context = a.positions;
    a.blocks_name = "transformer.h";
    a.embedding_dropout = r.number_or(0.1, "embd_pdrop");
    Block b;
    b.sum = ResidualSum::branch_first;
    b.before_attention = Norm("ln_1", NormKind::layer, a.hidden);
    b.before_mlp = Norm("ln_2", NormKind::layer, a.hidden);
    b.attention = grouped_attention(r, a, {});
    Attention& t = b.attention;
    t.path = "attn";
    t.layout = QkvLayout::split;
    t.eager = EagerKind::gpt2;
    t.qkv = {"c_attn", a.hidden, 3 * a.hidden, true, Weight::conv1d};
    t.q = t.k = t.v = {};
    t.o = {"c_proj", a.hidden, a.hidden, true, Weight::conv1d};
    t.rope = false;
    t.dropout = r.number_or(0.1, "attn_pdrop");
    t.output_dropout = r.number_or(0.1, "resid_pdrop");
    b.mlp = plain_mlp("mlp", "c_fc", "c_proj", a.hidden, r.positive_or(4 * a.hidden, "n_inner"),
                      activation(r, "activation_function", "gelu_new"), true);
    b.mlp.up.weight = b.mlp.down.weight = Weight::conv1d;
    b.mlp.dropout = t.output_dropout;
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r, "n_layer"));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
