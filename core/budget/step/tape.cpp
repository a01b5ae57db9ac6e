// SPDX-License-Identifier: MIT
#include "core/budget/step/tape.h"

#include <algorithm>

namespace memory_budget::budget::step {

Tensor Tape::make(DType dtype, const Shape& shape, Op op, Category category) {
    auto* storage = new Storage;
    if (!stopped_) {
        storage->ledger = &ledger;
        storage->kind = ledger.intern(dtype, shape, op, category);
        storage->copies = copies;
        ledger.take(storage->kind, copies);
    }
    auto* t = new TensorData;
    t->dtype = dtype;
    t->shape = shape;
    t->strides = contiguous_strides(shape);
    t->storage = Ref<Storage>(storage);
    return Tensor(t);
}

Tensor Tape::make(DType dtype, const Shape& shape, Op op, const Strides& strides) {
    Tensor t = make(dtype, shape, op);
    t->strides = strides;
    return t;
}

Tensor Tape::on(const Tensor& t, const Shape& shape, const Strides& strides) {
    auto* r = new TensorData;
    r->dtype = t->dtype;
    r->shape = shape;
    r->strides = strides;
    r->storage = t->storage;
    return Tensor(r);
}

Ref<Node> Tape::node(Rule rule, std::initializer_list<const Tensor*> inputs) {
    if (!grad || stopped_) return nullptr;
    bool any = false;
    for (const Tensor* t : inputs) any = any || (*t && (*t)->needs_grad);
    if (!any) return nullptr;
    Ref<Node> n(new Node);
    n->rule = rule;
    n->order = order_++;
    n->section = ledger.section();
    for (const Tensor* t : inputs) {
        Edge& e = n->edges[static_cast<std::size_t>(n->inputs++)];
        if (!*t || !(*t)->needs_grad) continue;
        TensorData& input = **t;
        e.dtype = input.dtype;
        e.shape = input.shape;
        if (input.node) {
            e.node = input.node;
            e.output = input.output;
        } else if (input.accumulate != nullptr) {
            e.node = Ref<Node>(input.accumulate);
        } else {
            e.node = Ref<Node>(new Node);
            e.node->rule = Rule::accumulate;
            e.node->order = ~std::uint64_t{0};
            e.node->variable = *t;
            input.accumulate = e.node.get();
        }
    }
    return n;
}

void Tape::keep(const Ref<Node>& n, int slot, const Tensor& t) {
    if (!n || stopped_ || !t) return;
    Kept& k = n->kept[static_cast<std::size_t>(slot)];
    if (frame_ == nullptr) {
        k.away = offload.send(t);
        if (!k.away) k.tensor = alias(t);
    } else if (!filling_) {
        k.holder = Ref<Holder>(new Holder);
        k.holder->index = frame_->holders.size();
        k.holder->frame = Ref<Frame>(frame_);
        frame_->holders.push_back(k.holder.get());
    } else {
        k.tensor = alias(t);
        Holder* waiting = frame_->holders[frame_->filled++];
        if (waiting != nullptr) waiting->value = k.tensor;
        // PyTorch leaves the recomputation here by an exception; here nothing is made or kept from now on.
        stopped_ = frame_->filled == frame_->holders.size();
    }
}

Tensor Tape::kept(Node& n, int slot) {
    Kept& k = n.kept[static_cast<std::size_t>(slot)];
    if (k.away) {
        k.tensor = offload.bring_back(k.away);
        k.away = nullptr;
    }
    if (!k.holder) return k.tensor;
    if (!k.holder->frame->done) replay(*k.holder->frame);
    return std::move(k.holder->value);
}

Tensor Tape::attach(Tensor out, const Ref<Node>& n, int output) {
    if (n) {
        out->node = n;
        out->output = static_cast<std::uint8_t>(output);
        out->needs_grad = true;
        out->leaf = false;
    }
    return out;
}

Tensor Tape::cast16(const Tensor& t) {
    if (!t || t->dtype != DType::f32) return t;
    if (!t->needs_grad || !t->leaf || t->view) return cast(t, half_type);
    if (!t->cached) {
        Tensor copy = cast(t, half_type);
        t->cached = copy;
        cached_.push_back(t);
    }
    return t->cached;
}

void Tape::clear_cache() {
    for (Tensor& t : cached_) {
        const Tensor copy = std::move(t->cached);
        t->cached = nullptr;
        // The copies that a repeated block's parameters had in its other copies go with this one.
        if (t->storage->copies > 1 && !ledger.repeated() && copy->refs == 1 && copy->storage->refs == 1 &&
            copy->storage->kind != Storage::uncounted)
            ledger.release(copy->storage->kind, t->storage->copies - 1);
    }
    cached_.clear();
}

void Tape::begin_autocast(bool on) {
    autocast = on;
    nesting_ = 1;
}

void Tape::end_autocast() {
    autocast = false;
    nesting_ = 0;
    clear_cache();
}

Tensor Tape::checkpoint(Replay& part, std::vector<Tensor> inputs) {
    if (!grad) return part.play(inputs);
    const Ref<Frame> f(new Frame);
    f->replay = &part;
    f->inputs = std::move(inputs);
    f->autocast = autocast;
    // What the call is given by position is kept as any tensor is; what it is given by name it holds itself.
    f->away = offload.send(f->inputs[0]);
    Frame* outer = std::exchange(frame_, f.get());
    const bool outer_filling = std::exchange(filling_, false);
    Tensor out = part.play(f->inputs);
    frame_ = outer;
    filling_ = outer_filling;
    if (f->away) {
        f->away->needs_grad = f->inputs[0]->needs_grad;
        f->inputs[0] = nullptr;
    }
    return out;
}

void Tape::replay(Frame& f) {
    Frame* outer = std::exchange(frame_, &f);
    const bool outer_filling = std::exchange(filling_, true);
    const bool outer_grad = std::exchange(grad, true);
    const bool outer_autocast = std::exchange(autocast, f.autocast);
    ++nesting_;
    if (f.away) {
        const Tensor input = offload.bring_back(f.away);
        input->needs_grad = f.away->needs_grad;
        input->leaf = false;
        f.inputs[0] = input;
        f.away = nullptr;
    }
    f.replay->play(f.inputs);
    stopped_ = false;
    --nesting_;
    frame_ = outer;
    filling_ = outer_filling;
    grad = outer_grad;
    autocast = outer_autocast;
    if (nesting_ == 0) clear_cache();
    f.done = true;
}

void Tape::accumulate(Node& leaf) {
    Tensor g = std::move(leaf.pending[0]);
    leaf.pending[0] = nullptr;
    TensorData& v = *leaf.variable;
    if (!v.grad) take_over(v, g);  // else added in place
    g = nullptr;
    if (on_gradient != nullptr) on_gradient->arrived(leaf.variable);
}

void Tape::take_over(TensorData& v, const Tensor& g) {
    bool same = true;
    for (int i = 0; i < v.rank(); ++i)
        same = same && g->strides[static_cast<std::size_t>(i)] == v.strides[static_cast<std::size_t>(i)];
    // Taken over where nobody else holds it and its layout is the parameter's.
    if (g->storage->refs == 1 && (same || (g->contiguous() && v.contiguous())))
        v.grad = alias(g);
    else
        v.grad = make(g->dtype, v.shape, Op::clone, v.strides);
    Storage& s = *v.grad->storage;
    s.kind = ledger.recategorise(s.kind, s.copies, Category::gradients);
}

void Tape::reduce(Node& n, std::array<Tensor, Node::max_inputs>& out) {
    for (int i = 0; i < n.inputs; ++i) {
        const Edge& e = n.edges[static_cast<std::size_t>(i)];
        Tensor& o = out[static_cast<std::size_t>(i)];
        if (!e.node || !o) continue;
        Tensor g = o;
        if (!(g->shape == e.shape)) {
            if (g->elements() == e.shape.elements().n)
                g = on(g, e.shape);
            else
                g = make(g->dtype, e.shape, Op::sum);
        }
        if (g->dtype != e.dtype) {
            const bool dense = g->dense();
            g = make(e.dtype, g->shape, Op::to_copy, dense ? g->strides : contiguous_strides(g->shape));
        }
        o = std::move(g);
    }
}

void Tape::backward(Tensor& root) {
    Tensor first = make(root->dtype, root->shape, Op::ones);
    const Ref<Node> start = std::move(root->node);
    root->node = nullptr;
    std::vector<Node*> stack = {start.get()};
    start->reached = true;
    while (!stack.empty()) {
        Node* n = stack.back();
        stack.pop_back();
        for (int i = 0; i < n->inputs; ++i) {
            Node* m = n->edges[static_cast<std::size_t>(i)].node.get();
            if (m == nullptr) continue;
            ++m->waiting;
            if (!m->reached) {
                m->reached = true;
                stack.push_back(m);
            }
        }
    }

    // Of the nodes that are ready the one made last goes first; leaves go at once.
    struct Ready {
        std::uint64_t order, tie;
        Ref<Node> node;
    };
    std::vector<Ready> ready;
    std::uint64_t tie = ~std::uint64_t{0};
    const auto later = [](const Ready& a, const Ready& b) {
        return a.order != b.order ? a.order < b.order : a.tie < b.tie;
    };
    start->pending[static_cast<std::size_t>(root->output)] = std::move(first);
    ready.push_back({start->order, tie--, start});
    const bool outer_grad = std::exchange(grad, false);
    while (!ready.empty()) {
        std::size_t at = 0;
        for (std::size_t i = 1; i < ready.size(); ++i)
            if (later(ready[at], ready[i])) at = i;
        const Ref<Node> n = std::move(ready[at].node);
        ready[at] = std::move(ready.back());
        ready.pop_back();
        n->reached = false;
        if (n->rule == Rule::accumulate) {
            if (n->pending[0]) accumulate(*n);
            continue;
        }
        ledger.switch_to(n->section);
        std::array<Tensor, Node::max_inputs> out;
        {
            std::array<Tensor, Node::max_results> in = std::move(n->pending);
            n->pending = {};
            bool any = false;
            for (const Tensor& t : in) any = any || t;
            if (any) {
                derive(*n, in, out);
                reduce(*n, out);
            }
        }
        for (Kept& k : n->kept) k = {};
        offload.node_done();
        for (int i = 0; i < n->inputs; ++i) {
            const Edge& e = n->edges[static_cast<std::size_t>(i)];
            if (!e.node) continue;
            Tensor g = std::move(out[static_cast<std::size_t>(i)]);
            out[static_cast<std::size_t>(i)] = nullptr;
            Tensor& waiting = e.node->pending[static_cast<std::size_t>(e.output)];
            if (g && waiting) {
                const bool in_place = waiting->storage->refs == 1 && waiting->refs == 1 && waiting->dense();
                if (!in_place) waiting = sum_pair(waiting, g);
            } else if (g) {
                waiting = std::move(g);
            }
            g = nullptr;
            if (--e.node->waiting == 0) ready.push_back({e.node->order, tie--, e.node});
        }
    }
    offload.end();
    ledger.switch_to(Section::none);
    grad = outer_grad;
}

}  // namespace memory_budget::budget::step
