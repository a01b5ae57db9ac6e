// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>
#include <vector>

#include "core/budget/step/operations.h"
#include "core/budget/step/settings.h"
#include "core/model/architecture.h"

namespace memory_budget::budget::step {

constexpr DType dtype_of(Precision p) {
    return p == Precision::f32 ? DType::f32 : p == Precision::bf16 ? DType::bf16 : DType::f16;
}

class Rank;

/// Loads a model: makes its parameters and buffers in the types that the run asks for, and lists them.
class Build {
  public:
    Build(Operations& operations, const StepSettings& run) : o(operations), settings(run) {}

    Operations& o;
    const StepSettings& settings;
    std::vector<Tensor> trainable;
    std::vector<Tensor> stepped;  ///< what the optimizer holds: the trainable ones, or 32-bit copies of them
    const TensorData* embedding = nullptr;
    std::vector<Tensor> frozen;  ///< held for as long as the model is
    /// Biases of 4-bit modules: bitsandbytes turns them to the compute type at the first forward.
    std::vector<Tensor> packed_biases;

    Rank* rank = nullptr;  ///< who holds the parameters, where the run is shared

    bool adapting = true;  ///< false while modules are made that no adapter may be put on

    bool adapters() const { return settings.method != Method::full; }
    bool packed() const { return settings.method == Method::qlora; }
    DType weights() const { return dtype_of(settings.weights); }

    Tensor parameter(const Shape& shape);
    Tensor norm_parameter(const Shape& shape);
    Tensor adapter(const Shape& shape);
    Tensor buffer(const Shape& shape, DType dtype);
    void quantization(DType dtype, Dim elements, Op op);
    bool targeted(std::string_view module) const;
    /// Whether a linear module of this name gets an adapter. PEFT takes the names of an expert's parts for the fused
    /// parameters, and no longer finds modules by them.
    bool adapted(std::string_view module) const;
    const model::Experts* experts = nullptr;  ///< whose parts' names are taken so
    void narrow_biases();
    /// When all is loaded: what the optimizer steps.
    void choose_stepped();
    void drop_gradients();

  private:
    Tensor own(DType dtype, const Shape& shape, bool train);
};

}  // namespace memory_budget::budget::step
