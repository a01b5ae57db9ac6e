// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/projection.h"

namespace memory_budget::budget::step {

/// `gelu_new` is written out in Python, operation by operation; the others are one kernel.
Tensor activate(Operations& o, model::Activation activation, const Tensor& x);

class Mlp {
  public:
    Mlp() = default;
    Mlp(Build& build, const model::Mlp& mlp);

    Tensor operator()(Operations& o, const Tensor& x) const;
    bool present() const { return down_.present(); }

  private:
    Tensor gated(Operations& o, const Tensor& x) const;
    Tensor joined(Operations& o, const Tensor& x) const;

    model::MlpKind kind_ = model::MlpKind::none;
    model::Activation activation_ = model::Activation::silu;
    bool liger_ = false, dropout_ = false;
    Dim width_;
    Projection gate_, up_, down_;
};

}  // namespace memory_budget::budget::step
