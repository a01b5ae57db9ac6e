// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

Decoder wide_decoder(Reader& r) {
    Decoder d;
    d.tied = true;
    d.head_dim = 256;
    d.norm = NormKind::rms_wide;
    d.layout = BlockLayout::sandwich;
    d.qk_norm = QkNorm::head;
    d.activation_key = "hidden_activation";
    d.activation = "gelu_pytorch_tanh";
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.window = 512;
    return d;
}

/// Per-layer inputs: a second embedding table and a small gated path in each block.
void per_layer_inputs(Reader& r, Architecture& a, std::int64_t width) {
    if (width == 0) return;
    for (Block& b : a.blocks) {
        b.extras.push_back(extra_linear("per_layer_input_gate", Role::other, Part::text, a.hidden, width, 1));
        b.extras.push_back(extra_linear("per_layer_projection", Role::other, Part::text, width, a.hidden, 1));
        b.extras.push_back(extra_vector("post_per_layer_input_norm", Role::norm, Part::text, a.hidden));
    }
    const std::int64_t all = width * static_cast<std::int64_t>(a.layers.size());
    a.extras.push_back({"model.embed_tokens_per_layer", Role::embedding, Part::text,
                        r.positive_or(a.vocabulary, "vocab_size_per_layer_input"), all});
    a.extras.push_back(extra_linear("model.per_layer_model_projection", Role::other, Part::text, a.hidden, all, 1));
    a.extras.push_back(extra_vector("model.per_layer_projection_norm", Role::norm, Part::text, width));
}

/// Kinds in the order sliding, full, sliding with shared keys, full with shared keys.
void place_kinds(Reader& r, Architecture& a, std::int64_t period, std::int64_t shared) {
    const auto layers = static_cast<std::int64_t>(a.layers.size());
    const Config* types = r.layer_types(layers);
    for (std::int64_t l = 0; l < layers; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const bool full = types ? types->items()[i].text() == "full_attention" : !sliding_but_every(l, period);
        a.layers[i] = static_cast<std::uint16_t>((full ? 1 : 0) + (l >= layers - shared ? 2 : 0));
    }
}

void common_settings(Reader& r, Architecture& a, double softcap) {
    a.embedding_scale = true;
    a.rotary.tables = 2;
    a.final_softcap = r.number_or(softcap, "final_logit_softcapping");
    a.liger_norm_in_place = false;
    a.blocks.front().attention.window = a.window;
    a.blocks.front().attention.rotary_table = 1;
}

/// Full attention of Gemma 4: larger heads, perhaps fewer of them for the keys, perhaps keys for values.
void widen(Reader& r, Attention& t) {
    t.window = 0;
    t.rotary_table = 0;
    t.head_dim = t.value_dim = t.rotary = r.positive_or(512, "global_head_dim");
    t.key_is_value = r.flag_or(false, "attention_k_eq_v");
    if (t.key_is_value) t.kv_heads = r.positive_or(t.kv_heads, "num_global_key_value_heads");
    t.q.out = t.o.in = t.heads * t.head_dim;
    t.k.out = t.kv_heads * t.head_dim;
    t.v.out = t.key_is_value ? 0 : t.k.out;
    t.q_norm.size = t.k_norm.size = t.head_dim;
}

}  // namespace

