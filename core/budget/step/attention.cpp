// SPDX-License-Identifier: MIT
#include "core/budget/step/attention.h"

namespace memory_budget::budget::step {

using model::EagerKind;
using model::QkNorm;
using model::QkvLayout;

namespace {

constexpr std::int64_t largest_fused_head = 256;  // PyTorch 2.13, sdp_utils.cpp

Dim batch_of(const Tensor& hidden) {
    return hidden->shape[0];
}
Dim length_of(const Tensor& hidden) {
    return hidden->shape[1];
}

/// (batch, tokens, heads x size) to (batch, heads, tokens, size).
Tensor heads_first(Operations& o, const Tensor& t, std::int64_t heads, std::int64_t size) {
    const Tensor split = o.view(t, Shape(t->shape[0], t->shape[1], Dim(heads), Dim(size)));
    return o.transpose(split, 1, 2);
}

/// Keys or values for every query head: a copy, unless there is one head to repeat.
Tensor repeated(Operations& o, const Tensor& t, std::int64_t times) {
    if (times == 1) return t;
    const Shape& s = t->shape;
    Tensor wide = o.unsqueeze(t, 2);
    wide = o.expand(wide, Shape(s[0], s[1], Dim(times), s[2], s[3]));
    return o.reshape(wide, Shape(s[0], Dim(s[1].n() * times), s[2], s[3]));
}

}  // namespace

Attention::Attention(Build& build, const model::Attention& attention, const model::Architecture& architecture)
    : shape_(attention),
      rotary_(attention.rope ? architecture.rotary.kind : model::RotaryKind::none),
      eager_(build.settings.attention == AttentionPath::eager),
      fused_rotary_(build.settings.kernels.rotary),
      repeated_kv_(build.settings.repeated_kv),
      kept_cache_(build.settings.kept_cache) {
    if (attention.kind == model::AttentionKind::convolution) {
        const model::Convolution& c = attention.convolution;
        kernel_ = build.parameter(Shape(Dim(c.out.in), Dim(1), Dim(c.kernel)));
        if (c.bias) kernel_bias_ = build.parameter(Shape(Dim(c.out.in)));
        qkv_ = Projection(build, c.in);
        o_ = Projection(build, c.out);
        return;
    }
    if (attention.kind == model::AttentionKind::latent) {
        const model::Latent& m = attention.latent;
        q_ = Projection(build, attention.q);
        q_down_ = Projection(build, m.q_a);
        q_norm_ = Norm(build, m.q_norm, architecture.liger_norm_in_place);
        q_up_ = Projection(build, m.q_b);
        kv_down_ = Projection(build, m.kv_a);
        k_norm_ = Norm(build, m.kv_norm, architecture.liger_norm_in_place);
        kv_up_ = Projection(build, m.kv_b);
        o_ = Projection(build, attention.o);
        return;
    }
    if (attention.layout == QkvLayout::separate) {
        q_ = Projection(build, attention.q);
        k_ = Projection(build, attention.k);
        v_ = Projection(build, attention.v);
    } else if (attention.layout == QkvLayout::slices) {
        // Made in this order: Adafactor holds two parameters' temporaries at a time.
        o_ = Projection(build, attention.o);
        qkv_ = Projection(build, attention.qkv);
    } else {
        qkv_ = Projection(build, attention.qkv);
    }
    if (!o_.present()) o_ = Projection(build, attention.o);
    q_norm_ = Norm(build, attention.q_norm, architecture.liger_norm_in_place);
    k_norm_ = Norm(build, attention.k_norm, architecture.liger_norm_in_place);
    if (attention.qk_norm == QkNorm::head_placed) {
        model::Norm norm = attention.k_norm;
        norm.weight = false;
        v_norm_ = Norm(build, norm, architecture.liger_norm_in_place);
    }
    if (attention.sinks) sinks_ = build.parameter(Shape(Dim(attention.heads)));
}

void Attention::separate(Operations& o, const Tensor& hidden, Heads& h) const {
    const std::int64_t n = shape_.heads, m = shape_.kv_heads, d = shape_.head_dim;
    switch (shape_.qk_norm) {
        case QkNorm::head: {
            const auto normed = [&](const Projection& product, const Norm& norm, std::int64_t heads) {
                Tensor t = product(o, hidden);
                t = o.view(t, Shape(batch_of(hidden), length_of(hidden), Dim(heads), Dim(d)));
                t = norm(o, t);
                return o.transpose(t, 1, 2);
            };
            h.q = normed(q_, q_norm_, n);
            h.k = normed(k_, k_norm_, m);
            h.v = v_(o, hidden);
            break;
        }
        case QkNorm::whole:
            h.q = q_(o, hidden);
            h.q = q_norm_(o, h.q);
            h.k = k_(o, hidden);
            h.k = k_norm_(o, h.k);
            h.v = v_(o, hidden);
            h.q = heads_first(o, h.q, n, d);
            h.k = heads_first(o, h.k, m, d);
            break;
        default:
            h.q = q_(o, hidden);
            h.q = heads_first(o, h.q, n, d);
            h.k = k_(o, hidden);
            h.k = heads_first(o, h.k, m, d);
            h.v = v_(o, hidden);
            break;
    }
    h.v = heads_first(o, h.v, m, shape_.value_dim);
    if (shape_.qk_norm == QkNorm::head_after) {
        h.q = q_norm_(o, h.q);
        h.k = k_norm_(o, h.k);
    }
}

void Attention::joined(Operations& o, const Tensor& hidden, Heads& h) const {
    const std::int64_t n = shape_.heads, m = shape_.kv_heads, d = shape_.head_dim;
    h.joined = qkv_(o, hidden);
    if (shape_.layout == QkvLayout::per_head) {
        h.joined = heads_first(o, h.joined, n, 3 * d);
        Tensor parts[3];
        o.split(h.joined, -1, {Dim(d), Dim(d), Dim(d)}, parts);
        h.q = parts[0];
        h.k = parts[1];
        h.v = parts[2];
        return;
    }
    if (shape_.layout == QkvLayout::split) {
        Tensor parts[3];
        o.split(h.joined, -1, {Dim(n * d), Dim(m * d), Dim(m * d)}, parts);
        h.joined = nullptr;
        h.q = parts[0];
        h.k = parts[1];
        h.v = parts[2];
    } else {
        h.q = o.slice(h.joined, -1, Dim(n * d));
        h.k = o.slice(h.joined, -1, Dim(m * d));
        h.v = o.slice(h.joined, -1, Dim(m * d));
    }
    h.q = heads_first(o, h.q, n, d);
    h.k = heads_first(o, h.k, m, d);
    h.v = heads_first(o, h.v, m, d);
}

// Transformers 5.16.1, FalconAttention._split_heads
void Attention::falcon(Operations& o, const Tensor& hidden, Heads& h) const {
    const Dim b = batch_of(hidden), s = length_of(hidden), n(shape_.heads), d(shape_.head_dim);
    const Tensor product = qkv_(o, hidden);
    if (shape_.layout == QkvLayout::falcon_groups) {
        const Dim groups(shape_.kv_heads), each(shape_.heads / shape_.kv_heads);
        const Tensor all = o.view(product, Shape(b, s, groups, Dim(each.n() + 2), d));
        h.q = o.slice(all, 3, each);
        h.k = o.index_kept(all, 3);
        h.v = o.index_kept(all, 3);
        const Shape wide(b, s, groups, each, d), flat(b, s, n, d);
        h.k = o.expand(h.k, wide);
        h.v = o.expand(h.v, wide);
        h.q = o.reshape(h.q, flat);
        h.k = o.reshape(h.k, flat);
        h.v = o.reshape(h.v, flat);
    } else if (shape_.layout == QkvLayout::falcon_multi_query) {
        const Tensor all = o.view(product, Shape(b, s, Dim(n.n() + 2), d));
        h.q = o.slice(all, 2, n);
        h.k = o.index_kept(all, 2);
        h.v = o.index_kept(all, 2);
    } else {
        const Tensor all = o.view(product, Shape(b, s, n, Dim(3), d));
        const auto part = [&] {
            const Tensor one = o.slice(all, 3, Dim(1));
            return o.view(one, Shape(b, s, n, d));
        };
        h.q = part();
        h.k = part();
        h.v = part();
    }
    h.joined = product;
    h.q = o.transpose(h.q, 1, 2);
    h.k = o.transpose(h.k, 1, 2);
    h.v = o.transpose(h.v, 1, 2);
}

Tensor Attention::kernel(Operations& o, const Tensor& query, const Tensor& key, const Tensor& value,
                         const Tensor& mask) const {
    Tensor q = query, k = key, v = value;
    if (o.autocast) {
        v = o.cast16(value);
        k = o.cast16(key);
        q = o.cast16(query);
    }
    const Dim d = q->shape[3];
    if (!mask && q->dtype != DType::f32 && d.n() <= largest_fused_head && v->shape[3].n() == d.n())
        return o.flash(q, k, v);
    // Without a mask groups are taken as they are, and repeated only here, inside the call.
    if (!mask && k->shape[1].n() != q->shape[1].n()) {
        const std::int64_t times = q->shape[1].n() / k->shape[1].n();
        k = repeated(o, k, times);
        v = repeated(o, v, times);
    }
    Tensor additive;
    if (mask) {
        additive = o.make(q->dtype, mask->shape, Op::mask);
        { const Tensor inverted = o.make(DType::boolean, mask->shape, Op::logical); }
        const Dim padded(o.values.atoms[static_cast<std::size_t>(Atom::length_to_16)], power(Atom::length_to_16));
        if (padded.n() != mask->shape[-1].n())
            additive = o.make(q->dtype, mask->shape.with_last(padded), Op::constant_pad);
    }
    return o.efficient(q, k, v, additive);
}

// Transformers 5.16.1, integrations/sdpa_attention.py
Tensor Attention::fused(Operations& o, const Heads& h, const Tensor& mask) const {
    const std::int64_t groups = shape_.heads / shape_.kv_heads;
    Tensor k = h.k, v = h.v;
    const std::int64_t d = k->shape[3].n();
    const bool native = !mask && d == v->shape[3].n() && d <= largest_fused_head;
    if (groups > 1 && (!native || repeated_kv_)) {
        k = repeated(o, k, groups);
        v = repeated(o, v, groups);
    }
    Tensor out = kernel(o, h.q, k, v, mask);
    out = o.transpose(out, 1, 2);
    return o.contiguous(out);
}

Tensor Attention::eager(Operations& o, const Heads& h, const Tensor& mask) const {
    const std::int64_t groups = shape_.heads / shape_.kv_heads;
    const Tensor k = repeated(o, h.k, groups), v = repeated(o, h.v, groups);
    Tensor w;
    {
        const Tensor turned = o.transpose(k, 2, 3);
        w = o.matmul(h.q, turned);
        w = o.scale(w);
    }
    if (shape_.softcap > 0) {
        w = o.scale(w, Op::div);
        w = o.saturating(w, Op::tanh);
        w = o.scale(w);
    }
    if (mask) w = o.add(w, mask);
    {
        Tensor wide = o.cast(w, DType::f32);
        wide = o.softmax(wide);
        w = o.cast(wide, h.q->dtype);
    }
    Tensor out = o.matmul(w, v);
    out = o.transpose(out, 1, 2);
    return o.contiguous(out);
}

Tensor Attention::eager_gpt2(Operations& o, const Heads& h, const Tensor& mask) const {
    Tensor w;
    {
        const Tensor turned = o.transpose(h.k, 2, 3);
        w = o.matmul(h.q, turned);
        w = o.scale(w);
    }
    if (mask) w = o.add(w, mask);
    {
        const Tensor in = o.autocast ? o.cast(w, DType::f32) : w;
        w = o.softmax(in);
    }
    w = o.cast(w, h.v->dtype);
    w = o.dropout(w, shape_.dropout > 0);
    const Tensor out = o.matmul(w, h.v);
    return o.transpose(out, 1, 2);
}

Tensor Attention::eager_falcon(Operations& o, const Heads& h, const Tensor& mask) const {
    const auto product = [&](const Tensor& a, const Tensor& b) {
        if (b->shape[1].n() == a->shape[1].n()) return o.matmul(a, b);
        const Tensor wide = o.expand(b, Shape(a->shape[0], a->shape[1], b->shape[2], b->shape[3]));
        return o.matmul(a, wide);
    };
    Tensor w;
    {
        const Tensor turned = o.transpose(h.k, 2, 3);
        w = product(h.q, turned);
    }
    w = o.scale_in_place(w);
    {
        const Tensor masked = o.add(w, mask);
        w = o.softmax(masked);
    }
    return product(w, h.v);
}

// gpt-oss: one more column of scores, taken away after the softmax
Tensor Attention::eager_sinks(Operations& o, const Heads& h, const Tensor& mask) const {
    const std::int64_t groups = shape_.heads / shape_.kv_heads;
    const Tensor k = repeated(o, h.k, groups), v = repeated(o, h.v, groups);
    Tensor w;
    {
        const Tensor turned = o.transpose(k, 2, 3);
        w = o.matmul(h.q, turned);
        w = o.scale(w);
    }
    if (mask) w = o.add(w, mask);
    const Shape& s = h.q->shape;
    Tensor sinks = o.view(sinks_, Shape(Dim(1), s[1], Dim(1), Dim(1)));
    sinks = o.expand(sinks, Shape(s[0], s[1], s[2], Dim(1)));
    Tensor all = o.cat({&w, &sinks}, -1);
    {
        Tensor indices;
        const Tensor largest = o.top(all, Dim(1), indices, Op::maximum);
        indices = nullptr;
        all = o.sub(all, largest);
    }
    const Tensor probabilities = o.softmax(all);
    const Tensor scores = o.slice(probabilities, -1, s[2]);
    w = o.cast(scores, v->dtype);
    Tensor out = o.matmul(w, v);
    out = o.transpose(out, 1, 2);
    return o.contiguous(out);
}

Tensor Attention::attend(Operations& o, const Heads& h, const Tensor& mask) const {
    if (shape_.eager == EagerKind::sinks) return eager_sinks(o, h, mask);
    if (shape_.eager == EagerKind::falcon) {
        const Tensor out = eager_ ? eager_falcon(o, h, mask) : kernel(o, h.q, h.k, h.v, mask);
        return o.transpose(out, 1, 2);
    }
    if (!eager_) return fused(o, h, mask);
    return shape_.eager == EagerKind::gpt2 ? eager_gpt2(o, h, mask) : eager(o, h, mask);
}

Tensor Attention::operator()(Operations& o, const Tensor& hidden, const RotaryTables& tables, const Tensor& mask,
                             Tensor& held) const {
    if (shape_.alibi) {
        Tensor out = bloom(o, hidden, tables.cos, mask, held);
        out = o_(o, out);
        return o.dropout(out, shape_.output_dropout > 0);
    }
    if (shape_.kind == model::AttentionKind::convolution) return short_convolution(o, hidden);
    Heads h;
    const bool compressed = shape_.kind == model::AttentionKind::latent;
    const bool placed = shape_.qk_norm == QkNorm::head_placed;
    if (placed)
        normed_heads(o, hidden, tables, h);
    else if (compressed)
        latent(o, hidden, tables, h);
    else if (shape_.layout == QkvLayout::separate)
        separate(o, hidden, h);
    else if (shape_.eager == EagerKind::falcon)
        falcon(o, hidden, h);
    else
        joined(o, hidden, h);
    if (!compressed && !placed && rotary_ != model::RotaryKind::none && tables.cos) {
        if (fused_rotary_)
            o.liger_rotary(h.q, h.k, tables.cos, tables.sin);
        else
            rotate(o, rotary_, h.q, h.k, tables, h.rest);
    }
    if (left_keys_) {
        // With what made them: played again, they hold on to that part of the block that nobody goes back through.
        cache_[0] = h.k;
        cache_[1] = h.v;
    } else if (kept_cache_ && !o.recomputing()) {
        cache_[0] = Tape::alias(h.k);
        cache_[1] = Tape::alias(h.v);
    }
    Tensor out = attend(o, h, mask);
    out = o.reshape(out, Shape(batch_of(hidden), length_of(hidden), Dim(shape_.heads * shape_.value_dim)));
    out = o.contiguous(out);
    out = o_(o, out);
    return o.dropout(out, shape_.output_dropout > 0);
}

}  // namespace memory_budget::budget::step
