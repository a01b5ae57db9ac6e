// SPDX-License-Identifier: MIT
#include "core/fit/changes.h"

#include <algorithm>

#include "core/fit/limits.h"

namespace memory_budget::fit {
namespace {

using recipe::Key;
using recipe::Recipe;

constexpr std::int64_t shortest_length = 128, lowest_rank = 1, most_gpus = 64;
/// Of a length no more is cut off than leaves this part of it: what is left beyond is another run.
constexpr std::int64_t part_kept = 4;

/// Tries levers on one recipe after the other.
class Search {
  public:
    Search(Gauge& gauge, const Recipe& recipe) : gauge_(gauge), now_(gauge.need(recipe)) {
        basis_ = recipe.choice<recipe::Basis>(Key::basis) == recipe::Basis::course ? recipe::basis_course
                                                                                   : recipe::basis_detailed;
    }

    const Need& now() const { return now_; }

    /// Pulls one lever more: the last as far as it must, another all the way. False where it does nothing, undoes what
    /// another did, or, of the last, is not enough.
    bool pull(const Lever& lever, bool last, Change& change) {
        const auto method = static_cast<std::uint8_t>(1u << change.recipe.integer(Key::method));
        if (!(lever.methods & method)) return false;
        change.levers.push_back(&lever);
        const std::size_t before = change.keys.size();
        const Recipe resolved = gauge_.resolved(change.recipe);
        const bool shared = resolved.choice<recipe::Sharding>(Key::sharding) != recipe::Sharding::none;
        for (const Set& set : lever.settings()) {
            if (!(recipe::parameter(set.key).bases & basis_) || (lever.scale == Scale::gpus && shared)) continue;
            const bool out = set.value != set.value;
            if (out ? !change.recipe.given(set.key) : resolved.number(set.key) == set.value) continue;
            if (!touch(set.key, before, change)) return false;
            if (out)
                change.recipe.clear(set.key);
            else
                change.recipe.set(set.key, set.value);
        }
        if (lever.scale == Scale::none) {
            if (change.keys.size() == before) return false;
            return !last || enough(change);
        }
        return last ? move(lever.scale, before, change) : lever.scale == Scale::batch && one_by_one(before, change);
    }

    bool both(const Lever& a, const Lever& b, Change& change) {
        const Change start = change;
        if (pull(a, false, change)) return pull(b, true, change);
        change = start;
        return pull(b, false, change) && pull(a, true, change);
    }

  private:
    static bool touch(Key key, std::size_t before, Change& change) {
        const auto others = change.keys.begin() + static_cast<std::ptrdiff_t>(before);
        if (std::find(change.keys.begin(), others, key) != others) return false;
        change.keys.push_back(key);
        return true;
    }

    bool enough(Change& change) {
        if (gauge_.hopeless(change.recipe)) return false;
        change.need = gauge_.need(change.recipe);
        return change.need.fits() && change.need.warnings <= now_.warnings;
    }

    bool move(Scale scale, std::size_t before, Change& change) {
        const auto now = [&](Key key) { return change.recipe.integer(key); };
        switch (scale) {
            case Scale::batch:
                return touch(Key::batch, before, change) && touch(Key::accumulation, before, change) &&
                       split_batch(now(Key::batch), now(Key::accumulation), change);
            case Scale::length:
                return touch(Key::sequence, before, change) &&
                       lower(Key::sequence, std::max(shortest_length, now(Key::sequence) / part_kept), change);
            case Scale::rank:
                return touch(Key::rank, before, change) && lower(Key::rank, lowest_rank, change);
            case Scale::gpus:
                if (!touch(Key::gpus, before, change)) return false;
                for (std::int64_t gpus = 2 * now(Key::gpus); gpus <= most_gpus; gpus *= 2) {
                    change.recipe.set(Key::gpus, static_cast<double>(gpus));
                    if (enough(change)) return true;
                }
                return false;
            case Scale::none:
                break;
        }
        return false;
    }

    static bool one_by_one(std::size_t before, Change& change) {
        const double all = change.recipe.number(Key::batch) * change.recipe.number(Key::accumulation);
        if (change.recipe.integer(Key::batch) == 1 || all > recipe::parameter(Key::accumulation).max) return false;
        if (!touch(Key::batch, before, change) || !touch(Key::accumulation, before, change)) return false;
        change.recipe.set(Key::batch, 1);
        change.recipe.set(Key::accumulation, all);
        return true;
    }

    /// The largest part of a batch that fits, the rest in turns.
    bool split_batch(std::int64_t batch, std::int64_t turns, Change& change) {
        const auto most = static_cast<std::int64_t>(recipe::parameter(Key::accumulation).max);
        for (std::int64_t part = batch - 1; part > 0; --part) {
            if (batch * turns % part != 0 || batch * turns / part > most) continue;
            change.recipe.set(Key::batch, static_cast<double>(part));
            const std::int64_t accumulation = batch * turns / part;
            change.recipe.set(Key::accumulation, static_cast<double>(accumulation));
            if (enough(change)) return true;
        }
        return false;
    }

    bool lower(Key key, std::int64_t least, Change& change) {
        const std::int64_t now = change.recipe.integer(key);
        if (now <= least || (key != Key::rank && gauge_.hopeless(change.recipe))) return false;
        const Limit limit = largest(gauge_, change.recipe, key, least, now - 1);
        if (!limit.any) return false;
        change.recipe.set(key, static_cast<double>(limit.value));
        return enough(change);
    }

    Gauge& gauge_;
    Need now_;
    std::uint8_t basis_;
};

bool is_new(const std::vector<Change>& list, const Change& change) {
    return std::none_of(list.begin(), list.end(), [&](const Change& c) { return c.recipe == change.recipe; });
}

}  // namespace

int Change::effort() const {
    int sum = 0;
    for (const Lever* lever : levers) sum += lever->effort;
    return sum;
}

Changes changes(Gauge& gauge, const Recipe& recipe) {
    Search search(gauge, recipe);
    Changes found = {search.now(), {}, {}};
    if (!found.now.known || found.now.fits()) return found;
    for (const Lever& lever : levers()) {
        Change change = {{}, {}, recipe, {}};
        if (search.pull(lever, true, change) && is_new(found.alone, change)) found.alone.push_back(std::move(change));
    }
    if (!found.alone.empty()) return found;

    struct Pair {
        const Lever *first, *second;
        int effort;
    };
    std::vector<Pair> pairs;
    for (const Lever& a : levers())
        for (const Lever& b : levers())
            if (&a < &b) pairs.push_back({&a, &b, a.effort + b.effort});
    std::stable_sort(pairs.begin(), pairs.end(), [](const Pair& a, const Pair& b) { return a.effort < b.effort; });
    for (const Pair& pair : pairs) {
        // What is moved as far as it must comes second, and a lever that needs an adapter after the one that brings it.
        const bool scaled = pair.first->scale != Scale::none;
        Change change = {{}, {}, recipe, {}};
        const bool fits = search.both(scaled ? *pair.second : *pair.first, scaled ? *pair.first : *pair.second, change);
        if (!fits || !is_new(found.pairs, change)) continue;
        found.pairs.push_back(std::move(change));
        if (found.pairs.size() == most_pairs) break;
    }
    return found;
}

}  // namespace memory_budget::fit
