// SPDX-License-Identifier: MIT
#include "core/budget/step/network.h"

#include <algorithm>

namespace memory_budget::budget::step {

namespace {

bool alike_but_for_window(const model::Block& a, const model::Block& b) {
    const model::Attention &p = a.attention, &q = b.attention;
    return p.kind == q.kind && p.heads == q.heads && p.kv_heads == q.kv_heads && p.head_dim == q.head_dim &&
           p.value_dim == q.value_dim && p.rope == q.rope && p.rotary == q.rotary && p.shared_kv == q.shared_kv &&
           p.key_is_value == q.key_is_value && a.mlp.kind == b.mlp.kind && a.mlp.width == b.mlp.width &&
           a.experts.count == b.experts.count && a.extras.size() == b.extras.size();
}

/// torchtune 0.6, training/_activation_checkpointing.py: blocks are counted from one.
bool checkpointed(const StepSettings& run, std::size_t layer) {
    if (run.checkpointing != Checkpointing::selective) return run.checkpointing == Checkpointing::block;
    return (layer + 1) % static_cast<std::size_t>(run.checkpoint_every) == 0;
}

/// Rotated features of a head in the blocks that read a table.
std::int64_t table_size(const model::Architecture& a, int table) {
    for (const model::Block& b : a.blocks)
        if (b.attention.rotary_table == table && b.attention.rotary > 0) return b.attention.rotary;
    return a.rotary.size;
}

/// Where the last block of a kind is.
std::size_t last_of(const model::Architecture& a, std::uint16_t kind) {
    std::size_t l = a.layers.size() - 1;
    while (l > 0 && a.layers[l] != kind) --l;
    return l;
}

PlayedBlock played_alone(const model::Architecture& a, const StepSettings& run, std::size_t l) {
    PlayedBlock p = {a.layers[l], checkpointed(run, l)};
    p.leaves_keys = a.shares_keys && last_of(a, a.layers[l]) == l;
    return p;
}

}  // namespace

std::vector<PlayedBlock> played_blocks(const model::Architecture& a, const StepSettings& run, std::int64_t sequence,
                                       Stretch& stretch) {
    const std::vector<std::uint16_t>& layers = a.layers;
    std::size_t last = layers.size() - 1;
    // A block that leaves something behind is played by itself.
    for (const std::uint16_t kind : layers)
        if (a.shares_keys) last = std::min(last, last_of(a, kind));
    // Blocks that differ in their window alone make the same tensors, unless a fused kernel takes a mask in one and
    // none in the other.
    std::vector<std::uint16_t> alike(a.blocks.size());
    const bool windowed = run.attention == AttentionPath::flash && !a.always_masked && sequence >= a.window;
    for (std::size_t k = 0; k < alike.size(); ++k) {
        alike[k] = static_cast<std::uint16_t>(k);
        for (std::size_t other = 0; other < k && !windowed; ++other)
            if (alike[k] == k && alike_but_for_window(a.blocks[k], a.blocks[other]))
                alike[k] = static_cast<std::uint16_t>(other);
    }
    // The stretch begins when each kind has been there once: what only one kind reads (a mask, rotary tables) goes
    // with the first of its blocks. Under frozen weights without checkpointing the first block of all does not count,
    // since it may have nothing on the tape in its attention.
    const std::size_t first = run.method != Method::full && run.checkpointing == Checkpointing::none ? 1 : 0;
    std::size_t from = first;
    for (std::size_t k = 0; k < alike.size(); ++k)
        for (const bool again : {false, true})
            for (std::size_t l = first; l < layers.size(); ++l)
                if (layers[l] == k && checkpointed(run, l) == again) {
                    from = std::max(from, l + 1);
                    break;
                }
    // Tensors on their way to the host live for a few more to be kept, which can be those of later blocks.
    if (run.activation_offload) {
        if (run.checkpointing == Checkpointing::selective) return all_blocks(a, run);
        from = std::min(from + static_cast<std::size_t>(ActivationOffload::on_the_way), last);
    }
    std::vector<PlayedBlock> played;
    const auto add = [&](std::size_t begin, std::size_t end) {
        for (std::size_t l = begin; l < end; ++l) played.push_back(played_alone(a, run, l));
    };
    std::vector<PlayedBlock> kinds;
    for (std::size_t l = from; l < last; ++l) {
        std::size_t i = 0;
        const bool again = checkpointed(run, l);
        while (i < kinds.size() && (alike[kinds[i].kind] != alike[layers[l]] || kinds[i].checkpointed != again)) ++i;
        if (i == kinds.size()) kinds.push_back({layers[l], again, 0, block_section(i)});
        ++kinds[i].copies;
        stretch.order.push_back(static_cast<std::uint8_t>(i));
    }
    const std::vector<std::uint8_t>& order = stretch.order;
    if (order.size() <= kinds.size()) {
        stretch.order.clear();
        add(0, layers.size());
        return played;
    }
    const auto repeats = [&](std::size_t period) {
        for (std::size_t i = period; i < order.size(); ++i)
            if (order[i] != order[i - period]) return false;
        return true;
    };
    while (!repeats(stretch.period)) ++stretch.period;
    add(0, from);
    played.insert(played.end(), kinds.begin(), kinds.end());
    add(last, layers.size());
    return played;
}

std::vector<PlayedBlock> all_blocks(const model::Architecture& a, const StepSettings& run) {
    std::vector<PlayedBlock> played;
    for (std::size_t l = 0; l < a.layers.size(); ++l) played.push_back(played_alone(a, run, l));
    return played;
}

Network::Network(Build& build, const model::Architecture& a, const std::vector<PlayedBlock>& played)
    : a_(a), run_(build.settings), played_(played) {
    const Dim hidden(a.hidden), vocabulary(a.vocabulary);
    rank_ = make_rank(build, played.size());
    build.rank = rank_.get();
    Rank* const told = rank_ && rank_->by_blocks() ? rank_.get() : nullptr;
    embedding_ = build.parameter(Shape(vocabulary, hidden));
    build.embedding = embedding_.get();
    if (a.embedding_scale) scale_ = build.buffer(Shape(), build.weights());
    embedding_norm_ = Norm(build, a.embedding_norm, a.liger_norm_in_place);
    if (a.positions > 0) positions_ = build.parameter(Shape(Dim(a.positions), hidden));
    for (const model::Block& b : a.blocks)
        if (b.experts.adapted_by_name && !run_.separate_experts) build.experts = &b.experts;
    for (const PlayedBlock& p : played) {
        build.o.copies = static_cast<std::int32_t>(p.copies);
        if (rank_) rank_->begin(blocks_.size() + 1);
        blocks_.push_back(std::make_unique<Block>(build, a.blocks[p.kind], a, told, blocks_.size() + 1));
        if (p.leaves_keys) blocks_.back()->leave_keys();
    }
    build.o.copies = 1;
    if (rank_) rank_->begin(0);
    norm_ = Norm(build, a.final_norm, a.liger_norm_in_place);
    head_ = Projection::head(build, vocabulary, hidden, a.head_bias, a.tied_head ? embedding_ : Tensor());
    for (int i = 0; i < 2 * a.rotary.tables; ++i) build.buffer(Shape(Dim(table_size(a, i / 2) / 2)), DType::f32);
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
        if (run_.attention == AttentionPath::flash_attention_2) return nullptr;
        for (const PlayedBlock& p : played_) used = used || (a_.blocks[p.kind].attention.window > 0) == sliding;
        if (!used) return nullptr;
        if (run_.attention == AttentionPath::eager) {
            const Tensor boolean = o.make(DType::boolean, Shape(one, one, length, length), Op::mask);
            return o.make(embedded->dtype, Shape(batch, one, length, length), Op::where);
        }
        if (mask) return o.make(DType::boolean, Shape(batch, one, length, length), Op::mask);
        if ((sliding && length.n() >= a_.window) || a_.always_masked) {
            const Tensor all = o.make(DType::boolean, Shape(one, one, length, length), Op::mask);
            return Tape::on(all, Shape(batch, one, length, length), Strides{0, length.n() * length.n(), length.n(), 1});
        }
        return nullptr;
    };
    Masks m;
    m.full = make(false);
    m.sliding = make(true);
    return m;
}