/// Gemma 4: two kinds of attention with heads of two sizes, shared keys, and on some sizes per-layer inputs or
/// experts beside the dense MLP.
void gemma4_text(Reader& r, Architecture& a) {
    Decoder d = wide_decoder(r);
    d.norm = NormKind::rms_power;
    d.qk_norm = QkNorm::head_placed;
    general_decoder(r, a, d);
    common_settings(r, a, 0);
    a.shares_keys = true;
    a.blocks.front().scalar = true;
    Block sliding = a.blocks.front();
    if (r.flag_or(false, "enable_moe_block")) {
        Experts& e = sliding.experts;
        e = fused_experts(a.hidden, r.size("moe_intermediate_size"), r.size("num_experts"), r.size("top_k_experts"));
        e.path = "experts";
        e.activation = sliding.mlp.activation;
        e.router.path = "router";
        e.router.weight = {"proj", a.hidden, e.count};
        e.router.normalised = true;
        sliding.extras.push_back(extra_vector("router.scale", Role::router, Part::text, a.hidden));
        sliding.extras.push_back(extra_vector("router.per_expert_scale", Role::router, Part::text, e.count));
        for (const char* name :
             {"pre_feedforward_layernorm_2", "post_feedforward_layernorm_1", "post_feedforward_layernorm_2"})
            sliding.extras.push_back(extra_vector(name, Role::norm, Part::text, a.hidden));
    }
    Block full = sliding;
    widen(r, full.attention);
    Block sliding_shared = sliding;
    Block full_shared = full;
    for (Block* b : {&sliding_shared, &full_shared}) {
        // The class builds no key and value here; what a checkpoint keeps of them is not used.
        b->attention.shared_kv = true;
        b->attention.k.out = b->attention.v.out = 0;
        b->attention.k_norm = {};
        if (r.flag_or(false, "use_double_wide_mlp"))
            b->mlp = gated_mlp("mlp", a.hidden, 2 * b->mlp.width, b->mlp.activation);
    }
    a.blocks = {sliding, full, sliding_shared, full_shared};
    place_kinds(r, a, 6, r.size_or(0, "num_kv_shared_layers"));
    per_layer_inputs(r, a, r.size_or(0, "hidden_size_per_layer_input"));
    drop_unused_blocks(a);
    a.steps_known = true;
}

/// Gemma 3n: alternating updates over several streams, low-rank side paths, per-layer inputs. Layers that share keys
/// still have weights for them in the checkpoint.
void gemma3n_text(Reader& r, Architecture& a) {
    Decoder d = wide_decoder(r);
    d.kv_heads = 2;
    // One width, or one for each layer; all published sizes have a single one.
    if (const Config* widths = r.config().get("intermediate_size"); widths && widths->is_list()) {
        d.width = 1;
        for (const Config& w : widths->items())
            if (w.number() != widths->items().front().number())
                r.error("key-not-understood", "intermediate_size", "layers of different widths");
        if (!widths->items().empty() && widths->items().front().number() >= 1)
            d.width = static_cast<std::int64_t>(widths->items().front().number());
    }
    general_decoder(r, a, d);
    common_settings(r, a, 30);
    const std::int64_t streams = r.positive_or(4, "altup_num_inputs");
    const std::int64_t rank = r.positive_or(64, "laurel_rank");
    Block sliding = a.blocks.front();
    auto& x = sliding.extras;
    x.push_back(extra_linear("laurel.linear_left", Role::other, Part::text, a.hidden, rank, 1));
    x.push_back(extra_linear("laurel.linear_right", Role::other, Part::text, rank, a.hidden, 1));
    x.push_back(extra_vector("laurel.post_laurel_norm", Role::norm, Part::text, a.hidden));
    x.push_back(extra_vector("altup.correct_output_scale", Role::other, Part::text, a.hidden));
    x.push_back(extra_linear("altup.correction_coefs", Role::other, Part::text, streams, streams, 1));
    x.push_back(extra_linear("altup.prediction_coefs", Role::other, Part::text, streams, streams * streams, 1));
    x.push_back(extra_linear("altup.modality_router", Role::router, Part::text, a.hidden, streams, 1));
    x.push_back(extra_vector("altup.router_norm", Role::norm, Part::text, a.hidden));
    Block full = sliding;
    full.attention.window = 0;
    full.attention.rotary_table = 0;
    Block sliding_shared = sliding;
    Block full_shared = full;
    for (Block* b : {&sliding_shared, &full_shared}) {
        Attention& t = b->attention;
        t.shared_kv = true;
        t.k.presence = t.v.presence = t.k_norm.presence = Presence::checkpoint;
    }
    a.blocks = {sliding, full, sliding_shared, full_shared};
    place_kinds(r, a, 5, r.size_or(15, "num_kv_shared_layers"));
    per_layer_inputs(r, a, r.size_or(256, "hidden_size_per_layer_input"));
    for (const char* name : {"model.altup_projections", "model.altup_unembed_projections"})
        a.extras.push_back(extra_linear(name, Role::other, Part::text, a.hidden, a.hidden, streams - 1));
    drop_unused_blocks(a);
    if (a.family == "gemma3n_text") gemma3n_towers(r, a, Presence::checkpoint);
}

}  // namespace memory_budget::model::families
