// SPDX-License-Identifier: MIT
#include "core/budget/step/mlp.h"

namespace memory_budget::budget::step {

using model::Activation;
using model::MlpKind;

namespace {

// Transformers 5.16.1, NewGELUActivation: 0.5 x (1 + tanh(c (x + k x^3))). CUDA's autocast lists the power among
// its 32-bit operations, so that what follows is 32 bits too.
Tensor gelu_written(Operations& o, const Tensor& x) {
    const Tensor half = o.scale(x);
    Tensor t;
    {
        const Tensor in = o.autocast ? o.cast(x, DType::f32) : x;
        t = o.pow(in);
    }
    t = o.scale(t);
    t = o.add(x, t);
    t = o.scale(t);
    t = o.saturating(t, Op::tanh);
    t = o.shift(t);
    return o.mul(half, t);
}

}  // namespace

Tensor activate(Operations& o, Activation activation, const Tensor& x) {
    switch (activation) {
        case Activation::gelu_written:
            return gelu_written(o, x);
        case Activation::gelu_bloom:
            return o.bloom_gelu(x);
        case Activation::relu:
            return o.saturating(x, Op::relu);
        case Activation::relu_squared: {
            const Tensor t = o.saturating(x, Op::relu);
            return o.pow(t);
        }
        case Activation::gelu:
            return o.activation(x, Op::gelu);
        default:
            return o.activation(x, Op::silu);
    }
}

Mlp::Mlp(Build& build, const model::Mlp& mlp)
    : kind_(mlp.kind),
      // Only Transformers writes this one out.
      activation_(mlp.activation == Activation::gelu_written && build.settings.modules != Modules::transformers
                      ? Activation::gelu
                      : mlp.activation),
      liger_(build.settings.kernels.mlp && mlp.kind != MlpKind::plain),
      dropout_(mlp.dropout > 0),
      width_(mlp.width),
      gate_(build, mlp.gate),
      up_(build, mlp.up),
      down_(build, mlp.down) {}

Tensor Mlp::gated(Operations& o, const Tensor& x) const {
    Tensor inner;
    {
        Tensor gate = gate_(o, x);
        if (!liger_) gate = activate(o, activation_, gate);
        const Tensor up = up_(o, x);
        inner = liger_ ? o.liger_gated(gate, up) : o.mul(gate, up);
    }
    return down_(o, inner);
}

Tensor Mlp::joined(Operations& o, const Tensor& x) const {
    Tensor up = up_(o, x);
    Tensor part[2];
    o.split(up, -1, {width_, width_}, part);
    up = nullptr;
    if (liger_) {
        const Tensor inner = o.liger_gated(part[0], part[1]);
        return down_(o, inner);
    }
    {
        const Tensor gate = activate(o, activation_, part[0]);
        part[1] = o.mul(part[1], gate);
    }
    return down_(o, part[1]);
}

Tensor Mlp::operator()(Operations& o, const Tensor& x) const {
    if (kind_ == MlpKind::gated) return gated(o, x);
    if (kind_ == MlpKind::gated_joined) return joined(o, x);
    Tensor t = up_(o, x);
    t = activate(o, activation_, t);
    t = down_(o, t);
    return o.dropout(t, dropout_);
}

}  // namespace memory_budget::budget::step