Tensor Network::forward(Operations& o, const Tensor& ids, const Tensor& mask) {
    if (rank_) rank_->before_forward(0);
    Tensor embedded = embed(o, ids);
    if (rank_) rank_->embedded();
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
        hidden = embedding_norm_.present() ? embedding_norm_(o, embedded) : embedded;
    }
    RotaryTables tables[2];
    const model::Attention& first = a_.blocks.front().attention;
    if (first.alibi) tables[0].cos = alibi(o, Dim(first.heads), embedded->shape[0], length, hidden->dtype);
    for (int i = 0; i < a_.rotary.tables; ++i)
        tables[i] = rotary_tables(o, a_.rotary, table_size(a_, i), hidden->dtype);
    // What blocks leave behind is an argument of every checkpointed call, and goes with the last of these.
    if (a_.shares_keys) hidden = o.watched(hidden, *this, 0, true);
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        const model::Attention& attention = a_.blocks[played_[i].kind].attention;
        const RotaryTables& t = tables[attention.rotary_table];
        const Tensor& seen = attention.window > 0 ? m.sliding : m.full;
        o.ledger.switch_to(played_[i].section);
        std::vector<Tensor> inputs = {hidden, t.cos, t.sin, seen, position_ids};
        hidden = played_[i].checkpointed ? o.checkpoint(*blocks_[i], std::move(inputs)) : blocks_[i]->play(inputs);
    }
    o.ledger.switch_to(Section::none);
    if (rank_) rank_->before_head(a_.tied_head);
    Tensor out = norm_(o, hidden);
    if (a_.shares_keys && run_.checkpointing == Checkpointing::none) reached(0, true);
    return out;
}

void Network::let_go(Operations& o) {
    for (std::size_t i = blocks_.size(); i-- > 0;) {
        o.ledger.switch_to(played_[i].section);
        rank_->let_go(i + 1);
    }
    o.ledger.switch_to(Section::none);
}

void Network::reached(std::size_t, bool) {
    for (const std::unique_ptr<Block>& b : blocks_) b->drop_cache();
}

void Network::drop_cache(Operations& o) {
    for (std::size_t i = 0; i < blocks_.size(); ++i) {
        o.ledger.switch_to(played_[i].section);
        blocks_[i]->drop_cache();
    }
    o.ledger.switch_to(Section::none);
}

Tensor Network::logits(Operations& o, const Tensor& hidden) const {
    const bool offloads = std::exchange(o.offload.on, false);  // not what the head keeps
    Tensor t = head_.base(o, hidden);
    o.offload.on = offloads;
    if (capped()) {
        t = o.scale(t, Op::div);
        t = o.saturating(t, Op::tanh);
        t = o.scale(t);
    }
    if (a_.logits_divisor != 0) t = o.scale(t, Op::div);
    return t;
}

}  // namespace memory_budget::budget::step
