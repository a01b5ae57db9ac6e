// SPDX-License-Identifier: MIT
#include "core/budget/step/norm.h"

namespace memory_budget::budget::step {

using model::NormKind;

Norm::Norm(Build& build, const model::Norm& norm, bool liger_in_place)
    : kind_(norm.kind),
      present_(norm.present()),
      liger_(build.settings.kernels.norm && norm.kind != NormKind::layer),
      liger_in_place_(liger_in_place && !build.settings.compiled) {
    // LitGPT, rmsnorm.py: the product with the weight comes before the cast.
    if (build.settings.modules == Modules::litgpt && kind_ == NormKind::rms) kind_ = NormKind::rms_wide;
    if (norm.present() && norm.weight) weight_ = build.norm_parameter(Shape(Dim(norm.size)));
    if (norm.present() && norm.bias) bias_ = build.norm_parameter(Shape(Dim(norm.size)));
}

Tensor Norm::operator()(Operations& o, const Tensor& x) const {
    if (liger_) return o.liger_norm(x, weight_, liger_in_place_);
    switch (kind_) {
        case NormKind::layer:
            return o.layer_norm(x, weight_, bias_);
        case NormKind::rms_power:
            return by_power(o, x);
        case NormKind::rms_gemma:
            return gemma(o, x);
        default:
            return rms(o, x);
    }
}

// Transformers 5.16.1, LlamaRMSNorm.forward and Olmo2RMSNorm.forward (the product before the cast)
Tensor Norm::rms(Operations& o, const Tensor& x) const {
    Tensor wide = o.cast(x, DType::f32);
    Tensor t = o.pow(wide);
    const Tensor variance = o.mean_last(t);
    t = o.shift(variance);
    t = o.rsqrt(t);
    wide = o.mul(wide, t);
    t = nullptr;
    if (kind_ == NormKind::rms_wide) {
        if (weight_) t = o.mul(weight_, wide);
        return o.cast(t ? t : wide, x->dtype);
    }
    t = o.cast(wide, x->dtype);
    return weight_ ? o.mul(weight_, t) : t;
}

// Gemma2RMSNorm.forward
Tensor Norm::gemma(Operations& o, const Tensor& x) const {
    Tensor out;
    {
        const Tensor wide = o.cast(x, DType::f32);
        Tensor t = o.pow(wide);
        t = o.mean_last(t);
        t = o.shift(t);
        t = o.rsqrt(t);
        out = o.mul(wide, t);
    }
    {
        Tensor weight = o.cast(weight_, DType::f32);
        weight = o.shift(weight);
        out = o.mul(out, weight);
    }
    return o.cast(out, x->dtype);
}

// Gemma4RMSNorm.forward
Tensor Norm::by_power(Operations& o, const Tensor& x) const {
    Tensor out;
    {
        const Tensor wide = o.cast(x, DType::f32);
        Tensor t = o.pow(wide);
        t = o.mean_last(t);
        t = o.shift(t);
        t = o.pow(t);
        out = o.mul(wide, t);
    }
    if (weight_) {
        const Tensor weight = o.cast(weight_, DType::f32);
        out = o.mul(out, weight);
    }
    return o.cast(out, x->dtype);
}

}  // namespace memory_budget::budget::step
