// SPDX-License-Identifier: MIT
#include "core/budget/step/operations.h"

namespace memory_budget::budget::step {

namespace {

int rank_of(DType d) {
    constexpr int order[] = {5, 4, 4, 3, 2, 1, 1, 0};
    return order[static_cast<int>(d)];
}

constexpr Strides no_strides = {};

}  // namespace

Tensor Operations::elementwise(Op op, std::initializer_list<const Tensor*> operands) {
    Shape shape;
    const TensorData* list[3] = {};
    int count = 0;
    for (const Tensor* t : operands) {
        list[count++] = t->get();
        if ((*t)->rank() > shape.rank) shape.rank = (*t)->rank();
    }
    // Tensors without dimensions do not raise the type of those that have some.
    const TensorData* widest = (*operands.begin())->get();
    for (int k = 0; k < count; ++k) {
        const TensorData& t = *list[k];
        for (int i = 0; i < t.rank(); ++i) {
            const Dim d = t.shape[i];
            if (d.n() != 1 || d.atoms() != 0) shape[shape.rank - t.rank() + i] = d;
        }
        const bool better = (t.rank() > 0) > (widest->rank() > 0) ||
                            ((t.rank() > 0) == (widest->rank() > 0) && rank_of(t.dtype) > rank_of(widest->dtype));
        if (better) widest = &t;
    }
    return make(widest->dtype, shape, op, result_strides(shape, list, count));
}

Tensor Operations::like(const TensorData& t, DType dtype, Op op) {
    const TensorData* one[] = {&t};
    return make(dtype, t.shape, op, t.dense() ? t.strides : result_strides(t.shape, one, 1));
}

Tensor Operations::unary(const Tensor& t, Rule rule, Op op) {
    const Ref<Node> n = node(rule, {&t});
    return attach(elementwise(op, {&t}), n);
}

// ---------------------------------------------------------------- shapes

Tensor Operations::raw_reshape(const Tensor& t, const Shape& shape) {
    if (shape == t->shape) return t;
    Strides s;
    if (view_strides(*t, shape, s)) return on(t, shape, s);
    return make(t->dtype, shape, Op::clone);
}

Tensor Operations::view(const Tensor& t, const Shape& shape) {
    Strides s = no_strides;
    view_strides(*t, shape, s);
    Tensor r = on(t, shape, s);
    r->view = true;
    r->leaf = t->leaf;
    const Ref<Node> n = node(Rule::view, {&t});
    if (n) n->detail.shape = t->shape;
    return attach(std::move(r), n);
}

Tensor Operations::reshape(const Tensor& t, const Shape& shape) {
    if (shape == t->shape) return t;
    Strides s;
    if (view_strides(*t, shape, s)) return view(t, shape);
    const Tensor copy = clone(t);
    return view(copy, shape);
}

Tensor Operations::raw_transpose(const Tensor& t, int a, int b) {
    Shape shape = t->shape;
    Strides s = t->strides;
    std::swap(shape[a], shape[b]);
    std::swap(s[static_cast<std::size_t>(a)], s[static_cast<std::size_t>(b)]);
    return on(t, shape, s);
}

Tensor Operations::transpose(const Tensor& t, int a, int b) {
    Tensor r = raw_transpose(t, a, b);
    r->view = true;
    r->leaf = t->leaf;
    const Ref<Node> n = node(Rule::transpose, {&t});
    if (n) {
        n->detail.a = static_cast<std::int8_t>(a);
        n->detail.b = static_cast<std::int8_t>(b);
    }
    return attach(std::move(r), n);
}

Tensor Operations::permute(const Tensor& t, std::initializer_list<int> order) {
    Shape shape = t->shape;
    Strides s = {};
    const Ref<Node> n = node(Rule::permute, {&t});
    int i = 0;
    for (int from : order) {
        shape[i] = t->shape[from];
        s[static_cast<std::size_t>(i)] = t->strides[static_cast<std::size_t>(from)];
        if (n) n->detail.sizes[static_cast<std::size_t>(i)] = Dim(from);
        ++i;
    }
    Tensor r = on(t, shape, s);
    r->view = true;
    return attach(std::move(r), n);
}

Tensor Operations::unsqueeze(const Tensor& t, int at) {
    if (at < 0) at += t->rank() + 1;
    Shape shape = t->shape;
    shape.insert(at, Dim(1));
    Strides s = {};
    for (int i = 0, from = 0; i < shape.rank; ++i) {
        const auto j = static_cast<std::size_t>(i);
        if (i == at)
            s[j] = at < t->rank() ? t->strides[j] * t->shape[at].n() : 1;
        else
            s[j] = t->strides[static_cast<std::size_t>(from++)];
    }
    Tensor r = on(t, shape, s);
    r->view = true;
    const Ref<Node> n = node(Rule::view, {&t});
    if (n) n->detail.shape = t->shape;
    return attach(std::move(r), n);
}

Tensor Operations::expand(const Tensor& t, const Shape& shape) {
    Strides s = t->strides;
    for (int i = 0; i < shape.rank; ++i)
        if (t->shape[i].n() == 1 && shape[i].n() != 1) s[static_cast<std::size_t>(i)] = 0;
    Tensor r = on(t, shape, s);
    r->view = true;
    return attach(std::move(r), node(Rule::pass, {&t}));
}

Tensor Operations::raw_slice(const Tensor& t, int dim, Dim length) {
    return on(t, t->shape.with(dim, length), t->strides);
}

Tensor Operations::slice(const Tensor& t, int dim, Dim length) {
    if (length.n() == t->shape[dim].n()) return t;
    Tensor r = raw_slice(t, dim, length);
    r->view = true;
    const Ref<Node> n = node(Rule::slice, {&t});
    if (n) n->detail.shape = t->shape;
    return attach(std::move(r), n);
}

Tensor Operations::every_second(const Tensor& t) {
    Tensor r = raw_slice(t, -1, Dim(t->shape[-1].n() / 2, t->shape[-1].atoms()));
    r->strides[static_cast<std::size_t>(t->rank() - 1)] *= 2;
    r->view = true;
    const Ref<Node> n = node(Rule::slice, {&t});
    if (n) n->detail.shape = t->shape;
    return attach(std::move(r), n);
}

void Operations::split(const Tensor& t, int dim, std::initializer_list<Dim> sizes, Tensor* parts) {
    if (dim < 0) dim += t->rank();
    const Ref<Node> n = node(Rule::split, {&t});
    if (n) {
        n->detail.a = static_cast<std::int8_t>(dim);
        n->detail.b = static_cast<std::int8_t>(sizes.size());
        n->detail.dtype = t->dtype;
        n->detail.shape = t->shape;
        std::size_t i = 0;
        for (Dim d : sizes) n->detail.sizes[i++] = d;
    }
    int i = 0;
    for (Dim d : sizes) {
        Tensor r = raw_slice(t, dim, d);
        r->view = true;
        parts[i] = attach(std::move(r), n, i);
        ++i;
    }
}

Tensor Operations::clone(const Tensor& t, bool keep_layout) {
    const Ref<Node> n = node(Rule::pass, {&t});
    const bool keep = keep_layout && t->dense();
    return attach(make(t->dtype, t->shape, Op::clone, keep ? t->strides : contiguous_strides(t->shape)), n);
}

Tensor Operations::contiguous(const Tensor& t) {
    return t->contiguous() ? t : clone(t);
}

Tensor Operations::cat(std::initializer_list<const Tensor*> parts, int dim) {
    const TensorData& first = ***parts.begin();
    if (dim < 0) dim += first.rank();
    const Ref<Node> n = node(Rule::cat, parts);
    if (n) n->detail.a = static_cast<std::int8_t>(dim);
    Shape shape = first.shape;
    shape[dim] = Dim(0, first.shape[dim].atoms());
    DType dtype = first.dtype;
    std::size_t i = 0;
    for (const Tensor* t : parts) {
        shape[dim] = Dim(shape[dim].n() + (*t)->shape[dim].n(), first.shape[dim].atoms());
        if (rank_of((*t)->dtype) > rank_of(dtype)) dtype = (*t)->dtype;
        if (n) n->detail.sizes[i++] = (*t)->shape[dim];
    }
    // The only join along a length is gpt-oss's column for the sinks.
    if (shape[dim].n() == values.atoms[static_cast<std::size_t>(Atom::length_plus_one)] &&
        first.shape[dim].atoms() == power(Atom::length))
        shape[dim] = Dim(shape[dim].n(), power(Atom::length_plus_one));
    return attach(make(dtype, shape, Op::cat), n);
}

Tensor Operations::stack_last(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::stack, {&a, &b});
    Shape shape = a->shape;
    shape.push(Dim(2));
    return attach(make(a->dtype, shape, Op::stack), n);
}

