// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

/// MiniMax M2: a mixture of experts with norms over the whole of q and k and partly rotated heads.
void minimax_m2(Reader& r, Architecture& a) {
    Decoder d;
    d.kv_heads = 8;
    d.head_dim = 128;
    d.qk_norm = r.flag_or(true, "use_qk_norm") ? QkNorm::whole : QkNorm::none;
    d.rotary = RotaryKind::partial_inside;
    general_decoder(r, a, d);
    Block& b = a.blocks.front();
    set_rotary(a, b, RotaryKind::partial_inside, r.positive_or(a.rotary.size, "rotary_dim"));
    Experts& e = b.experts;
    e = fused_experts(a.hidden, b.mlp.width, r.size("num_local_experts"), r.positive_or(8, "num_experts_per_tok"));
    e.activation = b.mlp.activation;
    e.router.kind = RouterKind::sigmoid;
    e.router.normalised = true;
    e.router.correction_bias = r.flag_or(true, "use_routing_bias");
    e.adapted_by_name = e.router_adapted = true;
    e.part_gate = "w1";
    e.part_up = "w3";
    e.part_down = "w2";
    b.mlp = {};
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
