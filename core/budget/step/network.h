// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "core/budget/step/block.h"

namespace memory_budget::budget::step {

/// A block that is played, and for how many equal ones it stands.
struct PlayedBlock {
    std::uint16_t kind;                              ///< index in `Architecture::blocks`
    std::int64_t copies = 1;                         ///< 1, or that of a repeated run of blocks
    bool first_of_run = false, last_of_run = false;  ///< a repeated run may be several blocks long
};

/// Of a stretch of equal blocks, or of equal periods of blocks, the first and the last are played and one stands for
/// all between.
std::vector<PlayedBlock> played_blocks(const model::Architecture& architecture, const StepSettings& settings,
                                       std::int64_t sequence);

/// A causal language model, loaded; `forward` gives the last hidden states.
class Network {
  public:
    Network(Build& build, const model::Architecture& architecture, const std::vector<PlayedBlock>& played);

    Tensor forward(Operations& o, const Tensor& ids, const Tensor& mask);
    Tensor logits(Operations& o, const Tensor& hidden) const;
    const Projection& head() const { return head_; }
    bool capped() const { return a_.final_softcap > 0; }
    const model::Architecture& architecture() const { return a_; }

  private:
    struct Masks {
        Tensor full, sliding;
    };
    Tensor embed(Operations& o, const Tensor& ids) const;
    Masks masks(Operations& o, const Tensor& mask, const Tensor& embedded) const;

    const model::Architecture& a_;
    const StepSettings& run_;
    std::vector<PlayedBlock> played_;
    Tensor embedding_, scale_, positions_;
    std::vector<std::unique_ptr<Block>> blocks_;
    Norm norm_;
    Projection head_;
};

}  // namespace memory_budget::budget::step
