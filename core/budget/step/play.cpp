// SPDX-License-Identifier: MIT
#include "core/budget/step/play.h"

#include <algorithm>
#include <optional>

#include "core/budget/step/arrivals.h"
#include "core/budget/step/loss.h"
#include "core/budget/step/optimizer.h"

namespace memory_budget::budget::step {

namespace {

constexpr std::int64_t divide_up(std::int64_t a, std::int64_t b) {
    return (a + b - 1) / b;
}
constexpr std::int64_t round_up(std::int64_t a, std::int64_t to) {
    return divide_up(a, to) * to;
}

/// Liger 0.8.5, ops/fused_linear_cross_entropy.py: rows of a chunk so that its logits are no larger than the input.
std::int64_t fused_rows(const model::Architecture& a, std::int64_t tokens) {
    const std::int64_t share = divide_up(tokens, divide_up(a.vocabulary, a.hidden));
    std::int64_t rows = 1;
    while (rows < share) rows *= 2;
    return std::min(rows, tokens);
}

}  // namespace

Values values_at(const model::Architecture& a, const StepSettings& run, std::int64_t batch, std::int64_t sequence) {
    Values v;
    const auto set = [&](Atom atom, std::int64_t n) { v.atoms[static_cast<std::size_t>(atom)] = n; };
    set(Atom::batch, batch);
    set(Atom::length, sequence);
    set(Atom::length_less_one, sequence - 1);
    set(Atom::length_plus_one, sequence + 1);
    set(Atom::length_to_16, round_up(sequence, 16));
    set(Atom::length_to_32, round_up(sequence, 32));
    set(Atom::length_to_64, round_up(sequence, 64));
    set(Atom::length_to_128, round_up(sequence, 128));
    set(Atom::length_convolved, sequence);
    for (const model::Block& block : a.blocks)
        if (block.attention.convolution.kernel > 0)
            set(Atom::length_convolved, sequence + block.attention.convolution.kernel - 1);
    const std::int64_t labelled = batch * (sequence - 1);
    const auto loop = [&](Atom last, Section section, std::int64_t each) {
        const std::int64_t turns = divide_up(labelled, each);
        set(last, labelled - (turns - 1) * each);
        v.extra[static_cast<std::size_t>(section)] = std::max<std::int64_t>(0, turns - played_turns);
    };
    const std::int64_t tokens = batch * sequence;
    set(Atom::expert_rows, tokens);
    for (const model::Block& block : a.blocks)
        if (block.experts.present())
            set(Atom::expert_rows, divide_up(tokens * block.experts.per_token, block.experts.count));
    set(Atom::part_rows, tokens);
    switch (run.loss) {
        case Loss::chunked:
            if (run.modules == Modules::litgpt || run.modules == Modules::torchtune) {
                const std::int64_t part =
                    run.modules == Modules::litgpt ? std::min<std::int64_t>(sequence, 128) : divide_up(sequence, 8);
                set(Atom::part_rows, batch * part);
                break;
            }
            loop(Atom::part_last, Section::chunk, tokens_per_chunk);
            break;
        case Loss::fused: {
            const std::int64_t fused = fused_rows(a, tokens);
            set(Atom::part_rows, fused);
            set(Atom::part_last, tokens - (divide_up(tokens, fused) - 1) * fused);
            break;
        }
        default:
            loop(Atom::part_last, Section::rows, rows_per_slice);
    }
    return v;
}

std::uint64_t regime(const model::Architecture& a, const StepSettings& run, std::int64_t batch, std::int64_t sequence) {
    std::uint64_t key = 0;
    const auto add = [&](std::uint64_t value, int bits) { key = key << bits | value; };
    constexpr std::int64_t short_length = 8;  // so short that sizes of the model and of the run may coincide
    add(batch == 1, 1);
    add(static_cast<std::uint64_t>(std::min(sequence, short_length)), 4);
    const bool windowed = a.window > 0 && sequence >= a.window && run.attention != AttentionPath::flash_attention_2;
    add(windowed, 1);
    add((windowed || a.always_masked || run.attention == AttentionPath::masked) && sequence % 16 != 0, 1);
    add(run.method == Method::qlora && batch * sequence > 1536, 1);
    const std::int64_t labelled = batch * (sequence - 1);
    const auto turns = [&](bool used, std::int64_t each) {
        add(used ? static_cast<std::uint64_t>(std::min(divide_up(labelled, each), played_turns)) : 0, 3);
    };
    turns(run.loss == Loss::chunked, tokens_per_chunk);
    turns(run.loss == Loss::full && run.metrics, rows_per_slice);
    if (run.loss == Loss::fused) {
        const std::int64_t tokens = batch * sequence;
        add(static_cast<std::uint64_t>(std::min<std::int64_t>(divide_up(tokens, fused_rows(a, tokens)), 3)), 2);
    }
    return key;
}

std::int64_t resting_bytes(const model::Architecture& a, const StepSettings& settings) {
    constexpr std::int64_t any_length = 16;
    const Values values = values_at(a, settings, 1, any_length);
    Operations o(values);
    o.half_type = dtype_of(settings.half);
    Build build(o, settings);
    const std::vector<PlayedBlock> played = played_blocks(a, settings, any_length, o.ledger.stretch);
    const Network network(build, a, played);
    build.narrow_biases();
    build.choose_stepped();
    const std::vector<Tensor> states = optimizer_states(build, settings.optimizer);
    return o.ledger.bytes();
}

Play::Play(const model::Architecture& a, const StepSettings& settings, std::int64_t batch, std::int64_t sequence,
           Log* log)
    : regime_(step::regime(a, settings, batch, sequence)), made_at_(values_at(a, settings, batch, sequence)) {
    Operations o(made_at_, log);
    Ledger& ledger = o.ledger;
    o.half_type = dtype_of(settings.half);
    Build build(o, settings);
    const std::vector<PlayedBlock> played =
        log == nullptr ? played_blocks(a, settings, sequence, ledger.stretch) : all_blocks(a, settings);
    Network network(build, a, played);
    loaded_ = ledger.now(Op::none);
    build.narrow_biases();
    build.choose_stepped();
    narrowed_ = ledger.now(Op::none);
    const std::vector<Tensor> states = optimizer_states(build, settings.optimizer);
    stateful_ = ledger.now(Op::none);

    StepInBackward step_in_backward(build);
    std::optional<WideGradients> wide;
    if (settings.step_in_backward) o.on_gradient = &step_in_backward;
    if (settings.master && settings.wide_gradients) {
        wide.emplace(build);
        o.on_gradient = &*wide;
    }

    const Shape tokens(Dim(batch, power(Atom::batch)), Dim(sequence, power(Atom::length)));
    const Tensor ids = o.make(DType::i64, tokens, Op::token_ids), labels = o.make(DType::i64, tokens, Op::labels);
    Tensor mask;
    if (settings.attention == AttentionPath::masked) mask = o.make(DType::i64, tokens, Op::attention_mask);
    const auto end = [&](Phase phase) { ends_[static_cast<std::size_t>(phase)] = ledger.now(Op::none); };
    ChunkedLoss chunked(o, network);
    const std::int64_t passes = std::min(settings.accumulation, played_passes);
    for (std::int64_t pass = 0; pass < passes; ++pass) {
        if (network.rank() != nullptr) network.rank()->last_pass = pass + 1 == passes;
        ledger.enter(Phase::forward);
        o.begin_autocast(settings.autocast);
        o.offload.on = settings.activation_offload;
        Tensor loss, logits;
        const bool measured = settings.loss == Loss::full && settings.metrics;
        switch (settings.loss) {
            case Loss::chunked:
                loss = settings.modules == Modules::transformers || settings.modules == Modules::mlx
                           ? chunked.forward(ids, mask)
                           : parted_loss(o, network, ids, mask, logits);
                break;
            case Loss::fused:
                loss = fused_loss(o, network, ids, labels, mask);
                break;
            case Loss::backbone:
                loss = backbone_loss(o, network, ids, mask);
                break;
            case Loss::in_place:
                loss = in_place_loss(o, network, ids, labels, mask, logits);
                break;
            case Loss::full:
                loss = full_loss(o, network, ids, labels, mask, logits);
                // Accelerate gives the output back in 32 bits where it was made under autocast.
                if (measured && settings.autocast) logits = o.cast(logits, DType::f32);
                break;
        }
        if (network.rank() != nullptr) network.rank()->after_forward(0);
        o.end_autocast();
        o.offload.on = false;
        end(Phase::forward);
        if (measured) {
            ledger.enter(Phase::metrics);
            metrics(o, logits);
            end(Phase::metrics);
        }
        // LitGPT's loop holds on to the logits until the next step.
        if (settings.modules != Modules::litgpt) logits = nullptr;
        if (settings.kept_cache) network.drop_cache(o);
        end(Phase::forward);
        if (pass == 0) saved_ = ledger.now(Op::none);
        ledger.enter(Phase::backward);
        if (network.rank() != nullptr) network.rank()->before_backward();
        // Of a single token none has a label: the chunked loss has no chunk and there is nothing to go back from.
        if (loss->node) o.backward(loss);
        if (network.rank() != nullptr) network.let_go(o);
        if (network.rank() != nullptr) network.rank()->after_backward(network.rank()->last_pass);
        loss = nullptr;
        end(Phase::backward);
    }
    if (Rank* const rank = network.rank()) {
        rank->step();
    } else {
        if (!settings.step_in_backward) {
            ledger.enter(Phase::clip);
            clip_gradients(build);
            end(Phase::clip);
        }
        ledger.enter(Phase::optimizer);
        ledger.mark();
        if (!settings.step_in_backward) optimizer_step(build, settings.optimizer, build.stepped);
        build.drop_gradients();
    }
    end(Phase::optimizer);

    for (int i = 0; i < phase_count; ++i)
        moments_[static_cast<std::size_t>(i)] = std::move(ledger.moments(static_cast<Phase>(i)));
    kinds_ = ledger.kinds();
    sizes_ = ledger.sizes();
}

std::vector<std::int64_t> Play::evaluate(const Values& values) const {
    std::vector<std::int64_t> bytes(sizes_.size());
    for (std::size_t i = 0; i < bytes.size(); ++i) bytes[i] = sizes_[i].value(values);
    return bytes;
}

namespace {

std::int64_t total(const Moment& m, const std::vector<std::int64_t>& sizes) {
    std::int64_t sum = 0;
    for (std::size_t i = 0; i < m.sizes.size(); ++i) sum += m.sizes[i] * sizes[i];
    return sum;
}

}  // namespace

const Moment* Play::highest(const std::vector<std::int64_t>& sizes, Phase phase, std::int64_t& bytes) const {
    const Moment* best = nullptr;
    bytes = -1;
    for (const Moment& m : moments_[static_cast<std::size_t>(phase)]) {
        const std::int64_t t = total(m, sizes);
        if (t <= bytes) continue;
        bytes = t;
        best = &m;
    }
    return best;
}

namespace {

bool no_higher(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& b) {
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > b[i]) return false;
    return true;
}

/// Whether `x` is nowhere above the straight line from `a` to `b`, so that one of these is as high at any batch and
/// length: of the blocks of a network those in the middle are on a line between the first and the last.
bool under_line(const std::vector<std::int64_t>& a, const std::vector<std::int64_t>& x,
                const std::vector<std::int64_t>& b) {
    const std::int64_t to_a = x[0] - a[0], to_b = b[0] - x[0];
    if (to_a <= 0 || to_b <= 0) return false;
    for (std::size_t i = 1; i < x.size(); ++i)
        if (x[i] * (to_a + to_b) > a[i] * to_b + b[i] * to_a) return false;
    return true;
}

}  // namespace

