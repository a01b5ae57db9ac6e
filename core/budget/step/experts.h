// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/mlp.h"

namespace memory_budget::budget::step {

/// PEFT's adapter on a bare parameter: the whole change is built at each forward, and the changed weight from it.
class ParameterAdapter {
  public:
    ParameterAdapter() = default;
    /// `experts`, rows and columns of `weight`; one expert for a matrix.
    ParameterAdapter(Build& build, const Tensor& weight, std::int64_t rank);

    bool present() const { return static_cast<bool>(a_); }
    void begin(Operations& o);
    Tensor weight(Operations& o);
    void end();

  private:
    Tensor delta(Operations& o) const;

    Tensor base_, a_, b_, delta_, adapted_;
};

/// A mixture of experts whose weights are one parameter for all: router, grouped products, shared part.
class Experts {
  public:
    Experts() = default;
    Experts(Build& build, const model::Experts& experts, Dim hidden);

    bool present() const { return shape_.present(); }
    /// `hidden` is (batch, tokens, width). What the caller's code holds on to until its end goes to `held`.
    Tensor operator()(Operations& o, const Tensor& hidden, Tensor& held);

  private:
    struct Choice {
        Tensor logits, weights, indices;
    };

    void choose(Operations& o, const Tensor& scores, Choice& choice) const;
    Choice route(Operations& o, const Tensor& hidden);
    Tensor compute(Operations& o, const Tensor& hidden, const Choice& choice);
    Tensor gate(Operations& o, const Tensor& product) const;
    Tensor product(Operations& o, const Tensor& x, const Tensor& weight, const Tensor& offsets,
                   const Tensor& bias) const;

    model::Experts shape_;
    Tensor router_, router_bias_, correction_, gate_up_, down_, gate_up_bias_, down_bias_;
    ParameterAdapter router_adapter_, gate_up_adapter_, down_adapter_;
    Mlp shared_;
    Projection shared_gate_;
};

}  // namespace memory_budget::budget::step
