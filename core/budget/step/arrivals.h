// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// The optimizer in backward's own hooks: a parameter is stepped and its gradient given up as soon as it is there
/// (torchtune 0.6, training/memory.py, `register_optim_in_bwd_hooks`: one optimizer a parameter).
class StepInBackward final : public Arrival {
  public:
    explicit StepInBackward(Build& build) : build_(build) {}
    void arrived(const Tensor& parameter) override;

  private:
    Build& build_;
};

/// Gradients are added up in 32-bit buffers that are there from the start, and given up themselves (Megatron-LM 0.12,
/// distributed/param_and_grad_buffer.py: `main_grad`).
class WideGradients final : public Arrival {
  public:
    explicit WideGradients(Build& build);
    void arrived(const Tensor& parameter) override { parameter->grad = nullptr; }

  private:
    std::vector<Tensor> buffers_;
};

}  // namespace memory_budget::budget::step
