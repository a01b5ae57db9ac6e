// SPDX-License-Identifier: MIT
#include "core/budget/step/arrivals.h"

#include "core/budget/step/optimizer.h"

namespace memory_budget::budget::step {

void StepInBackward::arrived(const Tensor& parameter) {
    for (std::size_t i = 0; i < build_.trainable.size(); ++i)
        if (build_.trainable[i].get() == parameter.get())
            optimizer_step(build_, build_.settings.optimizer, {build_.stepped[i]});
    parameter->grad = nullptr;
}

WideGradients::WideGradients(Build& build) {
    for (const Tensor& p : build.trainable) {
        build.o.copies = p->storage->copies;
        buffers_.push_back(build.o.make(DType::f32, p->shape, Op::zeros, Category::gradients));
    }
    build.o.copies = 1;
}

}  // namespace memory_budget::budget::step
