// SPDX-License-Identifier: MIT
#include "core/budget/step/play.h"

namespace memory_budget::budget::step {

Schedule::Schedule(const model::Architecture& architecture, const StepSettings& settings)
    : architecture_(architecture), settings_(settings) {}
Schedule::~Schedule() = default;

Play& Schedule::play(std::int64_t batch, std::int64_t sequence) {
    const std::uint64_t key = regime(architecture_, settings_, batch, sequence);
    for (const std::unique_ptr<Play>& p : plays_)
        if (p->regime() == key) return *p;
    plays_.push_back(std::make_unique<Play>(architecture_, settings_, batch, sequence));
    return *plays_.back();
}

Step Schedule::step(std::int64_t batch, std::int64_t sequence) {
    return play(batch, sequence).step(values_at(architecture_, batch, sequence));
}

std::int64_t Schedule::peak(std::int64_t batch, std::int64_t sequence) {
    return play(batch, sequence).peak(values_at(architecture_, batch, sequence));
}

std::vector<Alive> Schedule::alive(std::int64_t batch, std::int64_t sequence, Phase phase, std::size_t most) {
    return play(batch, sequence).alive(values_at(architecture_, batch, sequence), phase, most);
}

Step run(const model::Architecture& architecture, const StepSettings& settings) {
    Schedule schedule(architecture, settings);
    return schedule.step(settings.batch, settings.sequence);
}

}  // namespace memory_budget::budget::step
