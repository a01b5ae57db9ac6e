// SPDX-License-Identifier: MIT
#include "core/budget/step/build.h"

#include "core/budget/step/rank.h"

namespace memory_budget::budget::step {

Tensor Build::own(DType dtype, const Shape& shape, bool train) {
    if (rank != nullptr) return rank->own(dtype, shape, Op::parameter, train);
    Tensor t = o.make(dtype, shape, Op::parameter, train ? Category::parameters : Category::frozen);
    t->needs_grad = train;
    (train ? trainable : frozen).push_back(t);
    return t;
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
    if (weight && rank != nullptr) {
        // Stored as 16-bit numbers, or nothing could gather it (`bnb_4bit_quant_storage`).
        rank->own(o.half_type, Shape(Dim((elements.n() * size_of(dtype) + 1) / 2)), op, false);
        return;
    }
    frozen.push_back(o.make(dtype, elements.n() == 0 ? Shape() : Shape(elements), op,
                            weight ? Category::frozen : Category::quantization));
}

// apex 0.1, optimizers/fused_adam.py with `master_weights`, and Megatron-LM's 16-bit optimizer: 32-bit copies beside.
void Build::choose_stepped() {
    if (rank != nullptr) rank->loaded();
    if (!stepped.empty()) return;
    stepped = trainable;
    // torchao 0.14, prototype/low_bit_optim/cpu_offload.py: a copy of each parameter and of its gradient on the host.
    const bool away = rank == nullptr && settings.offload != Offload::none;
    for (Tensor& p : stepped) {
        o.copies = p->storage->copies;
        if (away) {
            frozen.push_back(o.make(p->dtype, p->shape, Op::zeros, Category::host));
            p = o.make(p->dtype, p->shape, Op::to_copy, Category::host);
        } else if (settings.master && p->dtype != DType::f32) {
            p = o.make(DType::f32, p->shape, Op::master, Category::optimizer);
        }
    }
    o.copies = 1;
}

void Build::drop_gradients() {
    for (const Tensor& p : trainable) {
        if (!p->grad) continue;
        if (p->storage->copies > 1) o.ledger.release(p->grad->storage->kind, p->storage->copies - 1);
        p->grad = nullptr;
    }
}

bool Build::targeted(std::string_view module) const {
    if (!adapters() || !adapting) return false;
    if (settings.all_linear) return true;
    for (const std::string& t : settings.targets)
        if (t == module) return true;
    return false;
}

bool Build::adapted(std::string_view module) const {
    if (experts != nullptr &&
        (module == experts->part_gate || module == experts->part_up || module == experts->part_down))
        return false;
    return targeted(module);
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
