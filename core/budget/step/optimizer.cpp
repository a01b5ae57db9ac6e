// SPDX-License-Identifier: MIT
#include "core/budget/step/optimizer.h"

namespace memory_budget::budget::step {

namespace {

constexpr std::int64_t smallest_8bit = 4096, weights_per_block = 256;  // bitsandbytes 0.50.2, optim/optimizer.py
constexpr std::int64_t smallest_paged = 100'000;

class States {
  public:
    explicit States(Build& build)
        : o_(build.o), category_(build.settings.offload == Offload::none ? Category::optimizer : Category::host) {}

    void add(const Tensor& of, DType dtype, const Shape& shape, Op op = Op::state) {
        o_.copies = of->storage->copies;
        made.push_back(o_.make(dtype, shape, op, category_));
        o_.copies = 1;
    }
    /// bitsandbytes' 8-bit states: one byte a weight and one 32-bit scale a block; small tensors stay at 32 bits.
    /// bitsandbytes' 8-bit states: one byte a weight and one 32-bit scale a block. Small tensors stay at 32 bits, and
    /// so does what `wide` names: Transformers 5.16.1, trainer.py, has it for embeddings.
    void add_8bit(const Tensor& p, int count, bool paged, bool wide) {
        const std::int64_t elements = p->elements();
        // Paged states are in memory that the driver moves, outside the allocator.
        const bool outside = paged && elements >= smallest_paged;
        for (int i = 0; i < count; ++i) {
            const bool whole = elements < smallest_8bit || wide;
            const Category inside = category_;
            if (outside) category_ = Category::host;
            add(p, whole ? DType::f32 : DType::u8, p->shape);
            category_ = inside;
            if (whole) continue;
            add(p, DType::f32, Shape(Dim((elements + weights_per_block - 1) / weights_per_block)), Op::absmax);
        }
    }

    std::vector<Tensor> made;

  private:
    Operations& o_;
    Category category_;
};

Shape without(const Shape& s, int dim) {
    Shape r = s;
    for (int i = dim; i + 1 < r.rank; ++i) r[i] = r[i + 1];
    --r.rank;
    return r;
}

/// Transformers 5.16.1, optimization.py, Adafactor without first moment: one parameter at a time. The loop's
/// variables outlive a turn, so that the last parameter's are there while the next one's are made.
class AdafactorStep {
  public:
    void operator()(Operations& o, const Tensor& p) {
        const Shape& s = p->shape;
        const bool narrow = p->dtype != DType::f32;
        gradient_ = narrow ? o.make(DType::f32, s, Op::to_copy) : Tensor();
        wide_ = narrow ? o.make(DType::f32, s, Op::to_copy) : Tensor();
        norm_ = o.make(DType::f32, Shape(), Op::norm);
        Tensor next = o.make(DType::f32, s, Op::pow);
        next = o.elementwise(Op::add, {&next});
        update_ = std::move(next);
        if (s.rank >= 2) {
            const Tensor rows = o.make(DType::f32, s.with_last(Dim(1)), Op::div);
            const Tensor columns = o.make(DType::f32, s.with(s.rank - 2, Dim(1)), Op::rsqrt);
            next = o.make(DType::f32, s, Op::mul);
        } else {
            next = o.make(DType::f32, s, Op::rsqrt);
        }
        update_ = std::move(next);
        next = o.make(DType::f32, s, Op::neg);
    }

  private:
    Tensor gradient_, wide_, norm_, update_;
};

/// PyTorch 2.13, optim/_muon.py: the update of a matrix is made orthogonal in 16 bits by five steps.
void muon_step(Operations& o, const Tensor& p) {
    const Dim rows = p->shape[0], columns = p->shape[1];
    const Dim small = rows.n() < columns.n() ? rows : columns;
    const Tensor update = o.make(p->dtype, p->shape, Op::add);
    Tensor x = o.make(DType::bf16, p->shape, Op::to_copy);
    x = o.make(DType::bf16, p->shape, Op::div);
    const Tensor gram = o.make(DType::bf16, Shape(small, small), Op::mm);
    const Tensor gram_update = o.make(DType::bf16, Shape(small, small), Op::addmm);
    const Tensor next = o.make(DType::bf16, p->shape, Op::addmm);
}

}  // namespace

std::vector<Tensor> optimizer_states(Build& build, Optimizer optimizer) {
    States states(build);
    for (std::size_t i = 0; i < build.stepped.size(); ++i) {
        const Tensor& p = build.stepped[i];
        const Shape& s = p->shape;
        switch (optimizer) {
            case Optimizer::adamw_fused:
            case Optimizer::adamw_foreach:
            case Optimizer::adamw_single:
                states.add(p, p->dtype, s);
                states.add(p, p->dtype, s);
                states.add(p, DType::f32, Shape(), Op::step);
                break;
            case Optimizer::adamw_8bit:
            case Optimizer::paged_adamw_8bit:
                states.add_8bit(p, 2, optimizer == Optimizer::paged_adamw_8bit,
                                build.settings.wide_embedding_states && p.get() == build.embedding);
                break;
            case Optimizer::adafactor:
                if (s.rank >= 2) {
                    states.add(p, DType::f32, without(s, s.rank - 1));
                    states.add(p, DType::f32, without(s, s.rank - 2));
                } else {
                    states.add(p, DType::f32, s);
                }
                states.add(p, DType::f32, Shape(), Op::norm);
                break;
            case Optimizer::sgd:
                break;
            case Optimizer::sgd_momentum:
                states.add(p, p->dtype, s);
                break;
            case Optimizer::lion:
                states.add(p, DType::f32, s);  // bitsandbytes keeps 32 bits whatever the parameter's type
                break;
            case Optimizer::muon:
                // Matrices by Muon, all else by AdamW beside it.
                states.add(p, p->dtype, s);
                if (s.rank != 2) states.add(p, p->dtype, s);
                break;
        }
    }
    return std::move(states.made);
}

void optimizer_step(Build& build, Optimizer optimizer, const std::vector<Tensor>& parameters) {
    if (build.settings.offload != Offload::none) return;  // the host does it
    Operations& o = build.o;
    if (optimizer == Optimizer::adamw_foreach) {
        std::vector<Tensor> roots;  // the square roots of the second moments, all at once
        for (const Tensor& p : parameters) {
            o.copies = p->storage->copies;
            roots.push_back(o.make(p->dtype, p->shape, Op::sqrt));
        }
        o.copies = 1;
        roots.clear();
    } else if (optimizer == Optimizer::adamw_single) {
        for (const Tensor& p : parameters) {
            const Tensor root = o.make(p->dtype, p->shape, Op::sqrt);
            const Tensor corrected = o.make(p->dtype, p->shape, Op::div);
        }
    } else if (optimizer == Optimizer::adafactor) {
        AdafactorStep step;
        for (const Tensor& p : parameters) step(o, p);
    } else if (optimizer == Optimizer::muon) {
        for (const Tensor& p : parameters)
            if (p->rank() == 2) muon_step(o, p);
    }
}

void clip_gradients(Build& build) {
    Operations& o = build.o;
    std::vector<Tensor> norms;
    std::int64_t count = 0;
    for (const Tensor& p : build.trainable) {
        o.copies = p->storage->copies;
        count += o.copies;
        norms.push_back(o.make(DType::f32, Shape(), Op::norm));
    }
    o.copies = 1;
    const Tensor all = o.make(DType::f32, Shape(Dim(count)), Op::stack);
    const Tensor total = o.make(DType::f32, Shape(), Op::norm);
}

}  // namespace memory_budget::budget::step
