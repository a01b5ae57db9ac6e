// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "core/budget/step/attention.h"
#include "core/budget/step/experts.h"
#include "core/budget/step/fused_qkv.h"
#include "core/budget/step/rank.h"
#include "core/budget/step/separate_experts.h"
#include "core/budget/step/tune_attention.h"

namespace memory_budget::budget::step {

/// One block of the network. Played with what a checkpointed call holds: hidden states, cos, sin, mask, positions.
class Block final : public Replay {
  public:
    /// `rank`, if any, holds the block's parameters as its unit, and is told where the step is.
    Block(Build& build, const model::Block& block, const model::Architecture& architecture, Rank* rank,
          std::size_t unit);

    Tensor play(const std::vector<Tensor>& inputs) override;
    void leave_keys() {
        if (attention_) attention_->leave_keys();
    }
    void drop_cache() {
        if (attention_) attention_->drop_cache();
    }

  private:
    Build& made_attention(Build& build, const model::Attention& attention, const model::Architecture& architecture);
    Tensor attend(const Tensor& hidden, const std::vector<Tensor>& inputs);
    Tensor feed(const Tensor& hidden);
    Tensor sequential(const std::vector<Tensor>& inputs);
    Tensor holding(const std::vector<Tensor>& inputs);
    Tensor parallel(const std::vector<Tensor>& inputs);

    Tensor compute(const std::vector<Tensor>& inputs);

    Operations& o_;
    Rank* rank_;
    std::size_t unit_;
    model::BlockLayout layout_;
    model::ResidualSum sum_;
    bool multiplied_;
    std::optional<Attention> attention_;
    FusedQkvAttention fused_qkv_;
    TuneAttention tune_attention_;
    Mlp mlp_;
    Experts experts_;
    SeparateExperts separate_experts_;
    Norm before_attention_, after_attention_, before_mlp_, after_mlp_;
    Tensor scalar_;
    Tensor held_;  ///< what the block's own code holds until its end
};

}  // namespace memory_budget::budget::step
