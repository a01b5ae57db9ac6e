// SPDX-License-Identifier: MIT
#include "core/budget/step/timeline.h"

#include <algorithm>

#include "core/budget/step/play.h"

namespace memory_budget::budget::step {
namespace {

/// After change `at` of the log.
struct Turn {
    std::size_t at;
    std::int64_t bytes;
    Phase phase;
};

/// The local maxima and minima, and the two ends of each phase.
std::vector<Turn> turning_points(const Log& log, const std::vector<Kind>& kinds) {
    std::vector<Turn> turns;
    std::int64_t bytes = 0;
    bool rising = true;
    for (std::size_t i = 0; i < log.changes.size(); ++i) {
        const Log::Change& change = log.changes[i];
        const bool next_phase = i > 0 && change.phase != log.changes[i - 1].phase;
        const bool turned = !change.moved && (change.count > 0) != rising;
        if (i > 0 && (next_phase || turned)) turns.push_back({i - 1, bytes, log.changes[i - 1].phase});
        if (next_phase) turns.push_back({i - 1, bytes, change.phase});
        if (!change.moved) rising = change.count > 0;
        bytes += kinds[change.kind].bytes * change.count;
    }
    if (!log.changes.empty()) turns.push_back({log.changes.size() - 1, bytes, log.changes.back().phase});
    return turns;
}

/// Of the turns from `begin` to `end` about `most`: the highest and the lowest of each of equal stretches.
void thin(const std::vector<Turn>& turns, std::size_t begin, std::size_t end, std::size_t most,
          std::vector<Turn>& kept) {
    const auto lower = [](const Turn& a, const Turn& b) { return a.bytes < b.bytes; };
    const std::size_t stretches = std::min(std::max<std::size_t>(most / 2, 1), end - begin);
    for (std::size_t i = 0; i < stretches; ++i) {
        const auto from = turns.begin() + static_cast<std::ptrdiff_t>(begin + (end - begin) * i / stretches);
        const auto to = turns.begin() + static_cast<std::ptrdiff_t>(begin + (end - begin) * (i + 1) / stretches);
        const Turn high = *std::max_element(from, to, lower), low = *std::min_element(from, to, lower);
        kept.push_back(high.at < low.at ? high : low);
        if (high.at != low.at) kept.push_back(high.at < low.at ? low : high);
    }
}

/// Every phase keeps a few; the rest is shared out by how much happens in it.
std::vector<Turn> thinned(const std::vector<Turn>& turns, std::size_t most) {
    constexpr std::size_t each = 8;
    const std::size_t shared = most > each * phase_count ? most - each * phase_count : 0;
    std::vector<Turn> kept;
    for (std::size_t begin = 0; begin < turns.size();) {
        std::size_t end = begin;
        while (end < turns.size() && turns[end].phase == turns[begin].phase) ++end;
        thin(turns, begin, end, each + shared * (end - begin) / turns.size(), kept);
        begin = end;
    }
    return kept;
}

/// What is alive, and which kind of tensor stands where in a timeline's list.
class Alives {
  public:
    explicit Alives(const Play& play)
        : play_(play), kinds_(play.kinds()), counts_(kinds_.size(), 0), place_(kinds_.size(), 0) {}

    void apply(const Log::Change& change) { counts_[change.kind] += change.count; }

    TimelineMoment moment(const Turn& turn, Op op, std::size_t largest, std::vector<Alive>& tensors) {
        TimelineMoment m = {turn.phase, op, turn.bytes, {}, {}};
        std::vector<std::size_t> alive;
        for (std::size_t k = 0; k < counts_.size(); ++k) {
            m.by_category[static_cast<std::size_t>(kinds_[k].category)] += bytes(k);
            if (counts_[k] > 0) alive.push_back(k);
        }
        std::stable_sort(alive.begin(), alive.end(), [&](std::size_t a, std::size_t b) { return bytes(a) > bytes(b); });
        if (alive.size() > largest) alive.resize(largest);
        for (const std::size_t k : alive) m.largest.push_back({place(k, tensors), counts_[k] * turns(k)});
        return m;
    }

  private:
    std::int64_t bytes(std::size_t kind) const { return kinds_[kind].bytes * counts_[kind]; }

    /// Of a loop's further turns a kind holds all at once.
    std::int64_t turns(std::size_t kind) const {
        const Section times = kinds_[kind].times;
        return times == Section::none ? 1 : play_.made_at().extra[static_cast<std::size_t>(times)];
    }

    std::size_t place(std::size_t kind, std::vector<Alive>& tensors) {
        if (place_[kind] == 0) {
            const Kind& k = kinds_[kind];
            Alive tensor = {k.dtype, k.op, k.made, k.category, {}, 1, k.bytes / turns(kind)};
            for (int i = 0; i < k.shape.rank; ++i) tensor.shape.push_back(k.shape[i].n());
            tensors.push_back(std::move(tensor));
            place_[kind] = tensors.size();
        }
        return place_[kind] - 1;
    }

    const Play& play_;
    const std::vector<Kind>& kinds_;
    std::vector<std::int64_t> counts_;
    std::vector<std::size_t> place_;  ///< one more than the index, 0 for none
};

}  // namespace

Timeline timeline(const model::Architecture& architecture, const StepSettings& settings, std::size_t most,
                  std::size_t largest) {
    Log log;
    const Play play(architecture, settings, settings.batch, settings.sequence, &log);
    Timeline line;
    Alives alives(play);
    std::size_t done = 0;
    for (const Turn& turn : thinned(turning_points(log, play.kinds()), most)) {
        for (; done <= turn.at; ++done) alives.apply(log.changes[done]);
        const Op op = play.kinds()[log.changes[turn.at].kind].op;
        line.moments.push_back(alives.moment(turn, op, largest, line.tensors));
        if (turn.bytes > line.moments[line.peak].bytes) line.peak = line.moments.size() - 1;
    }
    return line;
}

}  // namespace memory_budget::budget::step
