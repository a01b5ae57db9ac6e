// SPDX-License-Identifier: MIT
#include "core/budget/step/attention.h"

namespace memory_budget::budget::step {

namespace {

/// Pairs of neighbours to two halves: a copy.
Tensor apart(Operations& o, const Tensor& x) {
    const Shape whole = x->shape;
    const Tensor pairs = o.view(x, Shape(whole[0], whole[1], whole[2], Dim(whole[3].n() / 2), Dim(2)));
    const Tensor turned = o.transpose(pairs, 4, 3);
    return o.reshape(turned, whole);
}

/// As complex numbers of 32 bits each part; a table of them has the size of a 32-bit one.
void rotate_complex(Operations& o, Tensor& q, Tensor& k, const Tensor& table) {
    const Tensor turns = o.unsqueeze(table, 1), wide_q = o.cast(q, DType::f32), wide_k = o.cast(k, DType::f32);
    const auto turned = [&](const Tensor& wide, DType dtype) {
        const Tensor product = o.mul(wide, turns);
        return o.cast(product, dtype);
    };
    Tensor q_out = turned(wide_q, q->dtype), k_out = turned(wide_k, k->dtype);
    q = std::move(q_out);
    k = std::move(k_out);
}

}  // namespace

// Transformers 5.16.1, DeepseekV3Attention.forward and DeepseekV2Attention.forward: what is compressed stays the
// caller's until the end, and so do the rotated parts.
void Attention::latent(Operations& o, const Tensor& hidden, const RotaryTables& tables, Heads& h) const {
    const model::Latent& m = shape_.latent;
    const Dim batch = hidden->shape[0], length = hidden->shape[1], heads(shape_.heads);
    const Dim nope(m.nope_dim), rope(m.rope_dim), value(shape_.value_dim);
    const auto through = [&](const Projection& down, const Norm& norm, const Projection& up) {
        Tensor t = down(o, hidden);
        t = norm(o, t);
        return up(o, t);
    };
    Tensor q = q_.present() ? q_(o, hidden) : through(q_down_, q_norm_, q_up_);
    q = o.view(q, Shape(batch, length, heads, Dim(shape_.head_dim)));
    q = o.transpose(q, 1, 2);
    Tensor part[2];
    o.split(q, -1, {nope, rope}, part);
    h.rest[0] = part[0];
    h.rest[1] = part[1];
    h.joined = kv_down_(o, hidden);
    o.split(h.joined, -1, {Dim(m.kv_rank), rope}, part);
    Tensor keys;
    {
        const Tensor normed = k_norm_(o, part[0]);
        keys = kv_up_(o, normed);
    }
    keys = o.view(keys, Shape(batch, length, heads, Dim(m.nope_dim + shape_.value_dim)));
    keys = o.transpose(keys, 1, 2);
    h.rest[2] = o.view(part[1], Shape(batch, Dim(1), length, rope));
    o.split(keys, -1, {nope, value}, part);
    keys = part[0];
    h.v = part[1];
    if (rotary_ == model::RotaryKind::complex) {
        rotate_complex(o, h.rest[1], h.rest[2], tables.cos);
    } else {
        Tensor turned_q = apart(o, h.rest[1]), turned_k = apart(o, h.rest[2]);
        rotate(o, model::RotaryKind::halves, turned_q, turned_k, tables, nullptr);
        h.rest[1] = std::move(turned_q);
        h.rest[2] = std::move(turned_k);
    }
    h.rest[2] = o.expand(h.rest[2], Shape(batch, heads, length, rope));
    h.q = o.cat({&h.rest[0], &h.rest[1]}, -1);
    h.k = o.cat({&keys, &h.rest[2]}, -1);
}

}  // namespace memory_budget::budget::step
