// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// A normalisation of the last dimension.
class Norm {
  public:
    Norm() = default;
    Norm(Build& build, const model::Norm& norm, bool liger_in_place);

    Tensor operator()(Operations& o, const Tensor& x) const;
    bool present() const { return present_; }

  private:
    Tensor rms(Operations& o, const Tensor& x) const;
    Tensor gemma(Operations& o, const Tensor& x) const;
    Tensor by_power(Operations& o, const Tensor& x) const;

    model::NormKind kind_ = model::NormKind::rms;
    bool present_ = false, liger_ = false, liger_in_place_ = false;
    Tensor weight_, bias_;
};

}  // namespace memory_budget::budget::step