Tensor Operations::cast(const Tensor& t, DType dtype) {
    if (!t || t->dtype == dtype) return t;
    const Ref<Node> n = node(Rule::cast, {&t});
    if (n) n->detail.dtype = t->dtype;
    return attach(like(*t, dtype, Op::to_copy), n);
}

Tensor Operations::watched(const Tensor& t, Hook& hook, std::size_t unit, bool end) {
    const Ref<Node> n = node(Rule::hook, {&t});
    if (!n) return t;
    n->detail.hook = &hook;
    n->detail.a = end ? 1 : 0;
    n->detail.sizes[0] = Dim(static_cast<std::int64_t>(unit));
    return attach(alias(t), n);
}

// ---------------------------------------------------------------- element by element

Tensor Operations::add(const Tensor& a, const Tensor& b, Op op) {
    const Ref<Node> n = node(Rule::pass, {&a, &b});
    return attach(elementwise(op, {&a, &b}), n);
}

Tensor Operations::add_in_place(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::pass, {&a, &b});
    return attach(alias(a), n);
}

Tensor Operations::sub(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::subtract, {&a, &b});
    return attach(elementwise(Op::sub, {&a, &b}), n);
}

Tensor Operations::mul(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::multiply, {&a, &b});
    if (a->needs_grad) keep(n, 0, b);
    if (b->needs_grad) keep(n, 1, a);
    return attach(elementwise(Op::mul, {&a, &b}), n);
}