/// The moments of all phases together, without those that another one, or two others, make needless.
void Play::gather_tops() {
    struct Top {
        std::vector<std::int64_t> sizes;
        Op op;
    };
    std::vector<Top> all;
    for (int phase = 1; phase < phase_count; ++phase) {
        for (const Moment& m : moments_[static_cast<std::size_t>(phase)]) {
            Top top = {m.sizes, m.op};
            top.sizes.resize(sizes_.size(), 0);
            all.push_back(std::move(top));
        }
    }
    for (std::size_t i = 0; i < all.size();) {
        bool needless = false;
        for (std::size_t j = 0; j < all.size() && !needless; ++j) {
            if (i == j) continue;
            needless = no_higher(all[i].sizes, all[j].sizes);
            if (needless || all[j].op != all[i].op || all[j].sizes[0] >= all[i].sizes[0]) continue;
            for (std::size_t k = 0; k < all.size() && !needless; ++k)
                needless = all[k].op == all[i].op && under_line(all[j].sizes, all[i].sizes, all[k].sizes);
        }
        if (!needless) {
            ++i;
            continue;
        }
        std::swap(all[i], all.back());
        all.pop_back();
    }
    for (const Top& top : all) tops_.insert(tops_.end(), top.sizes.begin(), top.sizes.end());
}

