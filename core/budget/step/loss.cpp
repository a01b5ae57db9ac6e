// SPDX-License-Identifier: MIT
#include "core/budget/step/loss.h"

namespace memory_budget::budget::step {

namespace {

Dim atom(const Operations& o, Atom a) {
    return Dim(o.values.atoms[static_cast<std::size_t>(a)], power(a));
}

/// How a loop of `count` equal turns and a shorter last one is played: the second turn stands for all up to the last
/// two. Going backward the last two are where sums over the turns begin, and the first is where they are complete.
struct Loop {
    std::int64_t count;
    Section section;
    Operations& o;

    template <typename Turn>
    void run(Turn turn) const {
        const bool repeats = count > played_turns;
        const std::int64_t turns = repeats ? played_turns : count;
        for (std::int64_t i = 0; i < turns; ++i) {
            const bool repeated = repeats && i == 1;
            if (repeated) o.ledger.switch_to(section);
            turn(i == turns - 1);
            if (repeated) o.ledger.switch_to(Section::none);
        }
    }
};

/// Labels are padded by one and shifted (Transformers 5.16.1, loss/loss_utils.py).
Tensor shifted_labels(Operations& o, const Tensor& labels, Tensor& padded) {
    padded = o.make(DType::i64, Shape(labels->shape[0], atom(o, Atom::length_plus_one)), Op::pad);
    return o.make(DType::i64, labels->shape, Op::clone);
}

/// torchtune's recipes take the loss outside the model, where nothing is offloaded.
void model_ends(Operations& o, const Network& network) {
    if (network.run().modules == Modules::torchtune) o.offload.on = false;
}

}  // namespace

/// All logits in 32 bits, one row a label, as the stack's Transformers makes them, and one loss over them.
template <typename OverRows>
static Tensor over_logits(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask,
                          Tensor& logits, OverRows over_rows) {
    const Tensor hidden = network.forward(o, ids, mask);
    model_ends(o, network);
    logits = network.logits(o, hidden);
    const LossChain chain = network.loss_chain();
    Tensor wide = chain == LossChain::copied_narrow ? logits : o.cast(logits, DType::f32);
    Tensor padded, target, copy;
    if (chain == LossChain::widened) {
        logits = wide;
        target = o.make(DType::i64, labels->shape, Op::clone);
    } else if (chain == LossChain::padded_labels) {
        target = shifted_labels(o, labels, padded);
    } else {
        if (chain == LossChain::copied_logits) logits = wide;
        const Dim length = atom(o, Atom::length_less_one);
        const Tensor shorter = o.slice(wide, 1, length);
        copy = o.contiguous(shorter);
        target = o.make(DType::i64, Shape(labels->shape[0], length), Op::clone);
    }
    Tensor flat = copy ? copy : wide;
    if (!copy) wide = nullptr;
    flat = o.view(flat, Shape(flat->shape.leading(), flat->shape[-1]));
    target = o.view(target, Shape(target->shape[0] * target->shape[1]));
    const Tensor loss = over_rows(flat, target);
    return o.scale(loss, Op::div);
}

Tensor full_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask,
                 Tensor& logits) {
    return over_logits(o, network, ids, labels, mask, logits, [&o](const Tensor& rows, const Tensor& target) {
        const Tensor in = o.autocast ? o.cast(rows, DType::f32) : rows;
        const Tensor log_probabilities = o.log_softmax(in);
        return o.nll(log_probabilities, target);
    });
}

Tensor in_place_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask,
                     Tensor& logits) {
    return over_logits(o, network, ids, labels, mask, logits, [&o](const Tensor& rows, const Tensor& target) {
        const Tensor in = o.autocast ? o.cast(rows, DType::f32) : rows;
        return o.loss_in_place(in, target);
    });
}