Tensor Operations::mul_in_place(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::multiply, {&a, &b});
    keep(n, 0, b);
    return attach(alias(a), n);
}

Tensor Operations::neg(const Tensor& t) {
    return unary(t, Rule::negate, Op::neg);
}
Tensor Operations::scale(const Tensor& t, Op op) {
    return unary(t, Rule::scale, op);
}
Tensor Operations::shift(const Tensor& t) {
    return unary(t, Rule::pass, Op::add);
}

Tensor Operations::scale_in_place(const Tensor& t) {
    const Ref<Node> n = node(Rule::scale, {&t});
    return attach(alias(t), n);
}

Tensor Operations::pow(const Tensor& t) {
    const Ref<Node> n = node(Rule::power, {&t});
    keep(n, 0, t);
    return attach(elementwise(Op::pow, {&t}), n);
}

Tensor Operations::rsqrt(const Tensor& t) {
    const Ref<Node> n = node(Rule::rsqrt, {&t});
    Tensor r = elementwise(Op::rsqrt, {&t});
    keep(n, 0, r);
    return attach(std::move(r), n);
}

Tensor Operations::activation(const Tensor& t, Op op) {
    const Ref<Node> n = node(Rule::activation, {&t});
    keep(n, 0, t);
    return attach(elementwise(op, {&t}), n);
}

// Transformers 5.16.1, bloom_gelu_forward: x * 0.5 * (1 + tanh(a * x * (1 + b * x * x)))
Tensor Operations::bloom_gelu(const Tensor& t) {
    const Ref<Node> n = node(Rule::bloom_gelu, {&t});
    keep(n, 0, t);
    const bool outer = std::exchange(grad, false);
    const Tensor half = scale(t);
    Tensor inner;
    {
        const Tensor first = scale(t);
        inner = scale(t);
        inner = elementwise(Op::mul, {&inner, &t});
        inner = shift(inner);
        inner = elementwise(Op::mul, {&first, &inner});
    }
    inner = elementwise(Op::tanh, {&inner});
    inner = shift(inner);
    Tensor out = elementwise(Op::mul, {&half, &inner});
    grad = outer;
    return attach(std::move(out), n);
}

