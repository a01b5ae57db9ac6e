// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/step.h"

namespace memory_budget::budget::step {

/// All later passes of an accumulation are like the second.
inline constexpr std::int64_t played_passes = 2;

/// Atoms and repetitions at a batch and length.
Values values_at(const model::Architecture& architecture, const StepSettings& settings, std::int64_t batch,
                 std::int64_t sequence);

/// All comparisons of a play that depend on batch and length, as one number: plays of equal regimes are the same
/// sequence of events.
std::uint64_t regime(const model::Architecture& architecture, const StepSettings& settings, std::int64_t batch,
                     std::int64_t sequence);

/// What is in memory whatever the batch and length: the model as loaded and the optimizer's states. No peak is below
/// it, and it takes no play.
std::int64_t resting_bytes(const model::Architecture& architecture, const StepSettings& settings);

/// A step that has been played: the moments that can be a phase's peak, and those between phases.
class Play {
  public:
    /// With a log every block is played by itself, and there are no moments: only the log, `kinds` and `made_at`.
    Play(const model::Architecture& architecture, const StepSettings& settings, std::int64_t batch,
         std::int64_t sequence, Log* log = nullptr);

    const std::vector<Kind>& kinds() const { return kinds_; }
    const Values& made_at() const { return made_at_; }

    std::uint64_t regime() const { return regime_; }
    std::int64_t peak(const Values& values);
    Step step(const Values& values) const;
    std::vector<Alive> alive(const Values& values, Phase phase, std::size_t most) const;

  private:
    std::vector<std::int64_t> evaluate(const Values& values) const;
    const Moment* highest(const std::vector<std::int64_t>& sizes, Phase phase, std::int64_t& bytes) const;

    std::int64_t on_host(const Moment& moment, const std::vector<std::int64_t>& sizes) const;
    void gather_tops();

    std::uint64_t regime_;
    Values made_at_;
    std::vector<std::int64_t> tops_;  ///< units by size, of all moments that can be the step's peak, one after another
    std::vector<Kind> kinds_;
    std::vector<Size> sizes_;
    std::array<std::vector<Moment>, static_cast<std::size_t>(Phase::count)> moments_;
    std::array<Moment, static_cast<std::size_t>(Phase::count)> ends_;
    Moment loaded_, narrowed_, stateful_, saved_;  ///< after loading, its casts, the states; after the first forward
};

}  // namespace memory_budget::budget::step
