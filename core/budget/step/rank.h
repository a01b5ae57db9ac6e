// SPDX-License-Identifier: MIT
#pragma once

#include <memory>

#include "core/budget/step/build.h"

namespace memory_budget::budget::step {

/// How a run is shared between GPUs, seen on one of them. Unit 0 is all that is no block, unit `i + 1` the i-th block.
class Rank : public Hook {
  public:
    explicit Rank(Build& build) : build_(build) {}
    Rank(const Rank&) = delete;
    Rank& operator=(const Rank&) = delete;
    virtual ~Rank() = default;

    /// A parameter as modules see it; in memory while what it belongs to is. `shape` is at least one-dimensional.
    virtual Tensor own(DType dtype, const Shape& shape, Op op, bool train) = 0;
    void begin(std::size_t unit) { unit_ = unit; }
    virtual void loaded() {}  ///< all parameters are there

    virtual bool by_blocks() const { return true; }  ///< whether blocks tell where forward and backward are
    virtual void before_forward(std::size_t) {}
    virtual void after_forward(std::size_t) {}
    virtual void embedded() {}         ///< the embedding has been read
    virtual void before_head(bool) {}  ///< the head is next; whether its weight is the embedding's
    virtual void before_backward() {}
    /// `last`: of the passes whose gradients are added up.
    virtual void after_backward(bool last) = 0;
    void reached(std::size_t, bool) override {}
    virtual void replayed(std::size_t, const Tensor&) {}  ///< a checkpointed block, with its input
    virtual void let_go(std::size_t) {}                   ///< of what was held for the unit to the end of backward
    /// Clipping and the optimizer's step, each in its phase; then gradients are gone.
    virtual void step() = 0;

    bool last_pass = true;

  protected:
    Build& build_;
    std::size_t unit_ = 0;
};

/// Null where the run is not shared.
std::unique_ptr<Rank> make_rank(Build& build, std::size_t blocks);

}  // namespace memory_budget::budget::step