Tensor Operations::saturating(const Tensor& t, Op op) {
    const Ref<Node> n = node(Rule::from_result, {&t});
    if (n) n->detail.op = op == Op::tanh ? Op::tanh_backward : op == Op::sigmoid ? Op::sigmoid_backward : Op::mul;
    Tensor r = elementwise(op, {&t});
    keep(n, 0, r);
    return attach(std::move(r), n);
}

Tensor Operations::clamp(const Tensor& t, bool both_sides) {
    const Ref<Node> n = node(Rule::clamp, {&t});
    if (n) n->detail.a = both_sides ? 2 : 1;
    keep(n, 0, t);
    return attach(elementwise(Op::clamp, {&t}), n);
}

Tensor Operations::dropout(const Tensor& t, bool on) {
    if (!on) return t;
    const Ref<Node> n = node(Rule::dropout, {&t});
    Tensor r = elementwise(Op::dropout, {&t});
    const Tensor mask = make(DType::boolean, t->shape, Op::dropout);
    keep(n, 0, mask);
    return attach(std::move(r), n);
}

Tensor Operations::divide_in_place(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::divide, {&a, &b});
    if (!n) return a;
    keep(n, 0, b);
    if (b->needs_grad) {
        const Tensor before = make(a->dtype, a->shape, Op::clone);
        keep(n, 1, before);
    }
    return attach(alias(a), n);
}

Tensor Operations::masked_fill(const Tensor& t, const Tensor& mask) {
    const Ref<Node> n = node(Rule::masked_fill, {&t});
    keep(n, 0, mask);
    return attach(elementwise(Op::masked_fill, {&t}), n);
}

Tensor Operations::masked_fill_in_place(const Tensor& t, const Tensor& mask) {
    const Ref<Node> n = node(Rule::masked_fill, {&t});
    if (!n) return t;
    keep(n, 0, mask);
    return attach(alias(t), n);
}

// ---------------------------------------------------------------- over a dimension

Tensor Operations::reduced(const Tensor& t, Rule rule, Op op, const Shape& to) {
    const Ref<Node> n = node(rule, {&t});
    if (n) n->detail.shape = t->shape;
    return attach(make(t->dtype, to, op), n);
}

Tensor Operations::mean_last(const Tensor& t) {
    return reduced(t, Rule::mean, Op::mean, t->shape.with_last(Dim(1)));
}
Tensor Operations::mean_all(const Tensor& t) {
    return reduced(t, Rule::mean, Op::mean, Shape());
}
Tensor Operations::sum_all(const Tensor& t) {
    return reduced(t, Rule::sum_all, Op::sum, Shape());
}

Tensor Operations::sum_last(const Tensor& t) {
    Shape to = t->shape;
    --to.rank;
    return reduced(t, Rule::sum_last, Op::sum, to);
}

Tensor Operations::sum_last_kept(const Tensor& t) {
    return reduced(t, Rule::sum_last_kept, Op::sum, t->shape.with_last(Dim(1)));
}

Tensor Operations::sum_middle(const Tensor& t) {
    return reduced(t, Rule::sum_middle, Op::sum, Shape(t->shape[0], t->shape[2]));
}

Tensor Operations::softmax(const Tensor& t) {
    const Ref<Node> n = node(Rule::from_result, {&t});
    if (n) n->detail.op = Op::softmax_backward;
    Tensor r = elementwise(Op::softmax, {&t});
    keep(n, 0, r);
    return attach(std::move(r), n);
}

Tensor Operations::log_softmax(const Tensor& t) {
    const Ref<Node> n = node(Rule::from_result, {&t});
    if (n) n->detail.op = Op::log_softmax_backward;
    Tensor r = elementwise(Op::log_softmax, {&t});
    keep(n, 0, r);
    return attach(std::move(r), n);
}

Tensor Operations::top(const Tensor& t, Dim k, Tensor& indices, Op op) {
    const Ref<Node> n = node(Rule::pick, {&t});
    if (n) n->detail.shape = t->shape;
    Tensor found = make(t->dtype, t->shape.with_last(k), op);
    indices = make(DType::i64, t->shape.with_last(k), op);
    keep(n, 0, indices);
    return attach(std::move(found), n);
}

Tensor Operations::gather(const Tensor& t, const Tensor& columns) {
    const Ref<Node> n = node(Rule::pick, {&t});
    if (n) n->detail.shape = t->shape;
    keep(n, 0, columns);
    return attach(make(t->dtype, columns->shape, Op::index), n);
}

