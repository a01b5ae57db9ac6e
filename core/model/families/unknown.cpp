// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

void unknown_decoder(Reader& r, Architecture& a) {
    Decoder d;
    d.qkv_bias = r.flag_or(r.flag_or(false, "qkv_bias"), "attention_bias");
    d.output_bias = r.flag_or(false, "attention_bias");
    d.mlp_bias = r.flag_or(false, "mlp_bias");
    d.qk_norm = r.flag_or(false, "use_qk_norm") ? QkNorm::head : QkNorm::none;
    general_decoder(r, a, d);
    split_by_window(r, a, a.window, nullptr, 0);

    const char* counted = "num_experts";
    for (const char* key : {"num_local_experts", "n_routed_experts"})
        if (r.has(key)) counted = key;
    const std::int64_t experts = r.size_or(0, counted);
    if (experts == 0) return;
    const std::int64_t first = r.size_or(0, "first_k_dense_replace");
    const std::size_t dense_kinds = a.blocks.size();
    for (std::size_t i = 0; i < dense_kinds; ++i) {
        Block b = a.blocks[i];
        const std::int64_t width = r.positive_or(b.mlp.width, "moe_intermediate_size");
        b.experts = fused_experts(a.hidden, width, experts, r.positive_or(2, "num_experts_per_tok"));
        b.experts.activation = b.mlp.activation;
        const std::int64_t shared =
            r.size_or(r.size_or(0, "n_shared_experts") * width, "shared_expert_intermediate_size");
        b.mlp = {};
        if (shared > 0) b.experts.shared = gated_mlp("mlp.shared_experts", a.hidden, shared, b.experts.activation);
        a.blocks.push_back(b);
    }
    for (std::size_t l = 0; l < a.layers.size(); ++l)
        if (static_cast<std::int64_t>(l) >= first) a.layers[l] = static_cast<std::uint16_t>(a.layers[l] + dense_kinds);
    drop_unused_blocks(a);
}

}  // namespace memory_budget::model::families
