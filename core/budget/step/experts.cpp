// SPDX-License-Identifier: MIT
#include "core/budget/step/experts.h"

namespace memory_budget::budget::step {

using model::RouterKind;

// ---------------------------------------------------------------- PEFT 0.20, tuners/lora/layer.py, ParamWrapper

ParameterAdapter::ParameterAdapter(Build& build, const Tensor& weight, std::int64_t rank) : base_(weight) {
    const Shape& s = weight->shape;
    const std::int64_t experts = s.rank == 3 ? s[0].n() : 1;
    a_ = build.adapter(Shape(Dim(rank * experts), s[-1]));
    b_ = build.adapter(Shape(s[-2], Dim(rank * experts)));
}

Tensor ParameterAdapter::delta(Operations& o) const {
    const Shape& s = base_->shape;
    if (s.rank == 2) {
        Tensor right = a_, left = b_;
        if (o.autocast) {
            right = o.cast16(a_);
            left = o.cast16(b_);
        }
        Tensor d = o.mm_kn(left, right, nullptr);
        d = o.scale(d);
        return o.cast(d, base_->dtype);
    }
    const Dim experts = s[0], rank(a_->shape[0].n() / experts.n());
    const Tensor a = o.view(a_, Shape(experts, rank, a_->shape[1]));
    const Tensor b = o.view(b_, Shape(b_->shape[0], rank, experts));
    Tensor left = o.permute(b, {2, 0, 1}), right = a;
    if (o.autocast) {
        right = o.cast16(a);
        left = o.cast16(left);
    }
    Tensor d = o.bmm(left, right);
    d = o.scale(d);
    left = right = nullptr;
    return o.cast(d, base_->dtype);
}

void ParameterAdapter::begin(Operations& o) {
    if (!present()) return;
    delta_ = delta(o);
    // The parametrization's check at its registration: one sum for nothing.
    const Tensor trial = o.add(base_, delta_);
}

Tensor ParameterAdapter::weight(Operations& o) {
    if (!present()) return base_;
    if (!adapted_) adapted_ = o.add(base_, delta_);
    return adapted_;
}

void ParameterAdapter::end() {
    adapted_ = delta_ = nullptr;
}

// ---------------------------------------------------------------- Transformers 5.16.1, integrations/moe.py

Experts::Experts(Build& build, const model::Experts& experts, Dim hidden)
    : shape_(experts), shared_(build, experts.shared), shared_gate_(build, experts.shared_gate) {
    if (!experts.present()) return;
    const Dim count(experts.count), width(experts.width);
    const StepSettings& run = build.settings;
    router_ = build.parameter(Shape(count, hidden));
    if (experts.router.weight.bias) router_bias_ = build.parameter(Shape(count));
    // MiniMax's class casts the buffer with the weights, the others keep it in 32 bits.
    if (experts.router.kind == RouterKind::sigmoid)
        correction_ = build.buffer(Shape(count), experts.router.wide_product ? DType::f32 : build.weights());
    if (run.all_linear && build.adapters() && experts.router_adapted)
        router_adapter_ = ParameterAdapter(build, router_, run.rank);
    const Dim both(2 * width.n());
    gate_up_ = build.parameter(experts.transposed ? Shape(count, hidden, both) : Shape(count, both, hidden));
    if (experts.bias) gate_up_bias_ = build.parameter(Shape(count, both));
    down_ = build.parameter(experts.transposed ? Shape(count, width, hidden) : Shape(count, hidden, width));
    if (experts.bias) down_bias_ = build.parameter(Shape(count, hidden));
    if (experts.adapted_by_name && build.targeted("gate_proj")) {
        gate_up_adapter_ = ParameterAdapter(build, gate_up_, 2 * run.rank);
        down_adapter_ = ParameterAdapter(build, down_, run.rank);
    }
}

// Transformers 5.16.1, DeepseekV3MoE.route_tokens_to_experts, Glm4MoeMoE's and MiniMaxM2TopKRouter.forward
void Experts::choose(Operations& o, const Tensor& scores, Choice& c) const {
    const Dim tokens = scores->shape[0], groups(shape_.router.groups), k(shape_.per_token);
    const Tensor corrected = o.add(scores, correction_);
    Tensor within, best, sums, chosen, mask, masked;
    if (shape_.router.wide_product) {
        best = o.make(corrected->dtype, Shape(tokens, groups, Dim(2)), Op::topk);
        sums = o.make(corrected->dtype, Shape(tokens, groups), Op::sum);
        chosen = o.make(DType::i64, Shape(tokens, groups), Op::topk);
        mask = o.make(corrected->dtype, Shape(tokens, groups), Op::zeros);
        within = groups.n() == 1 ? mask : o.make(corrected->dtype, scores->shape, Op::clone);
        const Tensor inside = o.make(DType::boolean, scores->shape, Op::to_copy),
                     outside = o.make(DType::boolean, scores->shape, Op::logical);
        masked = o.masked_fill(corrected, outside);
    }
    const Tensor largest = o.top(masked ? masked : corrected, k, c.indices);
    c.weights = o.gather(scores, c.indices);
    if (shape_.router.normalised) {
        Tensor total;
        {
            const Tensor wide = o.autocast ? o.cast(c.weights, DType::f32) : c.weights;
            total = o.sum_last_kept(wide);
        }
        if (shape_.router.wide_product) total = o.shift(total);
        c.weights = o.divide_in_place(c.weights, total);
    }
    if (shape_.router.scaled) c.weights = o.scale(c.weights);
}

Experts::Choice Experts::route(Operations& o, const Tensor& hidden) {
    const bool adapted = router_adapter_.present();
    if (adapted) router_adapter_.begin(o);
    const Tensor weight = adapted ? router_adapter_.weight(o) : router_;
    const Dim k(shape_.per_token);
    Choice c;
    if (shape_.router.wide_product) {
        const Tensor x = o.cast(hidden, DType::f32), w = o.cast(weight, DType::f32);
        c.logits = o.linear(x, w, nullptr);
    } else {
        c.logits = o.linear(hidden, weight, router_bias_);
    }
    if (shape_.router.kind == RouterKind::sigmoid) {
        const Tensor wide = shape_.router.wide_product ? c.logits : o.cast(c.logits, DType::f32);
        const Tensor scores = o.saturating(wide, Op::sigmoid);
        choose(o, scores, c);
    } else if (shape_.router.kind == RouterKind::top_softmax) {
        // Granite's router gives 32-bit logits; gpt-oss's has a bias and keeps its type.
        if (!router_bias_) c.logits = o.cast(c.logits, DType::f32);
        const Tensor largest = o.top(c.logits, k, c.indices);
        Tensor t = o.softmax(largest);
        if (!router_bias_) t = o.cast(t, hidden->dtype);
        c.weights = t;
    } else {
        Tensor probabilities;
        {
            const Tensor wide = o.cast(c.logits, DType::f32);
            probabilities = o.softmax(wide);
        }
        c.weights = o.top(probabilities, k, c.indices);
        if (shape_.router.normalised) {
            const Tensor total = o.sum_last_kept(c.weights);
            c.weights = o.divide_in_place(c.weights, total);
        }
        if (shape_.router.scaled) c.weights = o.scale(c.weights);
        if (!shape_.router.wide) c.weights = o.cast(c.weights, c.logits->dtype);
    }
    if (adapted) router_adapter_.end();
    return c;
}

Tensor Experts::gate(Operations& o, const Tensor& product) const {
    if (!shape_.interleaved) {
        const Dim width(shape_.width);
        Tensor part[2];
        o.split(product, -1, {width, width}, part);
        const Tensor act = activate(o, shape_.activation, part[0]);
        return o.mul(act, part[1]);
    }
    Tensor gate = o.every_second(product), up = o.every_second(product);
    gate = o.clamp(gate, false);
    up = o.clamp(up, true);
    Tensor gated;
    {
        Tensor t = o.scale(gate);
        t = o.saturating(t, Op::sigmoid);
        gated = o.mul(gate, t);
    }
    const Tensor shifted = o.shift(up);
    return o.mul(shifted, gated);
}

Tensor Experts::product(Operations& o, const Tensor& x, const Tensor& weight, const Tensor& offsets,
                        const Tensor& bias) const {
    const Tensor in = o.cast(x, weight->dtype);
    if (!shape_.transposed) {
        const Tensor turned = o.transpose(weight, 1, 2);
        return o.grouped_mm(in, turned, offsets);
    }
    const Tensor out = o.grouped_mm(in, weight, offsets);
    return bias ? o.add_in_place(out, bias) : out;
}

Tensor Experts::compute(Operations& o, const Tensor& hidden, const Choice& choice) {
    const Dim tokens = hidden->shape[0], k = choice.weights->shape[-1], rows = tokens * k;
    const Shape list(rows);
    const Tensor weights = o.view(choice.weights, list);
    const Tensor sorted = o.make(DType::i64, list, Op::sort), order = o.make(DType::i64, list, Op::sort);
    Tensor in;
    {
        const Tensor token = o.make(DType::i64, list, Op::floor_divide);
        in = o.index(hidden, token);
    }
    const Tensor sorted_weights = o.index(weights, order);
    const Tensor counted = o.make(DType::f32, list, Op::to_copy);
    const Shape all(Dim(shape_.count));
    const Tensor histogram = o.make(DType::f32, all, Op::histogram), offsets = o.make(DType::i32, all, Op::cumsum);
    const Tensor absent = o.make(DType::boolean, list, Op::compare);
    Tensor weight;
    Tensor bias;
    if (shape_.bias) {
        bias = o.index(gate_up_bias_, sorted);
    } else {
        weight = gate_up_adapter_.present() ? gate_up_adapter_.weight(o) : gate_up_;
    }
    in = o.masked_fill_in_place(in, absent);
    Tensor t = product(o, in, weight ? weight : gate_up_, offsets, bias);
    t = gate(o, t);
    if (shape_.bias) {
        bias = o.index(down_bias_, sorted);
    } else {
        weight = down_adapter_.present() ? down_adapter_.weight(o) : down_;
    }
    t = product(o, t, weight ? weight : down_, offsets, bias);
    Tensor out;
    {
        const Tensor column = o.unsqueeze(sorted_weights, -1);
        out = o.mul(t, column);
    }
    out = o.masked_fill_in_place(out, absent);
    const Tensor inverse = o.make(DType::i64, list, Op::arange);
    { const Tensor range = o.make(DType::i64, list, Op::arange); }
    out = o.index(out, inverse);
    const Tensor apart = o.view(out, Shape(tokens, k, hidden->shape[1]));
    const Tensor sum = o.sum_middle(apart);
    return o.cast(sum, hidden->dtype);
}

Tensor Experts::operator()(Operations& o, const Tensor& hidden, Tensor& held) {
    const Tensor flat = o.view(hidden, Shape(hidden->shape.leading(), hidden->shape[-1]));
    Tensor shared;
    const bool gated = shared_gate_.present();
    if (gated) shared = shared_(o, flat);
    const Choice choice = route(o, flat);
    if (shape_.interleaved) held = choice.weights;
    down_adapter_.begin(o);
    gate_up_adapter_.begin(o);
    Tensor out = compute(o, flat, choice);
    gate_up_adapter_.end();
    down_adapter_.end();
    if (shared) {
        {
            Tensor open = shared_gate_(o, flat);
            open = o.saturating(open, Op::sigmoid);
            shared = o.mul(open, shared);
        }
        out = o.add(out, shared);
    }
    out = o.view(out, hidden->shape);
    if (gated || !shared_.present()) return out;
    shared = shared_(o, hidden);
    return o.add(out, shared);
}

}  // namespace memory_budget::budget::step
