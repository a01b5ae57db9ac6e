// SPDX-License-Identifier: MIT
#include "core/budget/step/attention.h"

namespace memory_budget::budget::step {

// Transformers 5.16.1, Gemma4TextAttention.forward: all three are normed, positions come before the heads are moved
// forward, and the value may be the key's product.
void Attention::normed_heads(Operations& o, const Tensor& hidden, const RotaryTables& tables, Heads& h) const {
    const Dim batch = hidden->shape[0], length = hidden->shape[1], size(shape_.head_dim);
    const auto product = [&](const Projection& by, std::int64_t heads) {
        const Tensor t = by(o, hidden);
        return o.view(t, Shape(batch, length, Dim(heads), size));
    };
    const auto placed = [&](Tensor& t, const Norm& norm) {
        t = norm(o, t);
        t = rotated(o, t, tables);
        t = o.transpose(t, 1, 2);
    };
    h.q = product(q_, shape_.heads);
    placed(h.q, q_norm_);
    h.k = product(k_, shape_.kv_heads);
    h.v = shape_.key_is_value ? h.k : product(v_, shape_.kv_heads);
    placed(h.k, k_norm_);
    h.v = v_norm_(o, h.v);
    h.v = o.transpose(h.v, 1, 2);
}

}  // namespace memory_budget::budget::step
