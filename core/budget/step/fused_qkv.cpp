// SPDX-License-Identifier: MIT
#include "core/budget/step/fused_qkv.h"

namespace memory_budget::budget::step {

FusedQkvAttention::FusedQkvAttention(Build& build, const model::Attention& attention)
    : heads_(attention.heads),
      groups_(attention.kv_heads),
      size_(attention.head_dim),
      dropout_(build.settings.dropout > 0) {
    const std::int64_t query = heads_ * size_, key = groups_ * size_, hidden = attention.o.out;
    const bool bias = attention.qkv.bias || attention.q.bias;
    qkv_ = Projection::without_adapter(build, model::Linear("attn", hidden, query + 2 * key, bias));
    std::int64_t out = 0;
    const auto adapt = [&](const char* name, std::int64_t width) {
        if (!build.targeted(name)) return;
        ++adapted_parts_;
        out += width;
    };
    adapt("q_proj", query);
    adapt("k_proj", key);
    adapt("v_proj", key);
    if (out > 0) {
        adapted_ = Dim(out);
        a_ = build.adapter(Shape(Dim(build.settings.rank * adapted_parts_), Dim(hidden)));
        b_ = build.adapter(Shape(adapted_, Dim(build.settings.rank)));
    }
    model::Linear o = attention.o;
    o.name = "o_proj";
    out_ = Projection(build, o);
}

Tensor FusedQkvAttention::product(Operations& o, const Tensor& hidden) const {
    Tensor base = qkv_.base(o, hidden);
    if (!a_) return base;
    Tensor lora;
    {
        const Tensor x = o.dropout(hidden, dropout_);
        const Tensor low = o.linear(x, a_, nullptr);
        lora = o.linear(low, b_, nullptr);
    }
    if (adapted_parts_ < 3) {
        const Tensor zeros = o.make(lora->dtype, base->shape, Op::zeros);
        const Tensor index = o.make(DType::i64, Shape(adapted_), Op::arange);
        const Tensor copy = o.clone(lora);
        lora = o.index_copy(zeros, index, copy);
    }
    lora = o.scale(lora);
    return o.add(base, lora);
}

/// The rotated part is joined to the rest, though there be none.
Tensor FusedQkvAttention::rotated(Operations& o, const Tensor& t, const RotaryTables& tables) const {
    if (!tables.cos) return t;
    const Dim part = tables.cos->shape[-1];
    Tensor turned = o.slice(t, -1, part);
    turned = half_rotation(o, turned, o.unsqueeze(tables.cos, 1), o.unsqueeze(tables.sin, 1));
    turned = o.cast(turned, t->dtype);
    if (part.n() == size_) return o.cat({&turned}, -1);
    const Tensor rest = o.slice(t, -1, Dim(size_ - part.n()));
    return o.cat({&turned, &rest}, -1);
}

Tensor FusedQkvAttention::operator()(Operations& o, const Tensor& hidden, const RotaryTables& tables) const {
    const Dim b = hidden->shape[0], s = hidden->shape[1], d(size_), groups(groups_);
    const std::int64_t each = heads_ / groups_;
    Tensor parts[3];
    {
        Tensor qkv = product(o, hidden);
        qkv = o.view(qkv, Shape(b, s, groups, Dim(each + 2), d));
        qkv = o.permute(qkv, {0, 2, 3, 1, 4});
        o.split(qkv, 2, {Dim(each), Dim(1), Dim(1)}, parts);
    }
    for (int i = 1; i < 3 && each > 1; ++i) parts[i] = o.expand(parts[i], Shape(b, groups, Dim(each), s, d));
    for (Tensor& t : parts) t = o.reshape(t, Shape(b, Dim(heads_), s, d));
    Tensor q = rotated(o, parts[0], tables), k = rotated(o, parts[1], tables);
    parts[0] = std::move(q);
    parts[1] = std::move(k);
    Tensor y = o.flash(parts[0], parts[1], parts[2]);
    y = o.transpose(y, 1, 2);
    y = o.reshape(y, Shape(b, s, Dim(heads_ * size_)));
    return out_(o, y);
}

}  // namespace memory_budget::budget::step