Tensor Operations::index(const Tensor& t, const Tensor& rows) {
    const Ref<Node> n = node(Rule::index, {&t});
    if (n) n->detail.shape = t->shape;
    keep(n, 0, rows);
    return attach(make(t->dtype, t->shape.with(0, rows->shape[0]), Op::index), n);
}

Tensor Operations::index_add_in_place(const Tensor& t, const Tensor& rows, const Tensor& added) {
    const Ref<Node> n = node(Rule::index_add, {&t, &added});
    keep(n, 0, rows);
    return attach(alias(t), n);
}

Tensor Operations::index_copy(const Tensor& t, const Tensor& at, const Tensor& copied) {
    const Ref<Node> n = node(Rule::index_add, {&t, &copied});
    keep(n, 0, at);
    keep(n, 1, copied);  // its shape alone is needed, but derivatives.yaml names the tensor
    return attach(make(t->dtype, t->shape, Op::index), n);
}

Tensor Operations::index_kept(const Tensor& t, int dim) {
    const Tensor at = make(DType::i64, Shape(Dim(1)), Op::index);
    const Ref<Node> n = node(Rule::index, {&t});
    if (n) n->detail.shape = t->shape;
    keep(n, 0, at);
    return attach(make(t->dtype, t->shape.with(dim, Dim(1)), Op::index), n);
}

Tensor Operations::layer_norm(const Tensor& input, const Tensor& weight, const Tensor& bias) {
    Tensor x = input, w = weight, b = bias;
    if (autocast) {
        x = cast(x, DType::f32);
        w = cast(w, DType::f32);
        b = cast(b, DType::f32);
    }
    x = contiguous(x);
    const Ref<Node> n = node(Rule::layer_norm, {&x, &w, &b});
    keep(n, 0, x);
    keep(n, 1, w);
    keep(n, 2, b);
    Tensor out = make(x->dtype, x->shape, Op::layer_norm);
    const Shape rows = x->shape.with_last(Dim(1));
    const Tensor mean = make(DType::f32, rows, Op::layer_norm), deviation = make(DType::f32, rows, Op::layer_norm);
    keep(n, 3, mean);
    keep(n, 4, deviation);
    return attach(std::move(out), n);
}

Tensor Operations::nll(const Tensor& x, const Tensor& target) {
    const Ref<Node> n = node(Rule::negative_log_likelihood, {&x});
    keep(n, 0, x);
    keep(n, 1, target);
    Tensor out = make(x->dtype, Shape(), Op::nll_loss);
    const Tensor total = make(x->dtype, Shape(), Op::nll_loss);
    keep(n, 2, total);
    return attach(std::move(out), n);
}

/// The parts together are tensors of all rows; what one part needs for itself is `rows` long. Compiled, a part's chain
/// is one kernel that keeps the logits.
Tensor Operations::parted_loss(const Tensor& x, const Tensor& weight, Dim rows, Modules modules, bool compiled,
                               Tensor& logits) {
    const Ref<Node> n = node(Rule::parted_loss, {&x, &weight});
    if (n) {
        n->detail.sizes[0] = rows;
        n->detail.a = compiled ? 1 : 0;
    }
    const Shape all(x->shape[0], weight->shape[0]), part(rows, weight->shape[0]);
    if (weight->needs_grad) keep(n, 1, x);
    keep(n, 2, weight);
    logits = make(x->dtype, all, Op::mm);
    // Fabric gives a module's results back in 32 bits.
    if (modules == Modules::litgpt) logits = make(DType::f32, all, Op::to_copy);
    if (compiled) {
        keep(n, 0, logits);
    } else {
        const Tensor log_probabilities = make(DType::f32, all, Op::log_softmax);
        if (logits->dtype != DType::f32) {
            const Tensor wide = make(DType::f32, part, Op::to_copy);
        }
        keep(n, 0, log_probabilities);
    }
    return attach(make(DType::f32, Shape(), Op::sum), n);
}

