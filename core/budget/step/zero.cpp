// SPDX-License-Identifier: MIT
#include "core/budget/step/zero.h"

#include <algorithm>

#include "core/budget/step/optimizer.h"

namespace memory_budget::budget::step {

namespace {

// DeepSpeed's defaults (runtime/zero/config.py), in elements.
constexpr std::int64_t prefetch_bucket = 50'000'000, persistent = 100'000, reuse_distance = 1'000'000'000,
                       elements_per_group = 1'000'000'000;

std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}

Shape flat(std::int64_t elements) {
    return Shape(Dim(elements));
}

}  // namespace

// ---------------------------------------------------------------- all stages

void Zero::loaded() {
    Operations& o = build_.o;
    master_ = o.make(DType::f32, flat(share_), Op::master, optimizer_away() ? Category::host : Category::optimizer);
    build_.stepped = {master_};
    o.on_gradient = this;
    if (!optimizer_away()) return;
    // Pinned: the 32-bit gradient, and the 16-bit weights on their way back.
    on_host_.push_back(o.make(DType::f32, flat(share_), Op::zeros, Category::host));
    on_host_.push_back(o.make(o.half_type, flat(share_), Op::zeros, Category::host));
    if (build_.settings.accumulation > 1)
        on_host_.push_back(o.make(o.half_type, flat(share_), Op::zeros, Category::host));
    staging_ = o.make(o.half_type, flat(largest_), Op::reduce_bucket, Category::workspace);
}

Tensor Zero::bucket() const {
    return build_.o.make(build_.o.half_type, flat(build_.settings.reduce_bucket), Op::reduce_bucket,
                         Category::workspace);
}

/// Parts for several ranks are joined for the collective.
void Zero::reduce_bucket() {
    const std::int64_t full = std::min(build_.settings.reduce_bucket, trained_);
    const Tensor joined = build_.o.make(build_.o.half_type, flat(full), Op::cat, Category::workspace);
}

/// A gradient is copied into the bucket and given up; one that is larger than the bucket lives until it is reduced,
/// which is when the next one comes. Which gradient fills the bucket depends on sizes: each may.
void Zero::arrived(const Tensor& parameter) {
    too_large_ = nullptr;
    if (parameter->elements() > build_.settings.reduce_bucket) too_large_ = parameter->grad;
    parameter->grad = nullptr;
    if (trained_ > build_.settings.reduce_bucket) reduce_bucket();
    // Its norm is taken in 64 bits on its way to the host.
    if (!optimizer_away()) return;
    const Tensor norm = build_.o.make(DType::f64, flat(std::min(parameter->elements(), share_)), Op::norm);
}

void Zero::step() {
    Operations& o = build_.o;
    too_large_ = nullptr;
    o.ledger.enter(Phase::clip);
    Tensor norm;
    if (!optimizer_away()) norm = o.make(DType::f64, flat(largest_), Op::norm);
    norm = nullptr;
    o.ledger.enter(Phase::optimizer);
    o.ledger.mark();
    if (optimizer_away()) return;
    // A group's gradient is joined, and cast to 32 bits.
    const bool third = build_.settings.sharding == Sharding::zero_3;
    const Shape group = flat(third ? std::min(share_, elements_per_group) : share_);
    Tensor joined = o.make(o.half_type, group, Op::cat, Category::gradients);
    const Tensor wide = o.make(DType::f32, group, Op::to_copy, Category::gradients);
    joined = nullptr;
    if (!third) gradients_ = nullptr;
    optimizer_step(build_, build_.settings.optimizer, build_.stepped);
}

// ---------------------------------------------------------------- stages 1 and 2

Tensor Zero12::own(DType dtype, const Shape& shape, Op op, bool train) {
    Tensor t = build_.o.make(dtype, shape, op, train ? Category::parameters : Category::frozen);
    t->needs_grad = train;
    (train ? build_.trainable : build_.frozen).push_back(t);
    if (train) {
        trained_ += t->elements() * build_.o.copies;
        largest_ = std::max(largest_, t->elements());
    }
    return t;
}

void Zero12::loaded() {
    constexpr std::int64_t alignment = 2;  // to four bytes
    share_ = divide_up(trained_, alignment * build_.settings.gpus) * alignment;
    largest_ = std::min(largest_, share_);
    Zero::loaded();
}

void Zero12::before_backward() {
    bucket_ = bucket();
    if (second() && !optimizer_away())
        of_this_pass_ = build_.o.make(build_.o.half_type, flat(share_), Op::reduce_scatter, Category::gradients);
}

void Zero12::arrived(const Tensor& parameter) {
    if (second()) Zero::arrived(parameter);
}

void Zero12::after_backward(bool last) {
    if (second()) {
        reduce_bucket();
    } else if (last) {
        if (!optimizer_away())
            of_this_pass_ = build_.o.make(build_.o.half_type, flat(share_), Op::reduce_scatter, Category::gradients);
        reduce_bucket();
        build_.drop_gradients();
    }
    bucket_ = nullptr;
    // Those of earlier passes are added to in place.
    if (!gradients_) gradients_ = of_this_pass_;
    of_this_pass_ = nullptr;
}

