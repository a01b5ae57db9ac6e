// SPDX-License-Identifier: MIT
#include "core/budget/step/operations.h"

namespace memory_budget::budget::step {

/// What each operation makes going backward. Kept tensors are taken out as a function of its own would: they are
/// gone, where nothing else holds them, before the results are reduced and cast.
void Operations::derive(Node& n, std::array<Tensor, Node::max_results>& in, std::array<Tensor, Node::max_inputs>& out) {
    const Detail& d = n.detail;
    const Tensor& g = in[0];
    const auto zeros = [&](Op op) { out[0] = make(g->dtype, d.shape, op); };
    switch (n.rule) {
        case Rule::pass:
            for (int i = 0; i < n.inputs; ++i)
                if (n.wants(i)) out[static_cast<std::size_t>(i)] = g;
            break;
        case Rule::view:
            out[0] = raw_reshape(g, d.shape);
            break;
        case Rule::transpose:
            out[0] = raw_transpose(g, d.a, d.b);
            break;
        case Rule::permute: {
            Shape shape = g->shape;
            Strides s = {};
            for (int i = 0; i < g->rank(); ++i) {
                const int to = static_cast<int>(d.sizes[static_cast<std::size_t>(i)].n());
                shape[to] = g->shape[i];
                s[static_cast<std::size_t>(to)] = g->strides[static_cast<std::size_t>(i)];
            }
            out[0] = on(g, shape, s);
            break;
        }
        case Rule::slice:
            zeros(Op::slice_backward);
            break;
        case Rule::split: {
            // Zeros for the parts that nobody used, all at once, then joined.
            Tensor absent[Node::max_results];
            DType dtype = d.dtype;
            for (const Tensor& t : in)
                if (t) dtype = t->dtype;
            for (int i = 0; i < d.b; ++i)
                if (!in[static_cast<std::size_t>(i)])
                    absent[i] = make(d.dtype, d.shape.with(d.a, d.sizes[static_cast<std::size_t>(i)]), Op::zeros);
            out[0] = make(dtype, d.shape, Op::cat);
            break;
        }
        case Rule::cat:
            for (int i = 0; i < n.inputs; ++i)
                if (n.wants(i))
                    out[static_cast<std::size_t>(i)] = raw_slice(g, d.a, d.sizes[static_cast<std::size_t>(i)]);
            break;
        case Rule::stack: {
            Shape shape = g->shape;
            --shape.rank;
            for (int i = 0; i < n.inputs; ++i)
                if (n.wants(i)) out[static_cast<std::size_t>(i)] = on(g, shape, g->strides);
            break;
        }
        case Rule::cast:
            out[0] = g->dtype == d.dtype ? g : like(*g, d.dtype, Op::to_copy);
            break;
        case Rule::negate:
            out[0] = elementwise(Op::neg, {&g});
            break;
        case Rule::subtract:
            if (n.wants(0)) out[0] = g;
            if (n.wants(1)) out[1] = elementwise(Op::neg, {&g});
            break;
        case Rule::multiply: {
            const Tensor b = kept(n, 0), a = kept(n, 1);
            if (n.wants(0)) out[0] = elementwise(Op::mul, {&g, &b});
            if (n.wants(1)) out[1] = elementwise(Op::mul, {&g, &a});
            break;
        }
        case Rule::scale:
            out[0] = elementwise(Op::mul, {&g});
            break;
        case Rule::power: {
            const Tensor x = kept(n, 0);
            const Tensor lower = elementwise(Op::pow, {&x});
            const Tensor slope = elementwise(Op::mul, {&lower});
            out[0] = elementwise(Op::mul, {&g, &slope});
            break;
        }
        case Rule::mean:
            zeros(Op::div);
            break;
        case Rule::rsqrt: {
            const Tensor r = kept(n, 0);
            const Tensor cube = elementwise(Op::pow, {&r});
            const Tensor half = elementwise(Op::mul, {&g});
            out[0] = elementwise(Op::mul, {&half, &cube});
            break;
        }
        case Rule::activation: {
            const Tensor x = kept(n, 0);
            out[0] = elementwise(Op::activation_backward, {&g, &x});
            break;
        }
        case Rule::bloom_gelu: {
            // bloom_gelu_back: the tanh again, then 0.5 x ((1 - t t) (a + b x x)) + 0.5 (1 + t), times the gradient
            const Tensor x = kept(n, 0);
            const auto times = [&](const Tensor& a, const Tensor& b) { return elementwise(Op::mul, {&a, &b}); };
            Tensor t;
            {
                const Tensor first = scale(x);
                t = scale(x);
                t = times(t, x);
                t = shift(t);
                t = times(first, t);
            }
            t = elementwise(Op::tanh, {&t});
            Tensor slope;
            {
                const Tensor half = scale(x);
                Tensor left = times(t, t);
                left = elementwise(Op::sub, {&left});
                Tensor right = scale(x);
                right = times(right, x);
                right = shift(right);
                left = times(left, right);
                right = nullptr;
                slope = times(half, left);
            }
            {
                Tensor last = shift(t);
                last = scale(last);
                slope = elementwise(Op::add, {&slope, &last});
            }
            out[0] = times(slope, g);
            break;
        }
        case Rule::from_result: {
            const Tensor r = kept(n, 0);
            out[0] = elementwise(d.op, {&g, &r});
            break;
        }
        case Rule::sum_last:
        case Rule::sum_all:
            out[0] = on(g, d.shape, Strides{});
            break;
        case Rule::sum_last_kept: {
            Strides s = g->strides;
            s[static_cast<std::size_t>(g->rank() - 1)] = 0;
            out[0] = on(g, d.shape, s);
            break;
        }
        case Rule::sum_middle:
            out[0] = on(g, d.shape, Strides{g->strides[0], 0, g->strides[1]});
            break;
        case Rule::dropout: {
            const Tensor mask = kept(n, 0);
            out[0] = elementwise(Op::dropout_backward, {&g});
            break;
        }
        case Rule::product: {
            const Tensor w = kept(n, 0), x = kept(n, 1);
            if (n.wants(0)) out[0] = make(g->dtype, Shape(g->shape[0], w->shape[1]), Op::mm);
            if (n.wants(1)) out[1] = make(g->dtype, Shape(g->shape[1], x->shape[1]), Op::mm);
            if (n.wants(2)) out[2] = g;
            break;
        }
        case Rule::product_kn: {
            if (n.wants(2)) out[2] = g;
            const Tensor w = kept(n, 0), x = kept(n, 1);
            if (n.wants(0)) out[0] = make(g->dtype, Shape(g->shape[0], w->shape[0]), Op::mm);
            if (n.wants(1)) {
                // Written so that the gradient has the second operand's layout.
                if (!w || w->contiguous())
                    out[1] = make(g->dtype, Shape(x->shape[1], g->shape[1]), Op::mm);
                else
                    out[1] = raw_transpose(make(g->dtype, Shape(g->shape[1], x->shape[1]), Op::mm), 0, 1);
            }
            break;
        }
        case Rule::batched: {
            const Tensor y = kept(n, 0), x = kept(n, 1);
            if (n.wants(0)) out[0] = make(g->dtype, Shape(g->shape[0], g->shape[1], y->shape[1]), Op::bmm);
            if (d.a != 0 && n.wants(0)) out[0] = elementwise(Op::mul, {&out[0]});
            if (n.wants(1)) out[1] = make(g->dtype, Shape(x->shape[0], x->shape[2], g->shape[2]), Op::bmm);
            if (d.a != 0 && n.wants(1)) out[1] = elementwise(Op::mul, {&out[1]});
            break;
        }
        case Rule::grouped: {
            const Tensor w = kept(n, 0), x = kept(n, 1), offsets = kept(n, 2);
            if (n.wants(0)) out[0] = make(g->dtype, Shape(g->shape[0], w->shape[1]), Op::grouped_mm);
            if (n.wants(1)) {
                const Shape& full = n.edges[1].shape;
                if (!w || w->contiguous())
                    out[1] = make(g->dtype, Shape(full[0], x->shape[1], g->shape[1]), Op::grouped_mm);
                else
                    out[1] =
                        raw_transpose(make(g->dtype, Shape(full[0], g->shape[1], x->shape[1]), Op::grouped_mm), 1, 2);
            }
            break;
        }
        case Rule::convolution: {
            const Tensor w = kept(n, 0), x = kept(n, 1);
            if (n.wants(0)) out[0] = make(g->dtype, d.shape, Op::convolution_backward);
            if (n.wants(1)) out[1] = make(g->dtype, w->shape, Op::convolution_backward);
            if (n.wants(2)) out[2] = make(g->dtype, Shape(w->shape[0]), Op::convolution_backward);
            break;
        }
        case Rule::packed_product: {
            if (n.wants(0)) {
                const Dim rows = d.sizes[0], columns = d.sizes[1];
                Tensor scales;
                if (static_cast<Quantization>(d.a) == Quantization::nf4_double)
                    scales = make(DType::f32, Shape(d.sizes[2]), Op::dequantize);
                Tensor w = make(half_type, Shape(rows, columns), Op::dequantize);
                scales = nullptr;
                if (w->dtype != g->dtype) w = make(g->dtype, Shape(rows, columns), Op::to_copy);
                const Tensor flat = raw_reshape(g, Shape(d.shape.leading(), rows));
                out[0] = on(make(g->dtype, Shape(flat->shape[0], columns), Op::mm), d.shape);
            }
            if (n.wants(1)) out[1] = g;
            break;
        }
        case Rule::pick: {
            const Tensor indices = kept(n, 0);
            zeros(Op::zeros);
            break;
        }
        case Rule::divide: {
            const Tensor b = kept(n, 0), a = kept(n, 1);
            if (n.wants(0)) out[0] = elementwise(Op::div, {&g, &b});
            if (n.wants(1)) {
                const Tensor negative = elementwise(Op::neg, {&g});
                Tensor quotient = elementwise(Op::div, {&a, &b});
                quotient = elementwise(Op::div, {&quotient, &b});
                out[1] = elementwise(Op::mul, {&negative, &quotient});
            }
            break;
        }
        case Rule::masked_fill: {
            const Tensor mask = kept(n, 0);
            out[0] = make(g->dtype, g->shape, Op::masked_fill);
            break;
        }
        case Rule::clamp: {
            const Tensor x = kept(n, 0);
            const Tensor below = make(DType::boolean, x->shape, Op::compare);
            const Tensor above = d.a == 2 ? make(DType::boolean, x->shape, Op::compare) : Tensor();
            out[0] = elementwise(Op::where, {&g, &x});
            break;
        }
        case Rule::index: {
            const Tensor rows = kept(n, 0);
            zeros(Op::index_backward);
            break;
        }
        case Rule::index_add: {
            const Tensor rows = kept(n, 0);
            if (n.wants(0)) out[0] = g;
            if (n.wants(1)) out[1] = make(g->dtype, n.edges[1].shape, Op::index);
            break;
        }
        case Rule::embedding: {
            const Tensor ids = kept(n, 0);
            zeros(Op::embedding_backward);
            break;
        }
        case Rule::layer_norm: {
            const Tensor x = kept(n, 0), w = kept(n, 1), b = kept(n, 2), mean = kept(n, 3), deviation = kept(n, 4);
            if (n.wants(0)) out[0] = make(x->dtype, x->shape, Op::layer_norm_backward);
            if (n.wants(1)) out[1] = make(w->dtype, w->shape, Op::layer_norm_backward);
            if (n.wants(2)) out[2] = make(b->dtype, b->shape, Op::layer_norm_backward);
            break;
        }
        case Rule::negative_log_likelihood: {
            const Tensor x = kept(n, 0), target = kept(n, 1), total = kept(n, 2);
            out[0] = make(x->dtype, x->shape, Op::nll_loss_backward);
            break;
        }
        case Rule::loss_in_place: {
            const Tensor x = kept(n, 0), sums = kept(n, 1), target = kept(n, 2);
            out[0] = alias(x);
            break;
        }
        case Rule::parted_loss: {
            const Tensor input = kept(n, 1), weight = kept(n, 2);
            const Dim rows = d.sizes[0], vocabulary = weight->shape[0], width = weight->shape[1];
            const Dim all = n.edges[0].shape[0];
            {
                // Every part's loss goes back before the first product does.
                const Tensor chain = kept(n, 0);
                const DType type = d.a != 0 ? n.edges[0].dtype : DType::f32;
                Tensor first;
                if (d.a == 0) first = make(type, Shape(rows, vocabulary), Op::nll_loss_backward);
                const Tensor second = make(type, Shape(rows, vocabulary), Op::log_softmax_backward);
            }
            n.kept[0] = {};
            const Tensor gradient = make(n.edges[0].dtype, Shape(all, vocabulary), Op::to_copy);
            if (n.wants(1)) {
                out[1] = make(weight->dtype, weight->shape, Op::mm);
                const Tensor further = make(weight->dtype, weight->shape, Op::mm);
            }
            const Tensor parts = make(n.edges[0].dtype, Shape(all, width), Op::mm);
            out[0] = make(n.edges[0].dtype, Shape(all, width), Op::cat);
            break;
        }
        case Rule::flash: {
            Tensor held[7];
            for (int i = 0; i < 7; ++i) held[i] = kept(n, i);
            const TensorData &q = *held[0], &k = *held[1], &v = *held[2];
            const Dim b = q.shape[0], h = q.shape[1], s = q.shape[2], size = q.shape[3];
            // The kernel's own: a 32-bit sum of the query's gradient, padded, one number a row, and the gradients of
            // repeated keys and values (flash-attention 2 in ATen's flash_api.cpp).
            const Dim rows(values.atoms[static_cast<std::size_t>(Atom::length_to_128)], power(Atom::length_to_128));
            const Dim width = size.n() <= 192 ? Dim((size.n() + 31) / 32 * 32) : Dim(256);
            const Tensor dq = like(q, q.dtype, Op::flash_backward), dk = like(k, k.dtype, Op::flash_backward),
                         dv = like(v, v.dtype, Op::flash_backward);
            const Tensor sum = make(DType::f32, Shape(b, rows, h, width), Op::flash_backward, Category::workspace),
                         row = make(DType::f32, Shape(b, h, rows), Op::flash_backward, Category::workspace);
            Tensor repeated[2];
            if (k.shape[1].n() != h.n())
                for (Tensor& t : repeated)
                    t = make(k.dtype, Shape(b, s, h, size), Op::flash_backward, Category::workspace);
            if (n.wants(0)) out[0] = dq;
            if (n.wants(1)) out[1] = dk;
            if (n.wants(2)) out[2] = dv;
            break;
        }
        case Rule::efficient: {
            Tensor held[8];
            for (int i = 0; i < 8; ++i) held[i] = kept(n, i);
            for (int i = 0; i < 3; ++i) {
                const TensorData& t = *held[i];
                const std::int64_t h = t.shape[1].n(), s = t.shape[2].n(), size = t.shape[3].n();
                out[static_cast<std::size_t>(i)] =
                    make(t.dtype, t.shape, Op::efficient_backward, Strides{h * s * size, size, h * size, 1});
            }
            break;
        }
        case Rule::liger_norm: {
            Tensor gradient = g->contiguous() ? g : make(g->dtype, g->shape, Op::clone);
            const Tensor x = kept(n, 0), w = kept(n, 1), scales = kept(n, 2);
            Tensor partial;
            if (n.wants(1)) partial = make(DType::f32, Shape(Dim(1), w->shape[0]), Op::liger_norm);
            out[0] = d.a != 0 ? alias(gradient) : make(g->dtype, g->shape, Op::zeros);
            if (n.wants(1)) {
                Tensor total = make(DType::f32, w->shape, Op::sum);
                partial = nullptr;
                out[1] = w->dtype == DType::f32 ? total : make(w->dtype, w->shape, Op::to_copy);
            }
            break;
        }
        case Rule::liger_gated: {
            const Tensor a = kept(n, 0), b = kept(n, 1);
            out[0] = on(a, a->shape);
            out[1] = on(b, b->shape);
            break;
        }
        case Rule::liger_rotary: {
            const Tensor cos = kept(n, 0), sin = kept(n, 1);
            for (std::size_t i = 0; i < 2; ++i) {
                Tensor t = raw_transpose(in[i], 1, 2);
                if (!t->contiguous()) t = make(t->dtype, t->shape, Op::clone);
                out[i] = raw_transpose(t, 1, 2);
            }
            break;
        }
        case Rule::liger_loss: {
            const Tensor dx = kept(n, 0), dw = kept(n, 1);
            out[0] = alias(dx);
            if (dw) out[1] = alias(dw);
            break;
        }
        case Rule::hook:
            out[0] = std::move(in[0]);
            if (d.a != 0) d.hook->passed(static_cast<std::size_t>(d.sizes[0].n()), out[0]);
            d.hook->reached(static_cast<std::size_t>(d.sizes[0].n()), d.a != 0);
            break;
        case Rule::accumulate:
        case Rule::count:
            break;
    }
}

}  // namespace memory_budget::budget::step
