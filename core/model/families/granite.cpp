// SPDX-License-Identifier: MIT
#include "core/model/families/common.h"
#include "core/model/families/families.h"

namespace memory_budget::model::families {

namespace {

Decoder granite_decoder(Reader& r) {
    Decoder d;
    d.qkv_bias = d.output_bias = r.flag_or(false, "attention_bias");
    d.mlp_bias = r.flag_or(false, "mlp_bias");
    return d;
}

void multipliers(Reader& r, Architecture& a) {
    a.embedding_multiplier = r.number_or(1, "embedding_multiplier");
    a.logits_divisor = r.number_or(1, "logits_scaling");
    for (Block& b : a.blocks) b.residual_multiplier = r.number_or(1, "residual_multiplier");
}

}  // namespace

/// Granite 3 and 4: Llama with numbers on embedding, branches and logits.
void granite(Reader& r, Architecture& a) {
    general_decoder(r, a, granite_decoder(r));
    multipliers(r, a);
    a.steps_known = true;
}

/// Granite's mixture of experts, whose experts no adapter finds by name.
void granitemoe(Reader& r, Architecture& a) {
    general_decoder(r, a, granite_decoder(r));
    multipliers(r, a);
    Block& b = a.blocks.front();
    Experts& e = b.experts;
    e = fused_experts(a.hidden, b.mlp.width, r.size("num_local_experts"), r.positive_or(2, "num_experts_per_tok"));
    e.activation = b.mlp.activation;
    e.path = "block_sparse_moe";
    e.gate_up.name = "input_linear";
    e.down.name = "output_linear";
    e.router.kind = RouterKind::top_softmax;
    e.router.path = "block_sparse_moe.router";
    b.mlp = {};
    a.steps_known = true;
}

}  // namespace memory_budget::model::families
