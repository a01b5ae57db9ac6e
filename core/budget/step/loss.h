// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/network.h"

namespace memory_budget::budget::step {

/// The model's own loss over all logits; `logits` is what its output object holds.
Tensor full_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask,
                 Tensor& logits);

/// One kernel's, which keeps the logits and writes their gradient over them.
Tensor in_place_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask,
                     Tensor& logits);

/// A list of logits for parts of the tokens, each with a loss of its own: LitGPT's parts are 128 tokens long and go
/// back to the caller in 32 bits, torchtune's are eight.
Tensor parted_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& mask, Tensor& logits);

/// TRL 1.12.0's: 256 tokens at a time, each recomputed in backward.
class ChunkedLoss final : public Replay {
  public:
    ChunkedLoss(Operations& operations, Network& network) : o_(operations), network_(network) {}
    Tensor forward(const Tensor& ids, const Tensor& mask);
    Tensor play(const std::vector<Tensor>& inputs) override;

  private:
    Operations& o_;
    Network& network_;
    Tensor correct_, entropy_;  ///< of the chunk that was played last
};

/// Liger's, fused with the head.
Tensor fused_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask);

/// The mean of the last hidden states.
Tensor backbone_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& mask);

/// The trainer's entropy and accuracy over the logits.
void metrics(Operations& o, const Tensor& logits);

inline constexpr std::int64_t tokens_per_chunk = 256, rows_per_slice = 128;
/// Of a longer loop the first turn and the last two are played, and one for all between.
inline constexpr std::int64_t played_turns = 4;

}  // namespace memory_budget::budget::step
