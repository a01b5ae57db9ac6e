// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/projection.h"
#include "core/budget/step/rotary.h"

namespace memory_budget::budget::step {

/// LitGPT's attention (2023-10, lit_gpt/model.py and lora.py): one product for query, key and value, whose adapters
/// share one pair of matrices and are padded with zeros where one of the three has none.
class FusedQkvAttention {
  public:
    FusedQkvAttention() = default;
    FusedQkvAttention(Build& build, const model::Attention& attention);

    bool present() const { return heads_ > 0; }
    Tensor operator()(Operations& o, const Tensor& hidden, const RotaryTables& tables) const;

  private:
    Tensor product(Operations& o, const Tensor& hidden) const;
    Tensor rotated(Operations& o, const Tensor& t, const RotaryTables& tables) const;

    std::int64_t heads_ = 0, groups_ = 0, size_ = 0, adapted_parts_ = 0;
    bool dropout_ = false;
    Dim adapted_ = Dim(0);
    Tensor a_, b_;
    Projection qkv_, out_;
};

}  // namespace memory_budget::budget::step
