// SPDX-License-Identifier: MIT
#include "core/budget/step/block.h"

namespace memory_budget::budget::step {

using model::BlockLayout;
using model::ResidualSum;

namespace {

/// Whether a run's experts are modules of their own: where the stack has them so, of those families that it had.
bool separate(const StepSettings& run, const model::Experts& e) {
    return run.separate_experts && e.present() && !e.bias && e.shared.kind == model::MlpKind::none &&
           e.router.kind == model::RouterKind::softmax_top;
}

}  // namespace

Block::Block(Build& build, const model::Block& block, const model::Architecture& a, Rank* rank, std::size_t unit)
    : o_(build.o),
      rank_(rank),
      unit_(unit),
      layout_(block.layout),
      sum_(block.sum),
      multiplied_(block.residual_multiplier != 0),
      mlp_(made_attention(build, block.attention, a), block.mlp),
      experts_(build, separate(build.settings, block.experts) ? model::Experts() : block.experts, Dim(a.hidden)),
      before_attention_(build, block.before_attention, a.liger_norm_in_place),
      after_attention_(build, block.after_attention, a.liger_norm_in_place),
      before_mlp_(build, block.before_mlp, a.liger_norm_in_place),
      after_mlp_(build, block.after_mlp, a.liger_norm_in_place) {
    if (block.scalar) scalar_ = build.buffer(Shape(Dim(1)), build.weights());
    if (separate(build.settings, block.experts))
        separate_experts_ = SeparateExperts(build, block.experts, Dim(a.hidden));
}

/// The attention of the stack whose modules these are; parameters are made in the order of the model's own code.
Build& Block::made_attention(Build& build, const model::Attention& attention, const model::Architecture& a) {
    const bool own = attention.kind == model::AttentionKind::grouped && attention.qk_norm == model::QkNorm::none;
    if (own && build.settings.modules == Modules::litgpt)
        fused_qkv_ = FusedQkvAttention(build, attention);
    else if (own && build.settings.modules == Modules::torchtune && attention.layout == model::QkvLayout::separate)
        tune_attention_ = TuneAttention(build, attention);
    else
        attention_.emplace(build, attention, a);
    return build;
}

Tensor Block::attend(const Tensor& hidden, const std::vector<Tensor>& in) {
    if (fused_qkv_.present()) return fused_qkv_(o_, hidden, {in[1], in[2]});
    if (tune_attention_.present()) return tune_attention_(o_, hidden);
    return (*attention_)(o_, hidden, {in[1], in[2]}, in[3], held_);
}

Tensor Block::feed(const Tensor& hidden) {
    if (separate_experts_.present()) return separate_experts_(o_, hidden);
    return experts_.present() ? experts_(o_, hidden, held_) : mlp_(o_, hidden);
}

Tensor Block::compute(const std::vector<Tensor>& in) {
    Tensor out = layout_ == BlockLayout::parallel      ? parallel(in)
                 : sum_ == ResidualSum::residual_first ? sequential(in)
                                                       : holding(in);
    held_ = nullptr;
    if (scalar_) out = o_.mul_in_place(out, scalar_);
    return out;
}

Tensor Block::play(const std::vector<Tensor>& in) {
    if (rank_ == nullptr) return compute(in);
    // While a checkpointed block is played again its unit is there already.
    const bool first = !o_.recomputing();
    if (first)
        rank_->before_forward(unit_);
    else
        rank_->replayed(unit_, in[0]);
    std::vector<Tensor> inputs = in;
    inputs[0] = o_.watched(in[0], *rank_, unit_, true);
    Tensor out = compute(inputs);
    inputs.clear();
    if (first) rank_->after_forward(unit_);
    return o_.watched(out, *rank_, unit_, false);
}

/// The usual decoder: one variable for the hidden states, so that what went in is gone when the branch is done.
Tensor Block::sequential(const std::vector<Tensor>& in) {
    const auto branch = [this](Tensor& hidden, const Norm& after) {
        if (after.present()) hidden = after(o_, hidden);
        if (multiplied_) hidden = o_.scale(hidden);
    };
    Tensor hidden = before_attention_.present() ? before_attention_(o_, in[0]) : in[0];
    hidden = attend(hidden, in);
    branch(hidden, after_attention_);
    hidden = o_.add(in[0], hidden);
    const Tensor residual = hidden;
    if (before_mlp_.present()) hidden = before_mlp_(o_, hidden);
    hidden = feed(hidden);
    branch(hidden, after_mlp_);
    return o_.add(residual, hidden);
}

/// Sequential blocks whose code keeps a variable for each step (GPT-2, NeoX without parallel residual, StableLM).
Tensor Block::holding(const std::vector<Tensor>& in) {
    if (sum_ == ResidualSum::mlp_attention) {
        Tensor normed = before_attention_(o_, in[0]);
        Tensor attention = attend(normed, in);
        normed = nullptr;
        attention = o_.add(attention, in[0]);
        normed = before_mlp_(o_, attention);
        const Tensor fed = feed(normed);
        normed = nullptr;
        return o_.add(fed, attention);
    }
    Tensor hidden = before_attention_(o_, in[0]);
    const Tensor attention = attend(hidden, in);
    if (sum_ == ResidualSum::one_after_other) {
        const Tensor residual = o_.add(in[0], attention);
        Tensor fed;
        {
            const Tensor normed = before_mlp_(o_, residual);
            fed = feed(normed);
        }
        return o_.add(residual, fed);
    }
    if (sum_ == ResidualSum::branch_held) {
        const Tensor residual = o_.add(in[0], attention);
        hidden = before_mlp_(o_, residual);
        const Tensor fed = feed(hidden);
        return o_.add(residual, fed);
    }
    hidden = o_.add(attention, in[0]);
    const Tensor residual = hidden;
    hidden = before_mlp_(o_, hidden);
    const Tensor fed = feed(hidden);
    return o_.add(residual, fed);
}

/// Attention and MLP side by side.
Tensor Block::parallel(const std::vector<Tensor>& in) {
    const Tensor& residual = in[0];
    if (sum_ == ResidualSum::mlp_attention) {
        Tensor normed = before_attention_(o_, residual);
        const Tensor attention = attend(normed, in);
        normed = nullptr;
        normed = before_mlp_(o_, residual);
        const Tensor fed = feed(normed);
        normed = nullptr;
        const Tensor both = o_.add(fed, attention);
        return o_.add(both, residual);
    }
    const Tensor normed = before_attention_(o_, residual);
    const Tensor second = before_mlp_.present() ? before_mlp_(o_, residual) : normed;
    const Tensor attention = attend(normed, in);
    Tensor fed = feed(second);
    if (sum_ == ResidualSum::in_place) {
        fed = o_.add_in_place(fed, attention);
        return o_.add(residual, fed);
    }
    if (sum_ == ResidualSum::one_after_other) {
        const Tensor both = o_.add(residual, attention);
        return o_.add(both, fed);
    }
    const Tensor both = o_.add(attention, fed);
    return o_.add(both, residual);
}

}  // namespace memory_budget::budget::step
