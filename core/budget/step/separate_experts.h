// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/mlp.h"

namespace memory_budget::budget::step {

/// A mixture of experts as Transformers 4.x writes it (models/mixtral, MixtralSparseMoeBlock): each expert is a module
/// of linears, so that a 4-bit load packs it, and all are called one after the other with the rows that chose them.
/// Every expert is taken to see equally many.
class SeparateExperts {
  public:
    SeparateExperts() = default;
    SeparateExperts(Build& build, const model::Experts& experts, Dim hidden);

    bool present() const { return !experts_.empty(); }
    /// `hidden` is (batch, tokens, width).
    Tensor operator()(Operations& o, const Tensor& hidden) const;

  private:
    Dim per_token_;
    bool normalised_ = false;
    Projection router_;
    std::vector<Mlp> experts_;
};

}  // namespace memory_budget::budget::step
