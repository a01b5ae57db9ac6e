// SPDX-License-Identifier: MIT
#include "core/budget/step/tensor.h"

#include "core/budget/step/tape.h"

namespace memory_budget::budget::step {

namespace {

void destroy(Counted* p) {
    switch (p->type) {
        case Counted::Type::storage: {
            auto* s = static_cast<Storage*>(p);
            if (s->kind != Storage::uncounted && !s->away) s->ledger->release(s->kind, s->copies);
            delete s;
            break;
        }
        case Counted::Type::tensor:
            delete static_cast<TensorData*>(p);
            break;
        case Counted::Type::node: {
            auto* n = static_cast<Node*>(p);
            if (n->rule == Rule::accumulate) n->variable->accumulate = nullptr;
            delete n;
            break;
        }
        case Counted::Type::holder: {
            auto* h = static_cast<Holder*>(p);
            h->frame->holders[h->index] = nullptr;
            delete h;
            break;
        }
        case Counted::Type::frame:
            delete static_cast<Frame*>(p);
            break;
    }
}

void drop(Counted* p) {
    if (p != nullptr && --p->refs == 0) destroy(p);
}

}  // namespace

void Storage::put_away() {
    if (!away) ledger->release(kind, copies);
    away = true;
}

void Storage::bring_back() {
    if (away) ledger->take(kind, copies);
    away = false;
}

Owner::~Owner() {
    drop(p_);
}

void Owner::take(const Owner& o) {
    if (o.p_ != nullptr) ++o.p_->refs;
    drop(std::exchange(p_, o.p_));
}

void Owner::take(Owner&& o) {
    Counted* taken = std::exchange(o.p_, nullptr);
    drop(std::exchange(p_, taken));
}

Strides contiguous_strides(const Shape& shape) {
    Strides s = {};
    std::int64_t step = 1;
    for (int i = shape.rank - 1; i >= 0; --i) {
        s[static_cast<std::size_t>(i)] = step;
        if (shape[i].n() > 1) step *= shape[i].n();
    }
    return s;
}

bool TensorData::contiguous() const {
    std::int64_t step = 1;
    for (int i = shape.rank - 1; i >= 0; --i) {
        if (shape[i].n() == 1) continue;
        if (strides[static_cast<std::size_t>(i)] != step) return false;
        step *= shape[i].n();
    }
    return true;
}

bool TensorData::dense() const {
    // The stride that comes next is the product of the sizes seen so far; there is one dimension that has it.
    std::int64_t step = 1;
    int left = 0;
    bool seen[max_rank] = {};
    for (int i = 0; i < shape.rank; ++i) {
        seen[i] = shape[i].n() == 1;
        left += seen[i] ? 0 : 1;
    }
    while (left > 0) {
        int at = -1;
        for (int i = 0; i < shape.rank && at < 0; ++i)
            if (!seen[i] && strides[static_cast<std::size_t>(i)] == step) at = i;
        if (at < 0) return false;
        seen[at] = true;
        step *= shape[at].n();
        --left;
    }
    return true;
}

bool view_strides(const TensorData& t, const Shape& to, Strides& out) {
    if (t.elements() == 0) {
        out = contiguous_strides(to);
        return true;
    }
    out = {};
    if (t.rank() == 0) {
        out.fill(1);
        return true;
    }
    int at = to.rank - 1;
    std::int64_t base = t.strides[static_cast<std::size_t>(t.rank() - 1)], run = 1, filled = 1;
    for (int i = t.rank() - 1; i >= 0; --i) {
        run *= t.shape[i].n();
        const bool ends =
            i == 0 || (t.shape[i - 1].n() != 1 && t.strides[static_cast<std::size_t>(i - 1)] != run * base);
        if (!ends) continue;
        while (at >= 0 && (filled < run || to[at].n() == 1)) {
            out[static_cast<std::size_t>(at)] = filled * base;
            filled *= to[at].n();
            --at;
        }
        if (filled != run) return false;
        if (i > 0) {
            base = t.strides[static_cast<std::size_t>(i - 1)];
            run = filled = 1;
        }
    }
    return at == -1;
}

Strides result_strides(const Shape& shape, const TensorData* const* operands, int count) {
    bool same = true, all_contiguous = true, all_equal = true;
    for (int k = 0; k < count; ++k) {
        const TensorData& o = *operands[k];
        same = same && o.shape == shape;
        all_contiguous = all_contiguous && o.contiguous();
        for (int i = 0; i < o.rank() && same; ++i)
            all_equal = all_equal &&
                        o.strides[static_cast<std::size_t>(i)] == operands[0]->strides[static_cast<std::size_t>(i)];
    }
    if (same && all_contiguous) return contiguous_strides(shape);
    if (same && all_equal && operands[0]->dense()) return operands[0]->strides;

    // Dimensions are put in the order of the operands' strides, the first operand that tells two apart deciding.
    const int rank = shape.rank;
    const auto stride_in = [&](const TensorData& o, int i) -> std::int64_t {
        const int j = i - (rank - o.rank());
        return j < 0 || o.shape[j].n() == 1 ? 0 : o.strides[static_cast<std::size_t>(j)];
    };
    const auto order = [&](int a, int b) {
        for (int k = 0; k < count; ++k) {
            const std::int64_t x = stride_in(*operands[k], a), y = stride_in(*operands[k], b);
            if (x == 0 || y == 0) continue;
            if (x != y) return x < y ? -1 : 1;
            if (shape[a].n() > shape[b].n()) return 1;
        }
        return 0;
    };
    int perm[max_rank] = {};
    for (int i = 0; i < rank; ++i) perm[i] = rank - 1 - i;
    for (int i = 1; i < rank; ++i) {
        int at = i;
        for (int j = i - 1; j >= 0; --j) {
            const int c = order(perm[j], perm[at]);
            if (c > 0) {
                std::swap(perm[j], perm[at]);
                at = j;
            } else if (c < 0) {
                break;
            }
        }
    }
    Strides out = {};
    std::int64_t step = 1;
    for (int i = 0; i < rank; ++i) {
        out[static_cast<std::size_t>(perm[i])] = step;
        step *= shape[perm[i]].n();
    }
    return out;
}

}  // namespace memory_budget::budget::step