// LitGPT 2023-10, utils.py, chunked_cross_entropy; torchtune 0.4, modules/loss/ce_chunked_output_loss.py
Tensor parted_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& mask, Tensor& logits) {
    const Tensor hidden = network.forward(o, ids, mask);
    model_ends(o, network);
    const Tensor flat = o.view(hidden, Shape(hidden->shape.leading(), hidden->shape[-1]));
    return o.parted_loss(flat, network.head().weight(), atom(o, Atom::part_rows), network.run().modules,
                         network.run().compiled, logits);
}

// TRL 1.12.0, trainer/utils.py: the head's weight is cast to 32 bits for each chunk, and autocast casts its
// transposed view, which is never cached.
Tensor ChunkedLoss::play(const std::vector<Tensor>& in) {
    const Tensor &weight = in[1], &bias = in[2], &labels = in[3];
    Operations& o = o_;
    Tensor x;
    {
        const Tensor h = o.cast(in[0], DType::f32), w = o.cast(weight, DType::f32);
        const Tensor turned = o.transpose(w, 0, 1);
        Tensor left = h, right = turned;
        if (o.autocast) {
            right = o.cast16(turned);
            left = o.cast16(h);
        }
        x = o.mm_kn(left, right, nullptr);
    }
    if (bias) {
        const Tensor wide = o.cast(bias, DType::f32);
        x = o.add(x, wide);
    }
    if (network_.capped()) {
        x = o.scale(x, Op::div);
        x = o.saturating(x, Op::tanh);
        x = o.scale(x);
    }
    // Under autocast log-softmax, exponential and sum are 32 bits.
    const auto wide = [&](const Tensor& t) { return o.autocast ? o.cast(t, DType::f32) : t; };
    Tensor log_probabilities;
    {
        const Tensor t = wide(x);
        log_probabilities = o.log_softmax(t);
    }
    Tensor loss;
    {
        const Tensor t = wide(log_probabilities);
        loss = o.nll(t, labels);
    }
    const Tensor valid = o.make(DType::boolean, labels->shape, Op::compare);
    const Tensor best = o.make(DType::i64, labels->shape, Op::argmax);
    Tensor correct;
    {
        Tensor t = o.make(DType::boolean, labels->shape, Op::compare);
        t = o.make(DType::boolean, labels->shape, Op::logical);
        correct = o.make(DType::f32, Shape(), Op::to_copy);
    }
    Tensor t;
    {
        const Tensor probabilities = o.saturating(log_probabilities, Op::exp);
        t = o.mul(probabilities, log_probabilities);
    }
    t = wide(t);
    t = o.sum_last(t);
    t = o.neg(t);
    t = o.mul(t, valid);
    t = o.sum_all(t);
    if (!o.recomputing()) {
        correct_ = correct;
        entropy_ = t;
    }
    return loss;
}

Tensor ChunkedLoss::forward(const Tensor& ids, const Tensor& mask) {
    Operations& o = o_;
    const Tensor last = network_.forward(o, ids, mask);
    const Dim batch = last->shape[0], length = atom(o, Atom::length_less_one), width = last->shape[2];
    const Dim tokens = batch * length;
    Tensor hidden = o.slice(last, 1, length);
    hidden = o.reshape(hidden, Shape(tokens, width));
    Tensor labelled = batch.n() > 1 ? o.make(DType::i64, Shape(tokens), Op::clone) : Tensor();
    const Tensor valid = o.make(DType::boolean, Shape(tokens), Op::compare);
    const Tensor count = o.make(DType::i64, Shape(), Op::sum);
    Tensor correct = o.make(DType::f32, Shape(), Op::zeros), entropy = o.make(DType::f32, Shape(), Op::zeros);
    Tensor order;
    {
        const Tensor narrow = o.make(DType::i8, Shape(tokens), Op::to_copy);
        order = o.make(DType::i64, Shape(tokens), Op::sort);
    }
    hidden = o.index(hidden, order);
    labelled = o.make(DType::i64, Shape(tokens), Op::index);
    Tensor loss = o.make(DType::f32, Shape(), Op::zeros);
    const Dim last_chunk = atom(o, Atom::part_last);
    const std::int64_t chunks = (tokens.n() + tokens_per_chunk - 1) / tokens_per_chunk;
    Tensor part, target, chunk_loss;
    Loop{chunks, Section::chunk, o}.run([&](bool is_last) {
        const Dim rows = is_last ? last_chunk : Dim(tokens_per_chunk);
        part = chunks == 1 ? hidden : o.slice(hidden, 0, rows);
        target = Tape::on(labelled, Shape(rows));
        std::vector<Tensor> inputs = {part, network_.head().weight(), network_.head().bias(), target};
        chunk_loss = o.checkpoint(*this, std::move(inputs));
        loss = o.add(loss, chunk_loss);
        correct = o.add(correct, correct_);
        entropy = o.add(entropy, entropy_);
    });
    correct_ = entropy_ = nullptr;
    return o.scale(loss, Op::div);
}

