// SPDX-License-Identifier: MIT
#include "core/budget/step/attention.h"

namespace memory_budget::budget::step {

// Transformers 5.16.1, BloomModel.build_alibi_tensor: slopes times positions, a row for each head of each sequence
Tensor alibi(Operations& o, Dim heads, Dim batch, Dim length, DType hidden) {
    const Tensor slopes = o.make(DType::f32, Shape(heads), Op::pow);
    const Tensor places = o.make(DType::i64, Shape(batch, Dim(1), length), Op::mul);
    const Tensor product = o.make(DType::f32, Shape(batch, heads, length), Op::mul);
    return o.cast(Tape::on(product, Shape(Dim(heads.n() * batch.n(), batch.atoms()), Dim(1), length)), hidden);
}

// BloomAttention.forward, in which the bias is what the scores are added to. Written out whatever kernel is asked for.
Tensor Attention::bloom(Operations& o, const Tensor& hidden, const Tensor& bias, const Tensor& mask,
                        Tensor& held) const {
    const Dim batch = hidden->shape[0], length = hidden->shape[1], heads(shape_.heads), size(shape_.head_dim);
    const Shape flat(batch * heads, length, size);
    const Tensor product = qkv_(o, hidden);
    const Tensor all = o.view(product, Shape(batch, length, heads, Dim(3), size));
    const auto part = [&] {
        Tensor t = o.slice(all, 3, Dim(1));
        t = o.view(t, Shape(batch, length, heads, size));
        t = o.transpose(t, 1, 2);
        return o.reshape(t, flat);
    };
    const Tensor q = part();
    Tensor k = part();
    k = o.transpose(k, 1, 2);
    const Tensor v = part();
    const Tensor scores = o.baddbmm(bias, q, k);
    Tensor weights = o.view(scores, Shape(batch, heads, length, length));
    if (mask) weights = o.add(weights, mask);
    {
        Tensor wide = o.cast(weights, DType::f32);
        wide = o.softmax(wide);
        held = o.cast(wide, q->dtype);
    }
    held = o.dropout(held, shape_.dropout > 0);
    Tensor left = o.view(held, Shape(batch * heads, length, length)), right = v;
    if (o.autocast) {
        right = o.cast16(right);
        left = o.cast16(left);
    }
    Tensor out = o.bmm(left, right);
    left = right = nullptr;
    out = o.view(out, Shape(batch, heads, length, size));
    out = o.transpose(out, 1, 2);
    return o.reshape(out, Shape(batch, length, heads * size));
}

}  // namespace memory_budget::budget::step