// Unsloth, kernels/cross_entropy_loss.py: the logits are kept, and one number a row; backward overwrites the logits.
Tensor Operations::loss_in_place(const Tensor& x, const Tensor& target) {
    const Ref<Node> n = node(Rule::loss_in_place, {&x});
    const Shape rows(x->shape[0]);
    const Tensor losses = make(DType::f32, rows, Op::nll_loss), sums = make(DType::f32, rows, Op::nll_loss);
    keep(n, 0, x);
    keep(n, 1, sums);
    keep(n, 2, target);
    return attach(make(DType::f32, Shape(), Op::sum), n);
}

Tensor Operations::embedding(const Tensor& ids, const Tensor& weight) {
    const Ref<Node> n = node(Rule::embedding, {&weight});
    if (n) n->detail.shape = weight->shape;
    keep(n, 0, ids);
    Shape shape = ids->shape;
    shape.push(weight->shape[1]);
    return attach(make(weight->dtype, shape, Op::embedding), n);
}

// ---------------------------------------------------------------- products

Tensor Operations::mm(const Tensor& x, const Tensor& w, const Tensor& bias) {
    const Ref<Node> n = node(Rule::product, {&x, &w, &bias});
    if (x->needs_grad) keep(n, 0, w);
    if (w->needs_grad) keep(n, 1, x);
    return attach(make(x->dtype, Shape(x->shape[0], w->shape[0]), bias ? Op::addmm : Op::mm), n);
}

Tensor Operations::mm_kn(const Tensor& x, const Tensor& w, const Tensor& bias) {
    const Ref<Node> n = node(Rule::product_kn, {&x, &w, &bias});
    if (x->needs_grad) keep(n, 0, w);
    if (w->needs_grad) keep(n, 1, x);
    return attach(make(x->dtype, Shape(x->shape[0], w->shape[1]), bias ? Op::addmm : Op::mm), n);
}

Tensor Operations::linear(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    // Arguments are cast from the last to the first, so that the weight's cast is the older one.
    Tensor b = bias, w = weight, in = x;
    if (autocast) {
        b = cast16(bias);
        w = cast16(weight);
        in = cast16(x);
    }
    const Tensor flat = reshape(in, Shape(x->shape.leading(), x->shape[-1]));
    in = nullptr;
    const Tensor y = mm(flat, w, b);
    return view(y, x->shape.with_last(weight->shape[0]));
}

Tensor Operations::linear_kn(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    Tensor in = view(x, Shape(x->shape.leading(), x->shape[-1])), w = weight, b = bias;
    if (autocast) {
        w = cast16(w);
        in = cast16(in);
        b = cast16(b);
    }
    const Tensor y = mm_kn(in, w, b);
    return view(y, x->shape.with_last(weight->shape[1]));
}

Tensor Operations::linear_by_transpose(const Tensor& x, const Tensor& weight, const Tensor& bias) {
    const Tensor turned = transpose(weight, 0, 1);
    Tensor w = turned, in = x;
    if (autocast) {
        w = cast16(turned);
        in = cast16(x);
    }
    const Tensor flat = reshape(in, Shape(x->shape.leading(), x->shape[-1]));
    Tensor y = mm_kn(flat, w, nullptr);
    y = view(y, x->shape.with_last(weight->shape[0]));
    return bias ? add(y, bias) : y;
}

Tensor Operations::packed_linear(const Tensor& input, const PackedWeight& weight, const Tensor& bias) {
    const Tensor x = cast(input, half_type);
    const Tensor b = cast(bias, x->dtype);
    const Ref<Node> n = node(Rule::packed_product, {&x, &b});
    if (n) {
        n->detail.shape = x->shape;
        n->detail.sizes = {weight.rows, weight.columns, weight.blocks, Dim()};
        n->detail.a = static_cast<std::int8_t>(weight.format);
        if (weight.keeps_input) keep(n, 0, x);
    }
    constexpr std::int64_t fused_rows = 1536;  // above it the kernel dequantises the matrix (bitsandbytes 0.50.2)
    Tensor matrix;
    if (x->shape.leading().n() > fused_rows || weight.format == Quantization::gptq || weight.keeps_input)
        matrix = make(half_type, Shape(weight.rows, weight.columns), Op::dequantize, Category::workspace);
    const Tensor y = attach(make(x->dtype, x->shape.with_last(weight.rows), Op::gemm_4bit), n);
    matrix = nullptr;
    return cast(y, input->dtype);
}

