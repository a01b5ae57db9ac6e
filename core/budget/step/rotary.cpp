// SPDX-License-Identifier: MIT
#include "core/budget/step/rotary.h"

namespace memory_budget::budget::step {

using model::RotaryKind;

RotaryTables rotary_tables(Operations& o, const model::Rotary& rotary, std::int64_t rotated_size, DType hidden) {
    const bool outer = std::exchange(o.grad, false);
    const Dim length(o.values.atoms[static_cast<std::size_t>(Atom::length)], power(Atom::length));
    const Dim size(rotated_size), half(rotated_size / 2);
    const Tensor positions = o.make(DType::f32, Shape(Dim(1), Dim(1), length), Op::to_copy);
    const Tensor angles = o.make(DType::f32, Shape(Dim(1), half, length), Op::bmm);
    if (rotary.kind == RotaryKind::complex) {
        RotaryTables t;
        {
            const Tensor ones = o.make(DType::f32, Shape(Dim(1), length, half), Op::ones);
            const Tensor raw = o.make(DType::f32, Shape(Dim(1), length, size), Op::cos);
            t.cos = o.scale(raw);
        }
        o.grad = outer;
        return t;
    }
    const Tensor joined = rotary.kind == RotaryKind::split_products
                              ? Tape::on(angles, Shape(Dim(1), length, half))
                              : o.make(DType::f32, Shape(Dim(1), length, size), Op::cat);
    RotaryTables t;
    {
        const Tensor raw = o.elementwise(Op::cos, {&joined});
        t.cos = o.scale(raw);
    }
    {
        const Tensor raw = o.elementwise(Op::sin, {&joined});
        t.sin = o.scale(raw);
    }
    o.grad = outer;
    if (rotary.kind == RotaryKind::halves_wide) return t;
    RotaryTables narrow;
    narrow.cos = o.cast(t.cos, hidden);
    narrow.sin = o.cast(t.sin, hidden);
    return narrow;
}

namespace {

Dim half_of(Dim d) {
    return Dim(d.n() / 2, d.atoms());
}

Tensor half_turn(Operations& o, const Tensor& x) {
    const Dim half = half_of(x->shape[-1]);
    const Tensor first = o.slice(x, -1, half), second = o.slice(x, -1, half);
    const Tensor negative = o.neg(second);
    return o.cat({&negative, &first}, -1);
}

/// Every second element: two slices, stacked.
Tensor pair_turn(Operations& o, const Tensor& x) {
    const Tensor first = o.every_second(x), second = o.every_second(x);
    Tensor pairs;
    {
        const Tensor negative = o.neg(second);
        pairs = o.stack_last(negative, first);
    }
    return o.view(pairs, x->shape);
}

using Turn = Tensor (*)(Operations&, const Tensor&);

Tensor turned(Operations& o, const Tensor& x, const Tensor& cos, const Tensor& sin, Turn turn) {
    const Tensor along = o.mul(x, cos);
    Tensor across = turn(o, x);
    across = o.mul(across, sin);
    return o.add(along, across);
}

/// gpt-oss: two halves, four products.
Tensor by_products(Operations& o, const Tensor& x, const Tensor& cos, const Tensor& sin) {
    const Dim half = half_of(x->shape[-1]);
    Tensor part[2];
    o.split(x, -1, {half, half}, part);
    Tensor first, second;
    {
        const Tensor l = o.mul(part[0], cos), r = o.mul(part[1], sin);
        first = o.sub(l, r);
    }
    {
        const Tensor l = o.mul(part[1], cos), r = o.mul(part[0], sin);
        second = o.add(l, r);
    }
    return o.cat({&first, &second}, -1);
}

}  // namespace

Tensor half_rotation(Operations& o, const Tensor& x, const Tensor& cos, const Tensor& sin) {
    return turned(o, x, cos, sin, half_turn);
}

// Transformers 5.16.1, apply_rotary_pos_emb of the families named at RotaryKind
void rotate(Operations& o, RotaryKind kind, Tensor& q, Tensor& k, const RotaryTables& tables, Tensor* rest) {
    Tensor cos = o.unsqueeze(tables.cos, 1), sin = o.unsqueeze(tables.sin, 1);
    if (kind == RotaryKind::split_products) {
        Tensor turned_q = by_products(o, q, cos, sin), turned_k = by_products(o, k, cos, sin);
        q = std::move(turned_q);
        k = std::move(turned_k);
        return;
    }
    if (kind == RotaryKind::interleaved) {
        cos = o.make(cos->dtype, cos->shape, Op::index_select);
        sin = o.make(sin->dtype, sin->shape, Op::index_select);
    }
    const Turn turn = kind == RotaryKind::interleaved ? pair_turn : half_turn;
    if (kind == RotaryKind::halves || kind == RotaryKind::halves_wide) {
        Tensor q_out = turned(o, q, cos, sin, turn), k_out = turned(o, k, cos, sin, turn);
        if (kind == RotaryKind::halves_wide) {
            q_out = o.cast(q_out, q->dtype);
            k_out = o.cast(k_out, k->dtype);
        }
        q = std::move(q_out);
        k = std::move(k_out);
        return;
    }
    const Dim part = cos->shape[-1], left(q->shape[-1].n() - part.n());
    const Tensor q_part = o.slice(q, -1, part), q_rest = o.slice(q, -1, left), k_part = o.slice(k, -1, part),
                 k_rest = o.slice(k, -1, left);
    if (kind == RotaryKind::partial_outside) {
        rest[0] = q_rest;
        rest[1] = k_rest;
    }
    Tensor q_out, k_out;
    if (kind == RotaryKind::partial_inside || kind == RotaryKind::interleaved) {
        {
            const Tensor t = turned(o, q_part, cos, sin, turn);
            q_out = o.cat({&t, &q_rest}, -1);
        }
        const Tensor t = turned(o, k_part, cos, sin, turn);
        k_out = o.cat({&t, &k_rest}, -1);
    } else {
        const Tensor q_turned = turned(o, q_part, cos, sin, turn), k_turned = turned(o, k_part, cos, sin, turn);
        if (kind == RotaryKind::partial_outside) {
            rest[2] = q_turned;
            rest[3] = k_turned;
        }
        q_out = o.cat({&q_turned, &q_rest}, -1);
        k_out = o.cat({&k_turned, &k_rest}, -1);
    }
    q = std::move(q_out);
    k = std::move(k_out);
}

Tensor rotated(Operations& o, const Tensor& x, const RotaryTables& tables) {
    const Tensor cos = o.unsqueeze(tables.cos, 2), sin = o.unsqueeze(tables.sin, 2);
    return turned(o, x, cos, sin, half_turn);
}

}  // namespace memory_budget::budget::step
