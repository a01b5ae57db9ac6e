// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// BLOOM: positions as a bias of the scores, a norm on the embedding.
void bloom(Reader& r, Architecture& a) {
    a.hidden = r.size("hidden_size", r.has("n_embed") ? "n_embed" : "n_embd");
    a.vocabulary = r.size("vocab_size");
    a.context = r.size_or(0, "seq_length");
    a.embedding_name = "transformer.word_embeddings";
    a.embedding_width = a.hidden;
    a.embedding_norm = Norm("transformer.word_embeddings_layernorm", NormKind::layer, a.hidden);
    a.blocks_name = "transformer.h";
    a.final_norm = Norm("transformer.ln_f", NormKind::layer, a.hidden);
    a.head_name = "lm_head";
    a.tied_head = r.flag_or(true, "tie_word_embeddings");
    Block b;
    b.sum = ResidualSum::branch_held;
    block_norms(b, NormKind::layer, a.hidden);
    Attention& t = b.attention;
    t = grouped_attention(r, a, {});
    t.path = "self_attention";
    t.kv_heads = t.heads;
    t.layout = QkvLayout::per_head;
    t.qkv = {"query_key_value", a.hidden, 3 * a.hidden, true};
    t.q = t.k = t.v = {};
    t.o = {"dense", a.hidden, a.hidden, true};
    t.alibi = true;
    t.rope = false;
    t.dropout = r.number_or(0, "attention_dropout");
    t.output_dropout = r.number_or(0, "hidden_dropout");
    b.mlp = plain_mlp("mlp", "dense_h_to_4h", "dense_4h_to_h", a.hidden, 4 * a.hidden, Activation::gelu_bloom, true);
    b.mlp.dropout = t.output_dropout;
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r, "n_layer"));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
