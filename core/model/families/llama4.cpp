// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Llama 4: experts in every n-th layer beside a shared expert, complex rotary products, chunked attention.
void llama4_text(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.rotary = RotaryKind::complex;
    d.qk_norm = r.flag_or(true, "use_qk_norm") ? QkNorm::unweighted : QkNorm::none;
    d.width = r.positive_or(16384, "intermediate_size_mlp");
    general_decoder(r, a, d);
    Block dense = a.blocks.front();
    Block sparse = dense;
    const Activation act = dense.mlp.activation;
    const std::int64_t width = r.size("intermediate_size");
    sparse.mlp = {};
    Experts& e = sparse.experts;
    e = fused_experts(a.hidden, width, r.size("num_local_experts"), r.positive_or(1, "num_experts_per_tok"));
    e.path = "feed_forward.experts";
    e.activation = act;
    e.transposed = true;
    e.router.kind = RouterKind::sigmoid;
    e.router.path = "feed_forward";
    e.router.weight = {"router", a.hidden, e.count, false, Weight::derived};
    e.shared = gated_mlp("feed_forward.shared_expert", a.hidden, width, act);
    dense.mlp.path = "feed_forward";

    const std::int64_t every = r.size_or(1, "interleave_moe_layer_step");
    const std::int64_t chunk = r.size_or(8192, "attention_chunk_size");
    const Config* listed = r.config().get("moe_layers");
    a.blocks.clear();
    // Three of four layers rotate and attend within a chunk; kinds: bit 0 experts, bit 1 no positions.
    for (int kind = 0; kind < 4; ++kind) {
        a.blocks.push_back(kind & 1 ? sparse : dense);
        Attention& t = a.blocks.back().attention;
        t.rope = !(kind & 2);
        t.chunk = t.rope ? chunk : 0;
        if (!t.rope) t.rotary = 0;
    }
    for (std::size_t l = 0; l < a.layers.size(); ++l) {
        const auto layer = static_cast<std::int64_t>(l);
        bool has_experts = every > 0 && (layer + 1) % every == 0;
        if (listed) {
            has_experts = false;
            for (const Config& one : listed->items())
                has_experts = has_experts || one.number() == static_cast<double>(l);
        }
        a.layers[l] = static_cast<std::uint16_t>((has_experts ? 1 : 0) + (sliding_but_every(layer, 4) ? 0 : 2));
    }
    drop_unused_blocks(a);
}

}  // namespace memory_budget::model::families