Tensor fused_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& labels, const Tensor& mask) {
    const Tensor hidden = network.forward(o, ids, mask);
    const Tensor flat = o.view(hidden, Shape(hidden->shape.leading(), hidden->shape[-1]));
    Tensor padded;
    const Tensor target = shifted_labels(o, labels, padded);
    const Tensor& weight = network.head().weight();
    // A weight that autocast casts is in its cache from the first chunk on, so that the second one may be the peak.
    const Dim rows = atom(o, Atom::part_rows), last = atom(o, Atom::part_last);
    const std::int64_t chunks = (flat->shape[0].n() + rows.n() - 1) / rows.n();
    const Tensor loss = chunks == 1   ? o.liger_loss(flat, weight, {rows})
                        : chunks == 2 ? o.liger_loss(flat, weight, {rows, last})
                                      : o.liger_loss(flat, weight, {rows, rows});
    return o.scale(loss, Op::div);
}

Tensor backbone_loss(Operations& o, Network& network, const Tensor& ids, const Tensor& mask) {
    const Tensor hidden = network.forward(o, ids, mask);
    const Tensor wide = o.cast(hidden, DType::f32);
    return o.mean_all(wide);
}

// TRL 1.12.0, entropy_from_logits and the accuracy beside it, in slices of 128 rows
void metrics(Operations& o, const Tensor& logits) {
    const bool outer = std::exchange(o.grad, false);
    const Dim batch = logits->shape[0], length = atom(o, Atom::length_less_one), vocabulary = logits->shape[2];
    const Dim rows = batch * length;
    Tensor joined;
    {
        Tensor flat = o.slice(logits, 1, length);
        flat = o.reshape(flat, Shape(rows, vocabulary));
        std::vector<Tensor> entropies;
        Tensor log_probabilities, entropy;
        const Dim last_rows = atom(o, Atom::part_last);
        Loop{(rows.n() + rows_per_slice - 1) / rows_per_slice, Section::rows, o}.run([&](bool is_last) {
            const Tensor part = Tape::on(flat, Shape(is_last ? last_rows : Dim(rows_per_slice), vocabulary));
            log_probabilities = o.log_softmax(part);
            Tensor t;
            {
                const Tensor probabilities = o.saturating(log_probabilities, Op::exp);
                t = o.mul(probabilities, log_probabilities);
            }
            t = o.sum_last(t);
            entropy = o.neg(t);
            entropies.push_back(entropy);
        });
        joined = o.make(DType::f32, Shape(rows), Op::cat);
        entropies.clear();
        o.ledger.forget(Section::rows);
    }
    const Tensor best = o.make(DType::i64, Shape(batch, length), Op::argmax);
    const Tensor valid = o.make(DType::boolean, Shape(batch, length), Op::compare);
    o.grad = outer;
}

}  // namespace memory_budget::budget::step
