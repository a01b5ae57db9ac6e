// SPDX-License-Identifier: MIT
#include <algorithm>

#include "core/budget/kept.h"
#include "core/budget/step/play.h"

namespace memory_budget::budget::step {
namespace {

/// All that a play depends on.
struct Played {
    std::uint64_t regime;
    std::shared_ptr<const model::Architecture> architecture;  ///< the same object, which is kept alive so
    StepSettings settings;                                    ///< without a batch and length

    bool operator==(const Played&) const = default;
};

constexpr std::size_t kept_plays = 24;

}  // namespace

Schedule::Schedule(std::shared_ptr<const model::Architecture> architecture, const StepSettings& settings)
    : architecture_(std::move(architecture)), settings_(settings) {
    settings_.batch = settings_.sequence = 1;
    settings_.accumulation = std::min(settings_.accumulation, played_passes);
}
Schedule::~Schedule() = default;

Play& Schedule::play(std::int64_t batch, std::int64_t sequence) {
    const std::uint64_t key = regime(*architecture_, settings_, batch, sequence);
    for (const std::shared_ptr<Play>& p : plays_)
        if (p->regime() == key) return *p;
    static thread_local Kept<Played, std::shared_ptr<Play>, kept_plays> kept;
    plays_.push_back(kept.get({key, architecture_, settings_},
                              [&] { return std::make_shared<Play>(*architecture_, settings_, batch, sequence); }));
    return *plays_.back();
}

Step Schedule::step(std::int64_t batch, std::int64_t sequence) {
    return play(batch, sequence).step(values_at(*architecture_, settings_, batch, sequence));
}

std::int64_t Schedule::peak(std::int64_t batch, std::int64_t sequence) {
    return play(batch, sequence).peak(values_at(*architecture_, settings_, batch, sequence));
}

std::vector<Alive> Schedule::alive(std::int64_t batch, std::int64_t sequence, Phase phase, std::size_t most) {
    return play(batch, sequence).alive(values_at(*architecture_, settings_, batch, sequence), phase, most);
}

Step run(const model::Architecture& architecture, const StepSettings& settings) {
    const Play play(architecture, settings, settings.batch, settings.sequence);
    return play.step(values_at(architecture, settings, settings.batch, settings.sequence));
}

}  // namespace memory_budget::budget::step
