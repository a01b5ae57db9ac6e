// SPDX-License-Identifier: MIT
#include "core/budget/step/fsdp.h"

#include "core/budget/step/optimizer.h"

namespace memory_budget::budget::step {

namespace {

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

}  // namespace

Shape Unit::joined(std::int64_t ranks, bool trained_only) const {
    if (parts.empty()) return Shape(Dim(0));
    std::int64_t bytes = 0;
    for (const Part& p : parts)
        if (p.train || !trained_only) bytes += p.elements * size_of(p.whole->dtype);
    return Shape(Dim(bytes * ranks / size_of(dtype())));
}

bool Unit::trained() const {
    for (const Part& p : parts)
        if (p.train) return true;
    return false;
}

void Unit::put_away() {
    for (const Part& p : parts) p.whole->storage->put_away();
    in_memory = false;
}

void Unit::bring_back() {
    for (const Part& p : parts) p.whole->storage->bring_back();
    in_memory = true;
}

// ---------------------------------------------------------------- both

/// This rank's share of a parameter stays; the whole of it is in memory only while its unit is gathered. Under mixed
/// precision, which goes with autocast, that is in 16 bits.
Tensor Fsdp::keep(DType dtype, const Shape& shape, const Shape& share, Op op, bool train) {
    Operations& o = build_.o;
    const Category category = train ? Category::parameters : Category::frozen;
    const bool away = build_.settings.offload == Offload::parameters;
    (train ? build_.trainable : build_.frozen).push_back(o.make(dtype, share, op, away ? Category::host : category));
    Unit& unit = units_[unit_];
    unit.copies = o.copies;
    const bool narrowed = build_.settings.autocast && dtype == DType::f32;
    const std::int32_t copies = std::exchange(o.copies, 1);
    Tensor whole = o.make(narrowed ? o.half_type : dtype, shape, op, category);
    whole->needs_grad = train;
    whole->storage->put_away();
    o.copies = copies;
    unit.parts.push_back({whole, share.elements().n, dtype, train});
    return whole;
}

std::vector<Tensor> Fsdp::sent(const Unit& unit) const {
    Operations& o = build_.o;
    std::vector<Tensor> all;
    for (const Part& p : unit.parts) {
        const Shape share((Dim(p.elements)));
        if (build_.settings.offload == Offload::parameters) all.push_back(o.make(p.dtype, share, Op::to_copy));
        if (p.dtype != p.whole->dtype) all.push_back(o.make(p.whole->dtype, share, Op::to_copy));
    }
    return all;
}

std::vector<Tensor> Fsdp::take_gradients(Unit& unit, Tensor& last) {
    std::vector<Tensor> gradients;
    for (Part& p : unit.parts) {
        if (!p.whole->grad) continue;
        last = p.whole->grad;
        gradients.push_back(std::move(p.whole->grad));
        p.whole->grad = nullptr;
    }
    return gradients;
}

void Fsdp::keep_gradient(Unit& unit, Tensor gradient) {
    Operations& o = build_.o;
    const DType dtype = build_.trainable.front()->dtype;
    if (gradient->dtype != dtype) gradient = o.make(dtype, gradient->shape, Op::to_copy);
    if (unit.gradient) return;
    if (build_.settings.offload == Offload::parameters) {
        unit.gradient = o.make(gradient->dtype, gradient->shape, Op::to_copy, Category::host);
        return;
    }
    Storage& s = *gradient->storage;
    s.kind = o.ledger.recategorise(s.kind, s.copies, Category::gradients);
    unit.gradient = std::move(gradient);
}

void Fsdp::step() {
    Operations& o = build_.o;
    o.ledger.enter(Phase::optimizer);
    o.ledger.mark();
    optimizer_step(build_, build_.settings.optimizer, build_.stepped);
    for (Unit& unit : units_) {
        if (unit.gradient && unit.copies > 1) o.ledger.release(unit.gradient->storage->kind, unit.copies - 1);
        unit.gradient = nullptr;
    }
}

// ---------------------------------------------------------------- FSDP2

/// By rows.
Tensor Fsdp2::own(DType dtype, const Shape& shape, Op op, bool train) {
    return keep(dtype, shape, shape.with(0, Dim(divide_up(shape[0].n(), build_.settings.gpus))), op, train);
}

/// The shards are cast to 16 bits where they are wider, and gathered into one flat tensor.
void Fsdp2::gather(Unit& unit) {
    if (unit.in_memory || unit.gathered) return;
    const std::vector<Tensor> casts = sent(unit);
    unit.gathered = build_.o.make(unit.dtype(), unit.joined(build_.settings.gpus), Op::all_gather);
}

void Fsdp2::before_forward(std::size_t index) {
    Unit& unit = units_[index];
    if (unit.in_memory) return;
    gather(unit);
    // The last unit's flat tensor lives until this one is there.
    last_gathered_ = nullptr;
    unit.bring_back();
    last_gathered_ = std::move(unit.gathered);
    unit.gathered = nullptr;
}

void Fsdp2::after_forward(std::size_t index) {
    if (index == 0) {
        last_gathered_ = nullptr;
    } else if (build_.settings.reshard_after_forward) {
        units_[index].put_away();
    }
}

/// The last block is gathered while the root's own backward runs.
void Fsdp2::before_backward() {
    if (units_.size() > 1) gather(units_.back());
}

void Fsdp2::reached(std::size_t index, bool end) {
    Unit& unit = units_[index];
    if (end) {
        reduce(unit);
        return;
    }
    if (!unit.in_memory) {
        gather(unit);
        unit.bring_back();
    }
    unit.gathered = nullptr;
    if (index > 1) gather(units_[index - 1]);
}

/// The gradients are joined in one flat tensor, of which this rank gets its part, in the type of the shards.
/// Before the last pass of an accumulation they stay whole instead: Accelerate's `no_sync`.
void Fsdp2::reduce(Unit& unit) {
    if (!last_pass) {
        unit.put_away();
        return;
    }
    Operations& o = build_.o;
    Tensor last;
    std::vector<Tensor> gradients = take_gradients(unit, last);
    unit.put_away();
    last_reduced_ = nullptr;
    if (!unit.trained()) return;
    const Tensor input = o.make(unit.dtype(), unit.joined(build_.settings.gpus, true), Op::reduce_scatter);
    gradients.clear();
    keep_gradient(unit, o.make(unit.dtype(), unit.joined(1, true), Op::reduce_scatter));
    last_reduced_ = input;
}

void Fsdp2::after_backward(bool) {
    reduce(units_[0]);
    last_reduced_ = nullptr;
}

// ---------------------------------------------------------------- FSDP1

/// By elements.
Tensor Fsdp1::own(DType dtype, const Shape& shape, Op op, bool train) {
    return keep(dtype, shape, Shape(Dim(divide_up(shape.elements().n, build_.settings.gpus))), op, train);
}

void Fsdp1::gather(Unit& unit) {
    if (unit.in_memory) return;
    const std::vector<Tensor> casts = sent(unit);
    unit.bring_back();
}

/// A block of frozen weights waits for its input's gradient with a hook on the input, which lives to the end of
/// backward (_register_post_backward_reshard_only_hook). Under reentrant checkpointing that input is a leaf, and so
/// its gradient lives with it.
void Fsdp1::hold(std::size_t index, const Tensor& t) {
    if (!build_.settings.reentrant || !build_.adapters() || build_.settings.checkpointing == Checkpointing::none)
        return;
    if (held_.size() <= index) held_.resize(index + 1);
    held_[index].push_back(Tape::alias(t));
}

/// The root stays, since backward begins with it.
void Fsdp1::after_forward(std::size_t index) {
    if (index > 0 && build_.settings.reshard_after_forward) units_[index].put_away();
}

void Fsdp1::reached(std::size_t index, bool end) {
    if (end) {
        reduce(units_[index]);
        return;
    }
    gather(units_[index]);
    if (index > 1) gather(units_[index - 1]);
}

/// Backward of the views joins their gradients to the flat one; the unit goes after that, and this rank's part comes.
void Fsdp1::reduce(Unit& unit) {
    Operations& o = build_.o;
    if (!last_pass || !unit.trained()) {
        unit.put_away();
        return;
    }
    Tensor last;
    std::vector<Tensor> gradients = take_gradients(unit, last);
    Tensor flat = o.make(unit.dtype(), unit.joined(build_.settings.gpus, true), Op::cat);
    gradients.clear();
    last = nullptr;
    unit.put_away();
    Tensor part = o.make(unit.dtype(), unit.joined(1, true), Op::reduce_scatter);
    flat = nullptr;
    keep_gradient(unit, std::move(part));
}

void Fsdp1::after_backward(bool) {
    reduce(units_[0]);
}

}  // namespace memory_budget::budget::step