// ---------------------------------------------------------------- stage 3

/// This rank's part of a parameter stays; small parameters stay whole beside it.
Tensor Zero3::own(DType dtype, const Shape& shape, Op op, bool train) {
    Operations& o = build_.o;
    const std::int64_t all = shape.elements().n, elements = divide_up(all, build_.settings.gpus);
    const Category category = train ? Category::parameters : Category::frozen;
    const bool away = build_.settings.offload == Offload::parameters;
    build_.frozen.push_back(o.make(dtype, flat(elements), op, away ? Category::host : category));
    Unit& unit = units_[unit_];
    unit.copies = o.copies;
    if (train) {
        share_ += elements * o.copies;
        trained_ += all * o.copies;
        largest_ = std::max(largest_, elements);
    }
    const bool stays = all <= persistent;
    const std::int32_t copies = stays ? o.copies : std::exchange(o.copies, 1);
    Tensor whole = o.make(dtype, shape, op, category);
    o.copies = stays ? o.copies : copies;
    whole->needs_grad = train;
    if (stays) {
        build_.frozen.push_back(whole);
    } else {
        whole->storage->put_away();
        unit.parts.push_back({whole, elements, dtype, train});
    }
    return whole;
}

void Zero3::loaded() {
    Operations& o = build_.o;
    Zero::loaded();
    bucket_ = bucket();
    gradients_ = o.make(o.half_type, flat(share_), Op::zeros, optimizer_away() ? Category::host : Category::gradients);
}

void Zero3::fetch(std::size_t index) {
    Unit& unit = units_[index];
    if (unit.in_memory) return;
    std::vector<Tensor> staged;
    if (build_.settings.offload == Offload::parameters)
        for (const Part& p : unit.parts) staged.push_back(build_.o.make(p.dtype, flat(p.elements), Op::to_copy));
    unit.bring_back();
}

/// Parameters of the next unit, until the bucket is full, are on their way in one flat tensor.
void Zero3::prefetch(std::size_t index) {
    prefetched_ = nullptr;
    std::int64_t elements = 0;
    for (const Part& p : units_[index].parts) {
        if (elements >= prefetch_bucket) break;
        elements += p.elements * build_.settings.gpus;
    }
    if (elements > 0) prefetched_ = build_.o.make(build_.o.half_type, flat(elements), Op::all_gather);
}

void Zero3::before_forward(std::size_t index) {
    fetch(index);
    if (index > 0 && index + 1 < units_.size()) prefetch(index + 1);
}

/// The last block is used again at once: it stays.
void Zero3::after_forward(std::size_t index) {
    if (index > 0 && index + 1 < units_.size()) units_[index].put_away();
}

void Zero3::embedded() {
    units_[0].put_away();
}

/// Blocks whose parameters are needed again within the reuse distance have stayed: what is gathered for those after
/// it, forward, again and backward, and for the head both ways, is less than that.
void Zero3::before_head(bool tied) {
    prefetched_ = nullptr;
    const auto elements = [&](std::size_t i) { return units_[i].joined(build_.settings.gpus).elements().n; };
    const std::int64_t uses = build_.settings.checkpointing == Checkpointing::none ? 2 : 3;
    std::int64_t distance = units_[0].parts.empty() ? 0 : 2 * elements(0), stay = 0;
    for (std::size_t i = units_.size(); i-- > 1;) {
        for (std::int32_t copy = 0; copy < units_[i].copies && distance < reuse_distance; ++copy) {
            if (i + 1 < units_.size()) stay += elements(i);
            distance += uses * elements(i);
        }
    }
    if (stay > 0) retained_ = build_.o.make(build_.o.half_type, flat(stay), Op::all_gather);
    // Of the root the head alone, which may be the embedding.
    for (const Part& p : units_[0].parts)
        if (tied || p.whole.get() != build_.embedding) p.whole->storage->bring_back();
}

void Zero3::reached(std::size_t index, bool end) {
    if (!end) {
        units_[0].put_away();
        fetch(index);
        if (index > 1) prefetch(index - 1);
        return;
    }
    units_[index].put_away();
    if (index + 1 == units_.size()) retained_ = nullptr;
}

void Zero3::after_backward(bool) {
    prefetched_ = nullptr;
    retained_ = nullptr;
    units_[0].put_away();
    reduce_bucket();
}

// ----------------------------------------------------------------

std::unique_ptr<Rank> make_rank(Build& build, std::size_t blocks) {
    switch (build.settings.sharding) {
        case Sharding::none:
            return nullptr;
        case Sharding::zero_1:
        case Sharding::zero_2:
            return std::make_unique<Zero12>(build);
        case Sharding::zero_3:
            return std::make_unique<Zero3>(build, blocks);
        case Sharding::fsdp1:
            return std::make_unique<Fsdp1>(build, blocks);
        case Sharding::fsdp2:
            break;
    }
    return std::make_unique<Fsdp2>(build, blocks);
}

}  // namespace memory_budget::budget::step
