// SPDX-License-Identifier: MIT
#include "core/budget/step/sharding.h"

namespace memory_budget::budget::step {

namespace {

std::int64_t shard_of(const Unit& unit) {
    std::int64_t n = 0;
    for (std::int64_t e : unit.shard_elements) n += e;
    return n;
}

void put_away(Unit& unit) {
    for (const Tensor& t : unit.whole) t->storage->put_away();
    unit.whole_in_memory = false;
}

}  // namespace

/// The shards are cast to 16 bits where they are wider, and gathered into one flat tensor.
void Sharding2::gather(Unit& unit) {
    if (unit.whole_in_memory || unit.gathered) return;
    Operations& o = build_.o;
    std::vector<Tensor> casts;
    for (std::size_t i = 0; i < unit.whole.size() && build_.weights() == DType::f32; ++i)
        casts.push_back(o.make(o.half_type, Shape(Dim(unit.shard_elements[i])), Op::to_copy));
    unit.gathered = o.make(o.half_type, Shape(Dim(shard_of(unit) * build_.settings.gpus)), Op::all_gather);
}

void Sharding2::copy_out(Unit& unit) {
    for (const Tensor& t : unit.whole) t->storage->bring_back();
    unit.whole_in_memory = true;
}

void Sharding2::before_forward(std::size_t index) {
    Unit& unit = units[index];
    if (unit.whole_in_memory) return;
    gather(unit);
    // The last unit's flat tensor lives until this one is there.
    last_gathered_ = nullptr;
    copy_out(unit);
    last_gathered_ = std::move(unit.gathered);
    unit.gathered = nullptr;
}

void Sharding2::after_forward(std::size_t index) {
    if (index == 0) {
        last_gathered_ = nullptr;
    } else if (build_.settings.reshard_after_forward) {
        put_away(units[index]);
    }
}

/// The last block is gathered while the root's own backward runs.
void Sharding2::before_backward() {
    if (units.size() > 1) gather(units.back());
}

void Sharding2::reached(std::size_t index, bool end) {
    Unit& unit = units[index];
    if (end) {
        reduce(unit);
        return;
    }
    if (!unit.whole_in_memory) {
        gather(unit);
        copy_out(unit);
    }
    unit.gathered = nullptr;
    if (index > 1) gather(units[index - 1]);
}

/// The gradients are joined in one flat tensor, of which this rank gets its part, in the type of the shards.
void Sharding2::reduce(Unit& unit) {
    Operations& o = build_.o;
    Tensor last;
    std::vector<Tensor> gradients;
    for (const Tensor& t : unit.whole) {
        if (!t->grad) continue;
        last = t->grad;
        gradients.push_back(std::move(t->grad));
        t->grad = nullptr;
    }
    put_away(unit);
    last_reduced_ = nullptr;
    const std::int64_t shard = shard_of(unit);
    const Tensor input = o.make(o.half_type, Shape(Dim(shard * build_.settings.gpus)), Op::reduce_scatter);
    gradients.clear();
    Tensor output = o.make(o.half_type, Shape(Dim(shard)), Op::reduce_scatter);
    if (build_.weights() == DType::f32) output = o.make(build_.weights(), Shape(Dim(shard)), Op::to_copy);
    if (!unit.gradient) {
        unit.gradient = output;
        Storage& s = *output->storage;
        s.kind = o.ledger.recategorise(s.kind, s.copies, Category::gradients);
    }
    last_reduced_ = input;
}

void Sharding2::after_backward() {
    reduce(units[0]);
    last_reduced_ = nullptr;
}

void Sharding2::free_gradients() {
    for (Unit& unit : units) {
        if (unit.gradient && unit.copies > 1) build_.o.ledger.release(unit.gradient->storage->kind, unit.copies - 1);
        unit.gradient = nullptr;
    }
}

}  // namespace memory_budget::budget::step
