// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// BERT: norms after the sums, learned positions and token types, a pooler; no head.
void bert(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, {});
    a.body = Body::encoder;
    a.head = false;
    a.final_norm = {};
    a.embedding_name = "embeddings.word_embeddings";
    a.positions_name = "embeddings.position_embeddings";
    a.positions = a.context = r.size("max_position_embeddings");
    a.token_types = r.positive_or(2, "type_vocab_size");
    a.embedding_norm = Norm("embeddings.LayerNorm", NormKind::layer, a.hidden);
    a.blocks_name = "encoder.layer";
    Decoder d;
    d.qkv_bias = d.output_bias = true;
    Block b;
    b.layout = BlockLayout::sum_norm;
    Attention& t = b.attention;
    t = grouped_attention(r, a, d);
    t.path = "attention";
    t.rope = false;
    t.q.name = "self.query";
    t.k.name = "self.key";
    t.v.name = "self.value";
    t.o.name = "output.dense";
    b.mlp = plain_mlp("", "intermediate.dense", "output.dense", a.hidden, r.size("intermediate_size"),
                      activation(r, "hidden_act", "gelu"), true);
    b.before_attention = Norm("attention.output.LayerNorm", NormKind::layer, a.hidden);
    b.before_mlp = Norm("output.LayerNorm", NormKind::layer, a.hidden);
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r));
    a.extras.push_back(extra_linear("pooler.dense", Role::other, Part::text, a.hidden, a.hidden, 1, true));
}

/// ModernBERT: joined q, k, v and joined gated MLP, no biases; the first layer has no norm before its attention.
void modernbert(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, Norm("final_norm", NormKind::layer, 0));
    a.body = Body::encoder;
    a.head = false;
    const bool norm_bias = r.flag_or(false, "norm_bias");
    a.embedding_name = "embeddings.tok_embeddings";
    a.embedding_norm = Norm("embeddings.norm", NormKind::layer, a.hidden);
    a.blocks_name = "layers";
    Block b;
    Attention& t = b.attention;
    t = grouped_attention(r, a, {});
    t.path = "attn";
    t.layout = QkvLayout::split;
    t.qkv = {"Wqkv", a.hidden, 3 * a.hidden, r.flag_or(false, "attention_bias")};
    t.q = t.k = t.v = {};
    t.o = {"Wo", a.hidden, a.hidden, t.qkv.bias};
    b.mlp = joined_mlp("mlp", a.hidden, r.size("intermediate_size"), activation(r, "hidden_activation", "gelu"));
    b.mlp.up.name = "Wi";
    b.mlp.down.name = "Wo";
    b.mlp.up.bias = b.mlp.down.bias = r.flag_or(false, "mlp_bias");
    b.before_attention = Norm("attn_norm", NormKind::layer, a.hidden);
    b.before_mlp = Norm("mlp_norm", NormKind::layer, a.hidden);
    for (Norm* n : {&a.embedding_norm, &a.final_norm, &b.before_attention, &b.before_mlp}) n->bias = norm_bias;
    Block first = b;
    first.before_attention = {};
    a.blocks = {first, b};
    a.layers.assign(static_cast<std::size_t>(layer_count(r)), 1);
    a.layers.front() = 0;
    drop_unused_blocks(a);
}

}  // namespace memory_budget::model::families
