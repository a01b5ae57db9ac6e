// SPDX-License-Identifier: MIT
#include "core/budget/step/projection.h"

namespace memory_budget::budget::step {

namespace {

// bitsandbytes 0.50.2, NF4: 64 weights a scale; with double quantisation 256 scales a scale of scales.
constexpr std::int64_t weights_per_scale = 64, scales_per_scale = 256;
// AutoGPTQ 0.7, QuantLinear: groups of 128 rows, in each column a scale and a 4-bit zero; a group's number each row.
constexpr std::int64_t rows_per_group = 128;

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

Projection::Projection(Build& build, const model::Linear& linear)
    : kind_(linear.weight),
      rows_(linear.out),
      columns_(linear.in),
      dropout_(build.settings.dropout > 0),
      plain_sum_(build.settings.modules != Modules::transformers) {
    using model::Weight;
    if (!linear.present()) return;
    is_packed_ = build.packed() && (kind_ == Weight::linear || kind_ == Weight::conv1d);
    if (is_packed_) {
        pack(build, linear.in, linear.out);
    } else {
        weight_ = build.parameter(kind_ == Weight::conv1d ? Shape(columns_, rows_) : Shape(rows_, columns_));
    }
    if (linear.bias) {
        bias_ = build.parameter(Shape(rows_));
        if (is_packed_) build.packed_biases.push_back(bias_);
    }
    if (kind_ != Weight::parameter && build.adapted(linear.name)) {
        a_ = build.adapter(Shape(Dim(build.settings.rank), columns_));
        b_ = build.adapter(Shape(rows_, Dim(build.settings.rank)));
    }
}

Projection Projection::without_adapter(Build& build, const model::Linear& linear) {
    const bool outer = std::exchange(build.adapting, false);
    Projection p(build, linear);
    build.adapting = outer;
    return p;
}

void Projection::pack(Build& build, std::int64_t in, std::int64_t out) {
    const std::int64_t elements = in * out, scales = divide_up(elements, weights_per_scale);
    packed_ = {rows_, columns_, Dim(scales), build.settings.quantization, build.settings.packed_keeps_input};
    build.quantization(DType::u8, divide_up(elements, 2), Op::packed);
    switch (build.settings.quantization) {
        case Quantization::gptq: {
            const std::int64_t groups = divide_up(in, rows_per_group);
            build.quantization(DType::f16, groups * out, Op::absmax);
            build.quantization(DType::u8, divide_up(groups * out, 2), Op::offset);
            build.quantization(DType::i32, in, Op::code);
            break;
        }
        case Quantization::nf4:
            build.quantization(DType::f32, scales, Op::absmax);
            build.quantization(DType::f32, 16, Op::code);
            break;
        case Quantization::nf4_double:
            build.quantization(DType::u8, scales, Op::absmax);
            build.quantization(DType::f32, divide_up(scales, scales_per_scale), Op::absmax_of_absmax);
            build.quantization(DType::f32, 16, Op::code);
            build.quantization(DType::f32, 256, Op::code);
            build.quantization(DType::f32, 0, Op::offset);
    }
}

Projection Projection::head(Build& build, Dim rows, Dim columns, bool bias, const Tensor& tied) {
    Projection p;
    p.rows_ = rows;
    p.columns_ = columns;
    p.weight_ = tied ? tied : build.parameter(Shape(rows, columns));
    if (bias) p.bias_ = build.parameter(Shape(rows));
    return p;
}

Tensor Projection::base(Operations& o, const Tensor& x) const {
    if (is_packed_) return o.packed_linear(x, packed_, bias_);
    switch (kind_) {
        case model::Weight::conv1d:
            return o.linear_kn(x, weight_, bias_);
        case model::Weight::derived:
            return o.linear_by_transpose(x, weight_, bias_);
        default:
            return o.linear(x, weight_, bias_);
    }
}

Tensor Projection::operator()(Operations& o, const Tensor& x) const {
    if (!a_) return base(o, x);
    return is_packed_ && !plain_sum_ ? adapted_packed(o, x) : adapted(o, x);
}

Tensor Projection::low_rank(Operations& o, const Tensor& x) const {
    Tensor t = o.dropout(x, dropout_);
    t = o.linear(t, a_, nullptr);
    t = o.linear(t, b_, nullptr);
    return o.scale(t);
}

// PEFT 0.20, tuners/lora/layer.py, Linear.forward
Tensor Projection::adapted(Operations& o, const Tensor& x) const {
    Tensor result = base(o, x);
    const DType dtype = result->dtype;
    const Tensor in = o.cast(x, a_->dtype);
    {
        const Tensor delta = low_rank(o, in);
        result = o.add(result, delta);
    }
    return o.cast(result, dtype);
}

// PEFT 0.20, tuners/lora/bnb.py, Linear4bit.forward: the base's result is cloned, and types are changed by hand
// only where autocast does not.
Tensor Projection::adapted_packed(Operations& o, const Tensor& x) const {
    Tensor result = base(o, x);
    result = o.clone(result, true);
    const Tensor in = o.autocast ? x : o.cast(x, a_->dtype);
    Tensor delta = low_rank(o, in);
    if (!o.autocast) delta = o.cast(delta, result->dtype);
    return o.add(result, delta);
}

}  // namespace memory_budget::budget::step
