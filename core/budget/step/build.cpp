// SPDX-License-Identifier: MIT
#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

Tensor Build::own(DType dtype, const Shape& shape, bool train) {
    if (sharded()) return shard(dtype, shape, train);
    Tensor t = o.make(dtype, shape, Op::parameter, train ? Category::parameters : Category::frozen);
    t->needs_grad = train;
    (train ? trainable : frozen).push_back(t);
    return t;
}

/// This rank's rows of a parameter stay; the whole of it, in 16 bits, is in memory only while its unit is gathered.
Tensor Build::shard(DType dtype, const Shape& shape, bool train) {
    const std::int64_t ranks = settings.gpus;
    const Shape rows = shape.with(0, Dim((shape[0].n() + ranks - 1) / ranks));
    const Category category = train ? Category::parameters : Category::frozen;
    (train ? trainable : frozen).push_back(o.make(dtype, rows, Op::parameter, category));
    const std::int32_t copies = std::exchange(o.copies, 1);
    Tensor whole = o.make(o.half_type, shape, Op::parameter, category);
    whole->needs_grad = train;
    whole->storage->put_away();
    o.copies = copies;
    unit->whole.push_back(whole);
    unit->shard_elements.push_back(rows.elements().n);
    return whole;
}

Tensor Build::parameter(const Shape& shape) {
    const bool widened = packed() && settings.kbit_preparation && !settings.narrowed_embeddings;
    return own(widened ? DType::f32 : weights(), shape, !adapters());
}

Tensor Build::norm_parameter(const Shape& shape) {
    const bool widened = packed() && settings.kbit_preparation;
    return own(widened ? DType::f32 : weights(), shape, !adapters());
}

Tensor Build::adapter(const Shape& shape) {
    return own(dtype_of(settings.adapter), shape, true);
}

Tensor Build::buffer(const Shape& shape, DType dtype) {
    Tensor t = o.make(dtype, shape, Op::buffer, Category::buffers);
    frozen.push_back(t);
    return t;
}

void Build::quantization(DType dtype, Dim elements, Op op) {
    const bool weight = op == Op::packed;
    frozen.push_back(o.make(dtype, elements.n() == 0 ? Shape() : Shape(elements), op,
                            weight ? Category::frozen : Category::quantization));
}

// apex 0.1, optimizers/fused_adam.py with `master_weights`, and Megatron-LM's 16-bit optimizer: 32-bit copies beside.
void Build::choose_stepped() {
    stepped = trainable;
    if (!settings.master) return;
    for (Tensor& p : stepped) {
        if (p->dtype == DType::f32) continue;
        o.copies = p->storage->copies;
        p = o.make(DType::f32, p->shape, Op::master, Category::optimizer);
    }
    o.copies = 1;
}

bool Build::targeted(std::string_view module) const {
    if (!adapters()) return false;
    if (settings.all_linear) return true;
    for (const std::string& t : settings.targets)
        if (t == module) return true;
    return false;
}

void Build::narrow_biases() {
    for (const Tensor& bias : packed_biases) {
        if (bias->dtype == o.half_type) continue;
        o.copies = bias->storage->copies;
        bias->storage = nullptr;
        const Category category = bias->needs_grad ? Category::parameters : Category::frozen;
        bias->storage = o.make(o.half_type, bias->shape, Op::parameter, category)->storage;
        bias->dtype = o.half_type;
    }
    o.copies = 1;
}

}  // namespace memory_budget::budget::step
