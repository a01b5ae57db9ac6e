// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/fsdp.h"

namespace memory_budget::budget::step {

/// What DeepSpeed 0.18's stages have in common (runtime/zero): the model in 16 bits, and of what is trained this rank's
/// part as one flat 32-bit tensor, which the optimizer steps.
class Zero : public Rank, public Arrival {
  public:
    using Rank::Rank;

    void loaded() override;
    void arrived(const Tensor& parameter) override;
    void step() override;

  protected:
    bool optimizer_away() const { return build_.settings.offload != Offload::none; }
    /// What reducing a full bucket of gradients takes beside it.
    void reduce_bucket();
    Tensor bucket() const;

    std::int64_t trained_ = 0;  ///< elements, of all ranks
    std::int64_t share_ = 0;    ///< of these, this rank's
    std::int64_t largest_ = 0;  ///< of this rank's gradients, elements
    Tensor master_, gradients_;

  private:
    std::vector<Tensor> on_host_;
    Tensor staging_, too_large_;
};

/// Stages 1 and 2 (stage_1_and_2.py): weights whole; gradients whole until they are reduced, or by buckets.
class Zero12 final : public Zero {
  public:
    using Zero::Zero;

    Tensor own(DType dtype, const Shape& shape, Op op, bool train) override;
    void loaded() override;
    bool by_blocks() const override { return false; }
    void arrived(const Tensor& parameter) override;
    void before_backward() override;
    void after_backward(bool last) override;

  private:
    bool second() const { return build_.settings.sharding == Sharding::zero_2; }

    Tensor bucket_, of_this_pass_;
};

/// Stage 3 (stage3.py, partitioned_param_coordinator.py): weights too, gathered a block at a time with the next ones
/// ahead. DeepSpeed gathers module by module, so that less may be there in forward; in backward a block's modules stay
/// until it is done with, being used again within the reuse distance.
class Zero3 final : public Zero {
  public:
    Zero3(Build& build, std::size_t blocks) : Zero(build), units_(blocks + 1) {}

    Tensor own(DType dtype, const Shape& shape, Op op, bool train) override;
    void loaded() override;
    void before_forward(std::size_t unit) override;
    void after_forward(std::size_t unit) override;
    void embedded() override;
    void before_head(bool tied) override;
    void after_backward(bool last) override;
    void reached(std::size_t unit, bool end) override;

  private:
    void fetch(std::size_t unit);
    void prefetch(std::size_t unit);

    std::vector<Unit> units_;
    Tensor bucket_, prefetched_, retained_;
};

}  // namespace memory_budget::budget::step
