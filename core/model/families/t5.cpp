// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// T5 and its kin: encoder and decoder with relative positions in the first block of each, norms without bias.
void t5(Reader& r, Architecture& a) {
    a.body = Body::encoder_decoder;
    a.hidden = a.embedding_width = r.size("d_model");
    a.vocabulary = r.size("vocab_size");
    a.context = r.positive_or(0, "n_positions");
    a.embedding_name = "shared";
    a.blocks_name = "block";
    a.final_norm = Norm("decoder.final_layer_norm", NormKind::rms, a.hidden);
    a.extras.push_back(extra_vector("encoder.final_layer_norm", Role::norm, Part::text, a.hidden));
    a.head_name = "lm_head";
    // Transformers 5 ties the head in any case; checkpoints that keep it apart say so.
    a.tied_head = r.flag_or(true, "tie_word_embeddings");
    if (!a.tied_head) a.head_presence = Presence::checkpoint;

    const std::string_view projection = r.word_or("relu", "feed_forward_proj");
    const bool gated = projection == "gated-gelu" || projection == "gated-silu" || r.flag_or(false, "is_gated_act");
    if (!gated && projection != "relu" && projection != "gelu")
        r.error("not-a-choice", "feed_forward_proj", "a form of the MLP that is not known here");
    const std::int64_t width = r.size("d_ff");
    Block encoder;
    Attention& t = encoder.attention;
    t.kind = AttentionKind::grouped;
    t.path = "SelfAttention";
    t.heads = t.kv_heads = r.size("num_heads");
    t.head_dim = t.value_dim = r.size("d_kv");
    t.rope = false;
    const std::int64_t inner = t.heads * t.head_dim;
    t.q = {"q", a.hidden, inner};
    t.k = {"k", a.hidden, inner};
    t.v = {"v", a.hidden, inner};
    t.o = {"o", inner, a.hidden};
    encoder.before_attention = Norm("layer.0.layer_norm", NormKind::rms, a.hidden);
    encoder.before_mlp = Norm("layer_norm", NormKind::rms, a.hidden);
    const Activation act = gated ? Activation::gelu_written : Activation::relu;
    encoder.mlp = gated ? gated_mlp("DenseReluDense", a.hidden, width, act)
                        : plain_mlp("DenseReluDense", "wi", "wo", a.hidden, width, act, false);
    if (gated) {
        encoder.mlp.gate.name = "wi_0";
        encoder.mlp.up.name = "wi_1";
        encoder.mlp.down.name = "wo";
    }
    Block decoder = encoder;
    decoder.cross = t;
    decoder.cross.path = "EncDecAttention";
    decoder.before_cross = Norm("layer.1.layer_norm", NormKind::rms, a.hidden);
    Block first_encoder = encoder;
    Block first_decoder = decoder;
    first_encoder.attention.position_buckets = first_decoder.attention.position_buckets =
        r.positive_or(32, "relative_attention_num_buckets");
    a.blocks = {first_encoder, encoder, first_decoder, decoder};
    const std::int64_t layers = layer_count(r, "num_layers");
    const std::int64_t decoders = r.positive_or(layers, "num_decoder_layers");
    for (std::int64_t l = 0; l < layers; ++l) a.layers.push_back(l == 0 ? 0 : 1);
    for (std::int64_t l = 0; l < decoders && l < 10'000; ++l) a.layers.push_back(l == 0 ? 2 : 3);
    drop_unused_blocks(a);
}

}  // namespace memory_budget::model::families
