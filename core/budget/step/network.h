// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <vector>

#include "core/budget/step/block.h"
#include "core/budget/step/rank.h"

namespace memory_budget::budget::step {

/// A block that is played, and for how many equal ones it stands.
struct PlayedBlock {
    std::uint16_t kind;  ///< index in `Architecture::blocks`
    bool checkpointed = false;
    std::int64_t copies = 1;
    Section section = Section::none;
    bool leaves_keys = false;  ///< its keys and values stay for blocks that share them
};

/// The first blocks, one of each kind for the stretch that follows, and the last block.
std::vector<PlayedBlock> played_blocks(const model::Architecture& architecture, const StepSettings& settings,
                                       std::int64_t sequence, Stretch& stretch);
/// Every block by itself.
std::vector<PlayedBlock> all_blocks(const model::Architecture& architecture, const StepSettings& settings);

/// A causal language model, loaded; `forward` gives the last hidden states.
class Network final : private Hook {
  public:
    Network(Build& build, const model::Architecture& architecture, const std::vector<PlayedBlock>& played);

    Tensor forward(Operations& o, const Tensor& ids, const Tensor& mask);
    Tensor logits(Operations& o, const Tensor& hidden) const;
    /// The output object goes, and the cache for generation with it.
    void drop_cache(Operations& o);
    /// What a rank held of each block goes.
    void let_go(Operations& o);
    const Projection& head() const { return head_; }
    bool capped() const { return a_.final_softcap > 0; }
    const StepSettings& run() const { return run_; }
    LossChain loss_chain() const { return run_.loss_chain; }
    Rank* rank() { return rank_.get(); }

  private:
    struct Masks {
        Tensor full, sliding;
    };
    void reached(std::size_t unit, bool end) override;
    Tensor embed(Operations& o, const Tensor& ids) const;
    Masks masks(Operations& o, const Tensor& mask, const Tensor& embedded) const;

    const model::Architecture& a_;
    const StepSettings& run_;
    std::vector<PlayedBlock> played_;
    Tensor embedding_, scale_, positions_;
    std::unique_ptr<Rank> rank_;
    std::vector<std::unique_ptr<Block>> blocks_;
    Norm embedding_norm_, norm_;
    Projection head_;
};

}  // namespace memory_budget::budget::step
