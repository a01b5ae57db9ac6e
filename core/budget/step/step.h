// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string_view>
#include <vector>

#include "core/budget/step/ledger.h"
#include "core/budget/step/settings.h"
#include "core/model/architecture.h"

namespace memory_budget::budget::step {

/// Tensors that are alike at one moment.
struct Alive {
    DType dtype;
    Op op;       ///< what made them
    Phase made;  ///< a recomputed block's tensors are made in backward
    Category category;
    std::vector<std::int64_t> shape;
    std::int64_t count;
    std::int64_t bytes;  ///< all of them
};

struct PhaseMemory {
    Phase id;
    std::int64_t peak_bytes;
    std::int64_t end_bytes;
    std::array<std::int64_t, category_count> by_category;  ///< at the peak
    Op op;                                                 ///< the operation at the peak
};

/// The memory of one training step, in bytes that tensors hold, each rounded up to 512.
struct Step {
    std::int64_t after_load = 0, after_forward = 0, after_backward = 0, after_step = 0;
    std::int64_t saved_for_backward = 0;  ///< alive at the end of forward and neither parameters nor states
    std::int64_t peak_bytes = 0;
    Phase peak_phase = Phase::forward;
    std::int64_t host_bytes = 0;        ///< what waits in the host's memory, at most
    std::int64_t first_peak_bytes = 0;  ///< of the first step, in which the optimizer's states come at its end
    std::vector<PhaseMemory> phases;
};

/// Whether all pieces that the network is made of are known here; without that there is no step to play.
bool playable(const model::Architecture& architecture);

/// Why a run's figures are not offered as exact, as a code; empty where they are: `family-not-checked`,
/// `optimizer-not-traced`, `checkpointing-not-traced`, `sharding-not-traced`, `stack-not-traced`.
std::string_view inexact(const model::Architecture& architecture, const StepSettings& settings);

class Play;

/// A run's memory over batch and length: plays a step once for each regime and evaluates it as often as asked.
/// A regime is what decides which tensors there are: whether the window is reached, how many chunks a loop has,
/// which sizes are one. The architecture must be playable. The last plays are kept for schedules of the same run.
class Schedule {
  public:
    Schedule(std::shared_ptr<const model::Architecture> architecture, const StepSettings& settings);
    ~Schedule();
    Schedule(const Schedule&) = delete;
    Schedule& operator=(const Schedule&) = delete;

    Step step(std::int64_t batch, std::int64_t sequence);
    std::int64_t peak(std::int64_t batch, std::int64_t sequence);
    /// The tensors alive at a phase's peak, the largest first.
    std::vector<Alive> alive(std::int64_t batch, std::int64_t sequence, Phase phase, std::size_t most);

  private:
    Play& play(std::int64_t batch, std::int64_t sequence);

    std::shared_ptr<const model::Architecture> architecture_;
    StepSettings settings_;
    std::vector<std::shared_ptr<Play>> plays_;
};

/// The step at the settings' own batch and length.
Step run(const model::Architecture& architecture, const StepSettings& settings);

}  // namespace memory_budget::budget::step
