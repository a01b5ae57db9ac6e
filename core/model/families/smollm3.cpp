// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// SmolLM 3: every fourth block without positions.
void smollm3(Reader& r, Architecture& a) {
    Decoder d;
    d.tied = true;
    d.kv_heads = 4;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.mlp_bias = r.flag_or(false, "mlp_bias");
    general_decoder(r, a, d);
    if (!r.flag_or(false, "use_sliding_window")) a.window = 0;
    Block still = a.blocks.front();
    still.attention.rope = false;
    still.attention.rotary = 0;
    a.blocks.push_back(still);
    const auto layers = static_cast<std::int64_t>(a.layers.size());
    const Config* turned = r.layer_list("no_rope_layers", layers);
    const std::int64_t period = r.size_or(4, "no_rope_layer_interval");
    for (std::int64_t l = 0; l < layers; ++l) {
        const auto i = static_cast<std::size_t>(l);
        const bool rope = turned ? turned->items()[i].number() != 0 : period == 0 || (l + 1) % period != 0;
        a.layers[i] = rope ? 0 : 1;
    }
    drop_unused_blocks(a);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
