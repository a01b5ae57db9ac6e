// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// FSDP2 (PyTorch 2.13, distributed/fsdp/_fully_shard, wrapped as Accelerate 1.15 does: one unit a block and the rest
/// in the root) on one rank: what is gathered, scattered and kept between. What collectives hold inside isn't counted.
class Sharding2 final : public Hook {
  public:
    Sharding2(Build& build, std::size_t blocks) : build_(build), units(blocks + 1) {}

    /// Unit 0 is the root's, and unit `i + 1` the i-th block's.
    void before_forward(std::size_t unit);
    void after_forward(std::size_t unit);
    void before_backward();
    void after_backward();
    void reached(std::size_t unit, bool end) override;
    void free_gradients();

  private:
    void gather(Unit& unit);
    void copy_out(Unit& unit);
    void reduce(Unit& unit);

    Build& build_;
    Tensor last_gathered_, last_reduced_;

  public:
    std::vector<Unit> units;
};

}  // namespace memory_budget::budget::step
