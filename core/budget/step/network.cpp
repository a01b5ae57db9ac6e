// SPDX-License-Identifier: MIT
#include "core/budget/step/network.h"

namespace memory_budget::budget::step {

std::vector<PlayedBlock> played_blocks(const model::Architecture& a, bool repeat) {
    const auto layers = static_cast<std::int64_t>(a.layers.size());
    std::vector<PlayedBlock> played;
    const auto add = [&](std::int64_t from, std::int64_t to) {
        for (std::int64_t l = from; l < to; ++l) played.push_back({a.layers[static_cast<std::size_t>(l)], 1});
    };
    // The longest stretch in which the kinds of blocks repeat with some period; what is before and after it is played
    // one by one. Of the stretch the first two and the last two periods are played, and one stands for all between.
    std::int64_t best_from = 0, best_periods = 0, best_period = 1;
    for (std::int64_t period = 1; repeat && period <= 8; ++period) {
        std::int64_t from = 0;
        for (std::int64_t l = period; l <= layers; ++l) {
            if (l < layers && a.layers[static_cast<std::size_t>(l)] == a.layers[static_cast<std::size_t>(l - period)])
                continue;
            const std::int64_t periods = (l - from) / period;
            if ((periods - 5) * period > (best_periods - 5) * best_period) {
                best_from = from;
                best_periods = periods;
                best_period = period;
            }
            from = l - period + 1;
        }
    }
    if (best_periods < 6) {
        add(0, layers);
        return played;
    }
    add(0, best_from + 2 * best_period);
    const std::size_t first = played.size();
    add(best_from + 2 * best_period, best_from + 3 * best_period);
    for (std::size_t i = first; i < played.size(); ++i) played[i].copies = best_periods - 4;
    played[first].first_of_run = true;
    played.back().last_of_run = true;
    add(best_from + (best_periods - 2) * best_period, layers);
    return played;
}

Network::Network(Build& build, const model::Architecture& a, const std::vector<PlayedBlock>& played)
    : a_(a), run_(build.settings), played_(played) {
    const Dim hidden(a.hidden), vocabulary(a.vocabulary);
    embedding_ = build.parameter(Shape(vocabulary, hidden));
    if (a.embedding_scale) scale_ = build.buffer(Shape(), build.weights());
    if (a.positions > 0) positions_ = build.parameter(Shape(Dim(a.positions), hidden));
    for (const PlayedBlock& p : played) {
        build.o.copies = static_cast<std::int32_t>(p.copies);
        blocks_.push_back(std::make_unique<Block>(build, a.blocks[p.kind], a));
    }
    build.o.copies = 1;
    norm_ = Norm(build, a.final_norm, a.liger_norm_in_place);
    head_ = Projection::head(build, vocabulary, hidden, a.head_bias, a.tied_head ? embedding_ : Tensor());
    for (int i = 0; i < 2 * a.rotary.tables; ++i) build.buffer(Shape(Dim(a.rotary.size / 2)), DType::f32);
}

Tensor Network::embed(Operations& o, const Tensor& ids) const {
    Tensor e = o.embedding(ids, embedding_);
    if (scale_) {
        const Tensor by = scale_->dtype == e->dtype ? scale_ : o.make(e->dtype, Shape(), Op::to_copy);
        e = o.mul(e, by);
    }
    return e;
}

// Transformers 5.16.1, masking_utils: boolean and four-dimensional for the fused kernels, added up for eager
Network::Masks Network::masks(Operations& o, const Tensor& mask, const Tensor& embedded) const {
    const Dim batch = embedded->shape[0], length = embedded->shape[1], one(1);
    const auto make = [&](bool sliding) -> Tensor {
        bool used = false;
        for (const PlayedBlock& p : played_) used = used || (a_.blocks[p.kind].attention.window > 0) == sliding;
        if (!used) return nullptr;
        if (run_.attention == AttentionPath::eager) {
            const Tensor boolean = o.make(DType::boolean, Shape(one, one, length, length), Op::mask);
            return o.make(embedded->dtype, Shape(batch, one, length, length), Op::where);
        }
        if (mask) return o.make(DType::boolean, Shape(batch, one, length, length), Op::mask);
        if ((sliding && length.n >= a_.window) || a_.always_masked) {
            const Tensor all = o.make(DType::boolean, Shape(one, one, length, length), Op::mask);
            return Tape::on(all, Shape(batch, one, length, length), Strides{0, length.n * length.n, length.n, 1});
        }
        return nullptr;
    };
    Masks m;
    m.full = make(false);
    m.sliding = make(true);
    return m;
}

Tensor Network::forward(Operations& o, const Tensor& ids, const Tensor& mask) {
    Tensor embedded = embed(o, ids);
    // PEFT makes the embedding's output require a gradient, so that checkpointed blocks have one to pass.
    if (run_.method != Method::full && run_.checkpointing != Checkpointing::none) embedded->needs_grad = true;
    if (a_.embedding_multiplier != 0) embedded = o.scale(embedded);
    const Dim length = ids->shape[1];
    Tensor position_ids = o.make(DType::i64, Shape(length), Op::arange);
    position_ids = o.elementwise(Op::add, {&position_ids});
    Tensor hidden, position_embedding;
    Masks m;
    if (positions_) {
        const Tensor row = Tape::on(position_ids, Shape(Dim(1), length));
        position_embedding = o.embedding(row, positions_);
        hidden = o.add(embedded, position_embedding);
        m = masks(o, mask, embedded);
        hidden = o.dropout(hidden, a_.embedding_dropout > 0);
    } else {
        m = masks(o, mask, embedded);
        hidden = embedded;
    }
    RotaryTables tables[2];
    for (int i = 0; i < a_.rotary.tables; ++i) tables[i] = rotary_tables(o, a_.rotary, hidden->dtype);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const model::Attention& attention = a_.blocks[played_[i].kind].attention;
        const RotaryTables& t = tables[attention.rotary_table];
        const Tensor& seen = attention.window > 0 ? m.sliding : m.full;
        if (played_[i].first_of_run) o.ledger.open(Section::block, played_[i].copies);
        std::vector<Tensor> inputs = {hidden, t.cos, t.sin, seen, position_ids};
        hidden = run_.checkpointing == Checkpointing::block ? o.checkpoint(*blocks_[i], std::move(inputs))
                                                            : blocks_[i]->play(inputs);
        if (played_[i].last_of_run) {
            inputs.clear();
            o.ledger.close();
        }
    }
    return norm_(o, hidden);
}

Tensor Network::logits(Operations& o, const Tensor& hidden) const {
    Tensor t = head_.base(o, hidden);
    if (capped()) {
        t = o.scale(t, Op::div);
        t = o.saturating(t, Op::tanh);
        t = o.scale(t);
    }
    if (a_.logits_divisor != 0) t = o.scale(t, Op::div);
    return t;
}

}  // namespace memory_budget::budget::step
