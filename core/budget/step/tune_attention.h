// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/projection.h"
#include "core/budget/step/rotary.h"

namespace memory_budget::budget::step {

/// torchtune's attention (0.4, torchtune/modules/attention.py and position_embeddings.py): heads stay behind the
/// tokens until all are rotated in 32 bits, and keys and values are copied for every head.
class TuneAttention {
  public:
    TuneAttention() = default;
    TuneAttention(Build& build, const model::Attention& attention);

    bool present() const { return heads_ > 0; }
    Tensor operator()(Operations& o, const Tensor& hidden) const;

  private:
    Tensor rotated(Operations& o, const Tensor& t) const;

    std::int64_t heads_ = 0, groups_ = 0, size_ = 0;
    bool compiled_ = false;
    Projection q_, k_, v_, out_;
};

}  // namespace memory_budget::budget::step