std::int64_t Play::peak(const Values& values) {
    if (tops_.empty()) gather_tops();
    const std::vector<std::int64_t> sizes = evaluate(values);
    std::int64_t most = 0;
    for (std::size_t at = 0; at < tops_.size(); at += sizes.size()) {
        std::int64_t sum = 0;
        for (std::size_t i = 0; i < sizes.size(); ++i) sum += tops_[at + i] * sizes[i];
        most = std::max(most, sum);
    }
    return most;
}

Step Play::step(const Values& values) const {
    const std::vector<std::int64_t> sizes = evaluate(values);
    const auto ended = [&](Phase p) { return total(ends_[static_cast<std::size_t>(p)], sizes); };
    Step s;
    s.after_load = total(loaded_, sizes);
    s.after_forward = ended(Phase::forward);
    s.after_backward = ended(Phase::backward);
    s.after_step = ended(Phase::optimizer);
    for (const Moment& m : ends_) s.host_bytes = std::max(s.host_bytes, on_host(m, sizes));
    const std::int64_t stateful = total(stateful_, sizes), states = stateful - total(narrowed_, sizes);
    s.saved_for_backward = total(saved_, sizes) - stateful;
    for (int i = 1; i < phase_count; ++i) {
        const auto phase = static_cast<Phase>(i);
        PhaseMemory m = {phase, 0, ended(phase), {}, Op::none};
        const Moment* top = highest(sizes, phase, m.peak_bytes);
        if (top == nullptr) continue;
        m.op = top->op;
        for (std::size_t k = 0; k < top->counts.size(); ++k)
            m.by_category[static_cast<std::size_t>(kinds_[k].category)] +=
                top->counts[k] * kinds_[k].units * sizes[kinds_[k].size];
        if (m.peak_bytes > s.peak_bytes) {
            s.peak_bytes = m.peak_bytes;
            s.peak_phase = phase;
        }
        s.first_peak_bytes = std::max(s.first_peak_bytes, m.peak_bytes - (phase == Phase::optimizer ? 0 : states));
        s.phases.push_back(m);
    }
    return s;
}

