// SPDX-License-Identifier: MIT
#include "core/budget/step/activation_offload.h"

#include "core/budget/step/tape.h"

namespace memory_budget::budget::step {

namespace {

constexpr std::int64_t smallest = 1024;  // bytes

}  // namespace

Tensor ActivationOffload::send(const Tensor& t) {
    ++sent_;
    Storage& storage = *t->storage;
    if (!on || storage.kind == Storage::uncounted || t->elements() * size_of(t->dtype) < smallest) return nullptr;
    const Kind& kind = tape_.ledger.kinds()[storage.kind];
    if (kind.category == Category::parameters || kind.category == Category::frozen) return nullptr;
    // A second keeper of the same tensor keeps it on the device; parts of one are told apart by where they begin.
    const bool whole = kind.shape.elements().n == t->elements();
    if (whole && std::exchange(storage.sent, true)) return nullptr;
    std::size_t arrived = 0;
    while (arrived < leaving_.size() && leaving_[arrived].first <= sent_ - on_the_way) ++arrived;
    leaving_.erase(leaving_.begin(), leaving_.begin() + static_cast<std::ptrdiff_t>(arrived));
    Tensor away = tape_.make(t->dtype, t->shape, Op::to_copy, Category::host);
    away->strides = t->strides;
    leaving_.emplace_back(sent_, Tape::alias(t));
    return away;
}

Tensor ActivationOffload::bring_back(const Tensor& away) {
    Tensor t = tape_.make(away->dtype, away->shape, Op::to_copy, away->strides);
    now_.push_back(t);
    return t;
}

void ActivationOffload::node_done() {
    if (now_.empty()) return;
    leaving_.clear();
    before_ = std::move(now_);
    now_.clear();
}

void ActivationOffload::end() {
    leaving_.clear();
    before_.clear();
    now_.clear();
}

}  // namespace memory_budget::budget::step