Tensor Operations::bmm(const Tensor& x, const Tensor& y) {
    const Ref<Node> n = node(Rule::batched, {&x, &y});
    if (x->needs_grad) keep(n, 0, y);
    if (y->needs_grad) keep(n, 1, x);
    return attach(make(x->dtype, Shape(x->shape[0], x->shape[1], y->shape[2]), Op::bmm), n);
}

Tensor Operations::baddbmm(const Tensor& bias, const Tensor& x, const Tensor& y) {
    Tensor b = y, a = x, c = bias;
    if (autocast) {
        b = cast16(y);
        a = cast16(x);
        c = cast16(bias);
    }
    const Ref<Node> n = node(Rule::batched, {&a, &b});
    if (n) n->detail.a = 1;
    if (a->needs_grad) keep(n, 0, b);
    if (b->needs_grad) keep(n, 1, a);
    return attach(make(a->dtype, Shape(a->shape[0], a->shape[1], b->shape[2]), Op::baddbmm), n);
}

Tensor Operations::matmul(const Tensor& left, const Tensor& right) {
    Tensor a = left, b = right;
    if (autocast) {
        b = cast16(right);
        a = cast16(left);
    }
    const Shape s = a->shape;
    const Dim batches = s[0] * s[1];
    const Tensor a3 = reshape(a, Shape(batches, s[2], s[3]));
    const Tensor b3 = reshape(b, Shape(batches, b->shape[2], b->shape[3]));
    const Tensor y = bmm(a3, b3);
    return view(y, s.with_last(b->shape[3]));
}

Tensor Operations::convolution(const Tensor& input, const Tensor& weight, const Tensor& bias) {
    Tensor b = bias, w = weight, x = input;
    if (autocast) {
        b = cast16(bias);
        w = cast16(weight);
        x = cast16(input);
    }
    const Ref<Node> n = node(Rule::convolution, {&x, &w, &b});
    if (n) n->detail.shape = x->shape;
    keep(n, 0, w);
    keep(n, 1, x);
    const Dim longer(values.atoms[static_cast<std::size_t>(Atom::length_convolved)], power(Atom::length_convolved));
    return attach(make(x->dtype, x->shape.with_last(longer), Op::convolution), n);
}

Tensor Operations::grouped_mm(const Tensor& x, const Tensor& w, const Tensor& offsets) {
    const Ref<Node> n = node(Rule::grouped, {&x, &w});
    if (x->needs_grad) keep(n, 0, w);
    if (w->needs_grad) keep(n, 1, x);
    keep(n, 2, offsets);
    return attach(make(x->dtype, Shape(x->shape[0], w->shape[2]), Op::grouped_mm), n);
}

// ---------------------------------------------------------------- attention kernels

Tensor Operations::flash(const Tensor& q, const Tensor& k, const Tensor& v) {
    const Ref<Node> n = node(Rule::flash, {&q, &k, &v});
    keep(n, 0, q);
    keep(n, 1, k);
    keep(n, 2, v);
    Tensor out = like(*q, q->dtype, Op::flash);
    const Shape& s = q->shape;
    const Tensor sums = make(DType::f32, Shape(s[0], s[1], s[2]), Op::flash);
    const Tensor seed = make(DType::i64, Shape(Dim(2)), Op::flash), offset = make(DType::i64, Shape(), Op::flash);
    keep(n, 3, out);
    keep(n, 4, sums);
    keep(n, 5, seed);
    keep(n, 6, offset);
    return attach(std::move(out), n);
}

Tensor Operations::efficient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& mask) {
    const Ref<Node> n = node(Rule::efficient, {&q, &k, &v});
    keep(n, 0, q);
    keep(n, 1, k);
    keep(n, 2, v);
    keep(n, 3, mask);
    const Dim b = q->shape[0], h = q->shape[1], s = q->shape[2], d = v->shape[-1];
    Tensor out =
        make(q->dtype, Shape(b, h, s, d), Op::efficient, Strides{h.n() * s.n() * d.n(), d.n(), h.n() * d.n(), 1});
    const Dim padded(values.atoms[static_cast<std::size_t>(Atom::length_to_32)], power(Atom::length_to_32));
    const Tensor sums = make(DType::f32, Shape(b, h, padded), Op::efficient);
    const Tensor seed = make(DType::i64, Shape(), Op::efficient), offset = make(DType::i64, Shape(), Op::efficient);
    keep(n, 4, out);
    keep(n, 5, sums);
    keep(n, 6, seed);
    keep(n, 7, offset);
    return attach(std::move(out), n);
}

