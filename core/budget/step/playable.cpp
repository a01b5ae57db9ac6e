// SPDX-License-Identifier: MIT
#include "core/budget/step/step.h"

namespace memory_budget::budget::step {

namespace {

bool known(const model::Attention& a) {
    using model::RotaryKind;
    return (a.kind == model::AttentionKind::grouped || a.kind == model::AttentionKind::latent ||
            a.kind == model::AttentionKind::convolution) &&
           a.chunk == 0 && !a.output_gate && !a.shared_kv && a.position_buckets == 0 &&
           a.qk_norm != model::QkNorm::unweighted;
}

bool known(const model::Block& b) {
    // Falcon's bias by position is another one.
    if (b.attention.alibi && b.attention.layout != model::QkvLayout::per_head) return false;
    if (!known(b.attention) || b.cross.kind != model::AttentionKind::none) return false;
    if (b.layout == model::BlockLayout::sum_norm || b.mlp.kind == model::MlpKind::none) {
        if (!b.experts.present()) return false;
    }
    if (b.experts.present() && b.mlp.kind != model::MlpKind::none) return false;
    // A block's further tensors are pieces of a family's own.
    return b.extras.empty();
}

}  // namespace

bool playable(const model::Architecture& a) {
    using model::RotaryKind;
    if (a.body != model::Body::decoder || !a.head || a.project_in.present()) return false;
    if (a.rotary.tables > 2) return false;
    for (const model::Block& b : a.blocks) {
        if (a.rotary.kind == RotaryKind::complex && b.attention.kind != model::AttentionKind::latent) return false;
        if (!known(b)) return false;
    }
    return !a.layers.empty();
}

std::string_view inexact(const model::Architecture& a, const StepSettings& run) {
    if (!a.steps_known) return "family-not-checked";
    if (a.shares_keys && (run.kernels.norm || run.attention == AttentionPath::masked)) return "family-not-checked";
    // A convolution's input is multiplied by the padding mask, which was not traced.
    for (const model::Block& b : a.blocks)
        if (b.attention.kind == model::AttentionKind::convolution && run.attention == AttentionPath::masked)
            return "family-not-checked";
    if (run.sharding != Sharding::none &&
        (run.sharding != Sharding::fsdp2 || run.offload != Offload::none || run.accumulation > 1 ||
         run.method != Method::full || run.loss != Loss::full || run.metrics || run.kernels.mlp))
        return "sharding-not-traced";
    // Other modules, formats and kernels than the pinned stack's.
    if (run.modules != Modules::transformers || run.reentrant || run.separate_experts || run.compiled ||
        run.loss == Loss::in_place || run.quantization != Quantization::nf4_double ||
        run.attention == AttentionPath::flash_attention_2)
        return "stack-not-traced";
    // Of older stacks those rows were traced that have the logits' chain at their peak.
    if (run.loss_chain == LossChain::copied_logits ||
        (run.loss_chain == LossChain::copied_beside_logits && run.checkpointing == Checkpointing::none))
        return "stack-not-traced";
    if (run.checkpointing == Checkpointing::selective || run.activation_offload) return "checkpointing-not-traced";
    if (run.step_in_backward || run.master || run.offload != Offload::none) return "optimizer-not-traced";
    switch (run.optimizer) {
        case Optimizer::adamw_single:
        case Optimizer::adamw_8bit:
        case Optimizer::paged_adamw_8bit:
        case Optimizer::lion:
        case Optimizer::muon:
            return "optimizer-not-traced";
        default:
            return {};
    }
}

}  // namespace memory_budget::budget::step
