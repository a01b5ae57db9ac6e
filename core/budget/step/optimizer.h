// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// What the optimizer holds between steps.
std::vector<Tensor> optimizer_states(Build& build, Optimizer optimizer);

/// Its step: what it makes beside the states.
void optimizer_step(Build& build, Optimizer optimizer, const std::vector<Tensor>& parameters);

/// The norm of all gradients, as the trainer clips them.
void clip_gradients(Build& build);

}  // namespace memory_budget::budget::step
