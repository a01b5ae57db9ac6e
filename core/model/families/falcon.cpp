// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Falcon: linears of a class of its own, joined q, k, v in three arrangements, a mask in any case.
void falcon(Reader& r, Architecture& a) {
    decoder_frame(r, a, true, Norm("transformer.ln_f", NormKind::layer, 0));
    a.embedding_name = "transformer.word_embeddings";
    a.blocks_name = "transformer.h";
    a.always_masked = true;
    const bool groups = r.flag_or(false, "new_decoder_architecture");
    const bool multi_query = r.flag_or(true, "multi_query");
    const bool parallel = groups || r.flag_or(true, "parallel_attn");
    const bool bias = r.flag_or(false, "bias");
    const bool alibi = r.flag_or(false, "alibi");

    Block b;
    b.layout = parallel ? BlockLayout::parallel : BlockLayout::pre_norm;
    b.sum = parallel ? ResidualSum::in_place : ResidualSum::residual_first;
    const bool two = groups && r.size_or(2, "num_ln_in_parallel_attn") == 2;
    b.before_attention = Norm(two ? "ln_attn" : "input_layernorm", NormKind::layer, a.hidden);
    if (two || !parallel) b.before_mlp = Norm(two ? "ln_mlp" : "post_attention_layernorm", NormKind::layer, a.hidden);

    Attention& t = b.attention;
    t.kind = AttentionKind::grouped;
    t.path = "self_attention";
    t.heads = r.size("num_attention_heads", "n_head");
    t.kv_heads = groups ? r.positive_or(t.heads, "num_kv_heads", "n_head_kv") : multi_query ? 1 : t.heads;
    t.head_dim = t.value_dim = a.hidden / t.heads;
    if (r.clean() && (t.head_dim < 1 || t.kv_heads < 1 || t.heads % t.kv_heads != 0))
        r.error("heads-do-not-divide", "num_attention_heads", "heads do not go into the width, or into groups");
    t.layout = groups        ? QkvLayout::falcon_groups
               : multi_query ? QkvLayout::falcon_multi_query
                             : QkvLayout::falcon_multi_head;
    t.qkv = {"query_key_value", a.hidden, (t.heads + 2 * t.kv_heads) * t.head_dim, bias, Weight::derived};
    t.o = {"dense", a.hidden, a.hidden, bias, Weight::derived};
    t.eager = EagerKind::falcon;
    t.alibi = alibi;
    t.rope = !alibi;
    b.mlp = plain_mlp("mlp", "dense_h_to_4h", "dense_4h_to_h", a.hidden, r.positive_or(4 * a.hidden, "ffn_hidden_size"),
                      activation(r, "activation", "gelu"), bias);
    b.mlp.up.weight = b.mlp.down.weight = Weight::derived;
    if (!alibi) set_rotary(a, b, RotaryKind::halves, t.head_dim);
    a.blocks.push_back(b);
    all_layers_alike(r, a, layer_count(r, "n_layer"));
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