std::int64_t Play::on_host(const Moment& m, const std::vector<std::int64_t>& sizes) const {
    std::int64_t sum = 0;
    for (std::size_t k = 0; k < m.counts.size(); ++k)
        if (kinds_[k].host_units != 0) sum += m.counts[k] * kinds_[k].host_units * sizes[kinds_[k].size];
    return sum;
}

std::vector<Alive> Play::alive(const Values& values, Phase phase, std::size_t most) const {
    const std::vector<std::int64_t> sizes = evaluate(values);
    std::int64_t bytes = 0;
    const Moment* top = highest(sizes, phase, bytes);
    std::vector<Alive> list;
    if (top == nullptr) return list;
    for (std::size_t k = 0; k < top->counts.size(); ++k) {
        const Kind& kind = kinds_[k];
        if (top->counts[k] == 0 || kind.category == Category::host) continue;
        const std::int64_t times = kind.times == Section::none ? 1 : values.extra[static_cast<std::size_t>(kind.times)];
        Alive a = {kind.dtype,
                   kind.op,
                   kind.made,
                   kind.category,
                   {},
                   top->counts[k] * times,
                   top->counts[k] * kind.units * sizes[kind.size]};
        for (int i = 0; i < kind.shape.rank; ++i) {
            const Dim d = kind.shape[i];
            a.shape.push_back(d.atoms() == 0 ? d.n() : d.n() / made_at_.product(d.atoms()) * values.product(d.atoms()));
        }
        list.push_back(std::move(a));
    }
    // Stable: equal sizes stand in one order whatever the standard library.
    std::stable_sort(list.begin(), list.end(), [](const Alive& a, const Alive& b) { return a.bytes > b.bytes; });
    if (list.size() > most) list.resize(most);
    return list;
}

}  // namespace memory_budget::budget::step
