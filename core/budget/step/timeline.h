// SPDX-License-Identifier: MIT
#pragma once

#include "core/budget/step/step.h"

namespace memory_budget::budget::step {

/// Memory at one moment of a step: after an operation made its tensors, or after tensors went.
struct TimelineMoment {
    Phase phase;
    Op op;  ///< what made or held the last tensor that changed
    std::int64_t bytes;
    std::array<std::int64_t, category_count> by_category;
    struct Held {
        std::size_t tensor;  ///< index in `Timeline::tensors`
        std::int64_t count;
    };
    std::vector<Held> largest;  ///< alive now, the largest first
};

/// One training step in its order, the model and the optimizer's states in memory from the start.
struct Timeline {
    std::vector<TimelineMoment> moments;
    std::vector<Alive> tensors;  ///< `count` is 1 and `bytes` those of one
    std::size_t peak = 0;        ///< index of the first of the highest moments
};

/// A step at the settings' own batch and length, every block played by itself. Of its local maxima and minima no more
/// than about `most` are given: each phase keeps its highest, and its stretches their highest and lowest. `largest` is
/// how many tensors a moment lists. The architecture must be playable.
Timeline timeline(const model::Architecture& architecture, const StepSettings& settings, std::size_t most,
                  std::size_t largest);

}  // namespace memory_budget::budget::step
