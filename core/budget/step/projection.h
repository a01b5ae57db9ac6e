// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// A linear module of the model, in 4 bits or not, with a low-rank adapter or not.
class Projection {
  public:
    Projection() = default;
    Projection(Build& build, const model::Linear& linear);
    /// The output head: never quantised, never adapted, and perhaps the embedding's own weight.
    static Projection head(Build& build, Dim rows, Dim columns, bool bias, const Tensor& tied);

    /// With no adapter, whatever the run's targets are.
    static Projection without_adapter(Build& build, const model::Linear& linear);

    Tensor operator()(Operations& o, const Tensor& x) const;
    Tensor base(Operations& o, const Tensor& x) const;
    bool present() const { return rows_.n() > 0; }
    const Tensor& weight() const { return weight_; }
    const Tensor& bias() const { return bias_; }

  private:
    void pack(Build& build, std::int64_t in, std::int64_t out);
    Tensor adapted(Operations& o, const Tensor& x) const;
    Tensor adapted_packed(Operations& o, const Tensor& x) const;
    Tensor low_rank(Operations& o, const Tensor& x) const;

    model::Weight kind_ = model::Weight::linear;
    Dim rows_ = Dim(0), columns_;
    bool is_packed_ = false, dropout_ = false, plain_sum_ = false;
    PackedWeight packed_;
    Tensor weight_, bias_, a_, b_;
};

}  // namespace memory_budget::budget::step
