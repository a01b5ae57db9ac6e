// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// Mixtral: the first mixture of experts of this kind; its matrices are called w1, w3 and w2.
void mixtral(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    general_decoder(r, a, d);
    Block& b = a.blocks.front();
    Experts& e = b.experts;
    e = fused_experts(a.hidden, b.mlp.width, r.positive_or(8, "num_local_experts"),
                      r.positive_or(2, "num_experts_per_tok"));
    e.activation = b.mlp.activation;
    e.router.normalised = true;
    e.router.wide = true;
    e.adapted_by_name = e.router_adapted = true;
    e.part_gate = "w1";
    e.part_up = "w3";
    e.part_down = "w2";
    b.mlp = {};
    split_by_window(
        r, a, a.window, [](std::int64_t, std::int64_t) { return true; }, 0);
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
