// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/rank.h"

namespace memory_budget::budget::step {

/// A parameter of a unit.
struct Part {
    Tensor whole;               ///< as modules see it
    std::int64_t elements = 0;  ///< of this rank's share, padded so that all ranks have the same
    DType dtype = DType::f32;   ///< of the share
    bool train = false;
};

/// Parameters that are gathered and scattered together.
struct Unit {
    std::vector<Part> parts;
    Tensor gathered;  ///< what the gathering writes to, until it is copied out
    Tensor gradient;  ///< this rank's part
    std::int32_t copies = 1;
    bool in_memory = false;

    /// A flat tensor's shape over the shares of so many ranks, in the type that the unit computes in.
    Shape joined(std::int64_t ranks, bool trained_only = false) const;
    DType dtype() const { return parts.front().whole->dtype; }
    bool trained() const;
    void put_away();
    void bring_back();
};

/// What FSDP's two versions have in common: one unit a block and the rest in the root, as Accelerate 1.15 wraps a
/// model. What collectives hold inside isn't counted.
class Fsdp : public Rank {
  public:
    Fsdp(Build& build, std::size_t blocks) : Rank(build), units_(blocks + 1) {}

    void step() override;

  protected:
    /// A part's share on its way to the others, in memory of its own where it comes from the host or is cast.
    std::vector<Tensor> sent(const Unit& unit) const;
    Tensor keep(DType dtype, const Shape& shape, const Shape& share, Op op, bool train);
    void keep_gradient(Unit& unit, Tensor gradient);
    /// The gradients that backward left with the unit's parameters; the last one lives on in `last`.
    static std::vector<Tensor> take_gradients(Unit& unit, Tensor& last);

    std::vector<Unit> units_;
};

/// PyTorch 2.13, distributed/fsdp/_fully_shard.
class Fsdp2 final : public Fsdp {
  public:
    using Fsdp::Fsdp;

    Tensor own(DType dtype, const Shape& shape, Op op, bool train) override;
    void before_forward(std::size_t unit) override;
    void after_forward(std::size_t unit) override;
    void before_backward() override;
    void after_backward(bool last) override;
    void reached(std::size_t unit, bool end) override;

  private:
    void gather(Unit& unit);
    void reduce(Unit& unit);

    Tensor last_gathered_, last_reduced_;
};

/// PyTorch 2.13, distributed/fsdp/_flat_param.py and _runtime_utils.py: a unit's parameters are views of one flat
/// tensor, so that nothing is copied out; in backward the unit before is gathered ahead (`BACKWARD_PRE`).
class Fsdp1 final : public Fsdp {
  public:
    using Fsdp::Fsdp;

    Tensor own(DType dtype, const Shape& shape, Op op, bool train) override;
    void before_forward(std::size_t unit) override { gather(units_[unit]); }
    void after_forward(std::size_t unit) override;
    void after_backward(bool last) override;
    void reached(std::size_t unit, bool end) override;
    void passed(std::size_t unit, const Tensor& gradient) override { hold(unit, gradient); }
    void replayed(std::size_t unit, const Tensor& input) override { hold(unit, input); }
    void let_go(std::size_t unit) override {
        if (unit < held_.size()) held_[unit].clear();
    }

  private:
    void gather(Unit& unit);
    void reduce(Unit& unit);
    void hold(std::size_t unit, const Tensor& t);

    std::vector<std::vector<Tensor>> held_;
};

}  // namespace memory_budget::budget::step