// ---------------------------------------------------------------- Liger

Tensor Operations::liger_norm(const Tensor& x, const Tensor& weight, bool in_place) {
    const Ref<Node> n = node(Rule::liger_norm, {&x, &weight});
    if (n) n->detail.a = in_place ? 1 : 0;
    const Tensor in = x->contiguous() ? x : make(x->dtype, x->shape, Op::clone);
    Tensor out = make(in->dtype, in->shape, Op::liger_norm);
    const Tensor scales = make(DType::f32, Shape(in->shape.leading()), Op::liger_norm);
    keep(n, 0, in);
    keep(n, 1, weight);
    keep(n, 2, scales);
    return attach(std::move(out), n);
}

Tensor Operations::liger_gated(const Tensor& a, const Tensor& b) {
    const Ref<Node> n = node(Rule::liger_gated, {&a, &b});
    const Tensor gate = a->contiguous() ? a : make(a->dtype, a->shape, Op::clone);
    const Tensor up = b->contiguous() ? b : make(b->dtype, b->shape, Op::clone);
    Tensor out = make(gate->dtype, gate->shape, Op::liger_gated);
    keep(n, 0, gate);
    keep(n, 1, up);
    return attach(std::move(out), n);
}

void Operations::liger_rotary(Tensor& q, Tensor& k, const Tensor& cos, const Tensor& sin) {
    const Ref<Node> n = node(Rule::liger_rotary, {&q, &k});
    const auto turned = [&](const Tensor& t) {
        Tensor r = raw_transpose(t, 1, 2);
        if (!r->contiguous()) r = make(r->dtype, r->shape, Op::clone);
        return raw_transpose(r, 1, 2);
    };
    Tensor q_out = turned(q), k_out = turned(k);
    keep(n, 0, cos);
    keep(n, 1, sin);
    q = attach(std::move(q_out), n, 0);
    k = attach(std::move(k_out), n, 1);
}

Tensor Operations::liger_loss(const Tensor& x, const Tensor& weight, std::initializer_list<Dim> chunks) {
    // Loss and both gradients are made in forward, a chunk of rows at a time.
    const Ref<Node> n = node(Rule::liger_loss, {&x, &weight});
    const Dim tokens = x->shape[0], width = x->shape[1], vocabulary = weight->shape[0];
    const Tensor dx = make(x->dtype, x->shape, Op::zeros);
    Tensor dw;
    if (weight->needs_grad) dw = make(weight->dtype, weight->shape, Op::zeros);
    Tensor losses = make(DType::f32, Shape(tokens), Op::zeros);
    const Tensor valid = make(DType::boolean, Shape(tokens), Op::compare);
    const bool outer = std::exchange(grad, false);
    for (const Dim rows : chunks) {
        const DType type = autocast ? half_type : x->dtype;
        Tensor part, turned;
        if (autocast && x->dtype == DType::f32) part = make(type, Shape(rows, width), Op::to_copy);
        if (autocast && weight->dtype == DType::f32) turned = make(type, Shape(width, vocabulary), Op::to_copy);
        Tensor logits = make(type, Shape(rows, vocabulary), Op::mm);
        part = turned = nullptr;
        // Here the weight is cast as a leaf, and stays in autocast's cache where it is trained.
        Tensor cast_weight = autocast ? cast16(weight) : weight;
        Tensor gradient = make(type, Shape(rows, width), Op::mm);
        gradient = cast_weight = nullptr;
        // The weight's gradient is added up in place on GPUs of capability 8 and later.
        if (dw && x->dtype != type) gradient = make(type, Shape(rows, width), Op::to_copy);
    }
    grad = outer;
    Tensor loss = make(DType::f32, Shape(), Op::sum);
    losses = nullptr;
    keep(n, 0, dx);
    keep(n, 1, dw);
    return attach(std::move(loss), n);
}

}  // namespace memory_budget::budget::step
