// SPDX-License-Identifier: MIT
#include "core/budget/step/tune_attention.h"

namespace memory_budget::budget::step {

TuneAttention::TuneAttention(Build& build, const model::Attention& attention)
    : heads_(attention.heads),
      groups_(attention.kv_heads),
      size_(attention.head_dim),
      compiled_(build.settings.compiled),
      q_(build, attention.q),
      k_(build, attention.k),
      v_(build, attention.v),
      out_(build, attention.o) {}

/// Pairs of elements, in 32 bits: four products, stacked. Compiled, it is one kernel.
Tensor TuneAttention::rotated(Operations& o, const Tensor& t) const {
    if (compiled_) return o.scale(t);
    const Tensor wide = o.cast(t, DType::f32);
    const Tensor first = o.every_second(wide), second = o.every_second(wide);
    const auto product = [&] {
        const Tensor l = o.scale(first), r = o.scale(second);
        return o.add(l, r);
    };
    Tensor out;
    {
        const Tensor even = product(), odd = product();
        out = o.stack_last(even, odd);
    }
    out = o.view(out, t->shape);
    return o.cast(out, t->dtype);
}

Tensor TuneAttention::operator()(Operations& o, const Tensor& hidden) const {
    const Dim b = hidden->shape[0], s = hidden->shape[1], d(size_);
    const Dim each(heads_ / groups_);
    Tensor q = q_(o, hidden);
    q = o.view(q, Shape(b, s, Dim(heads_), d));
    q = rotated(o, q);
    q = o.transpose(q, 1, 2);
    Tensor k = k_(o, hidden);
    k = o.view(k, Shape(b, s, Dim(groups_), d));
    k = rotated(o, k);
    Tensor v = v_(o, hidden);
    v = o.view(v, Shape(b, s, Dim(groups_), d));
    k = o.transpose(k, 1, 2);
    v = o.transpose(v, 1, 2);
    if (each.n() > 1) {
        const auto repeated = [&](const Tensor& t) {
            Tensor wide = o.unsqueeze(t, 2);
            wide = o.expand(wide, Shape(b, Dim(groups_), each, s, d));
            return o.reshape(wide, Shape(b, Dim(heads_), s, d));
        };
        k = repeated(k);
        v = repeated(v);
    }
    Tensor y = o.flash(q, k, v);
    y = o.transpose(y, 1, 2);
    y = o.contiguous(y);
    y = o.view(y, Shape(b, s, Dim(heads_ * size_)));
    return out_(o, y);
}

}  // namespace memory_budget::budget::step
