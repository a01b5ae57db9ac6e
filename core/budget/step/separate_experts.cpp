// SPDX-License-Identifier: MIT
#include "core/budget/step/separate_experts.h"

namespace memory_budget::budget::step {

SeparateExperts::SeparateExperts(Build& build, const model::Experts& experts, Dim hidden)
    : per_token_(experts.per_token),
      normalised_(experts.router.normalised),
      router_(build, model::Linear("gate", hidden.n(), experts.count)) {
    model::Mlp mlp;
    mlp.kind = model::MlpKind::gated;
    mlp.width = experts.width;
    mlp.activation = experts.activation;
    mlp.gate = model::Linear(experts.part_gate.data(), hidden.n(), experts.width);
    mlp.up = model::Linear(experts.part_up.data(), hidden.n(), experts.width);
    mlp.down = model::Linear(experts.part_down.data(), experts.width, hidden.n());
    for (std::int64_t i = 0; i < experts.count; ++i) experts_.emplace_back(build, mlp);
}

Tensor SeparateExperts::operator()(Operations& o, const Tensor& hidden) const {
    const Dim tokens = hidden->shape.leading(), width = hidden->shape[-1];
    const Tensor flat = o.view(hidden, Shape(tokens, width));
    const Tensor logits = router_(o, flat);
    Tensor weights, chosen;
    {
        const Tensor wide = o.cast(logits, DType::f32);
        weights = o.softmax(wide);
    }
    weights = o.top(weights, per_token_, chosen);
    if (normalised_) {
        const Tensor total = o.sum_last_kept(weights);
        weights = o.divide_in_place(weights, total);
    }
    weights = o.cast(weights, flat->dtype);
    Tensor out = o.make(flat->dtype, Shape(tokens, width), Op::zeros);
    const Dim each(static_cast<std::int64_t>(experts_.size()));
    const Tensor mask = o.make(DType::i64, Shape(tokens, per_token_, each), Op::one_hot);
    const Dim rows(o.values.atoms[static_cast<std::size_t>(Atom::expert_rows)], power(Atom::expert_rows));
    const Tensor list = o.view(weights, Shape(tokens * per_token_));
    Tensor which, token, in, result;
    for (const Mlp& expert : experts_) {
        which = o.make(DType::i64, Shape(rows), Op::where);
        token = o.make(DType::i64, Shape(rows), Op::where);
        in = o.index(flat, token);
        {
            const Tensor fed = expert(o, in);
            Tensor weight = o.index(list, which);
            weight = o.unsqueeze(weight, -1);
            result = o.mul(fed, weight);
        }
        out = o.index_add_in_place(out, token, result);
    }
    return o.view(out, hidden->shape);
}

}  // namespace memory_budget::budget::step
