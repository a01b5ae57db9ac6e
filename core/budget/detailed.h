// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <memory>
#include <string>
#include <vector>

#include "core/budget/budget.h"
#include "core/budget/step/step.h"
#include "core/recipe/issue.h"
#include "core/recipe/recipe.h"

namespace memory_budget::budget::detailed {

/// A level at which memory is read: `allocated` is what tensors hold, `reserved` what the allocator holds, `device`
/// what the driver reports. Each holds the one before.
struct Level {
    std::string_view id;
    std::int64_t low_bytes;
    std::int64_t bytes;
    std::int64_t high_bytes;
};

struct Estimate {
    Budget budget;  ///< rows are the categories of tensors alive at the peak
    step::Step step;
    std::vector<step::Alive> alive;  ///< at the peak, the largest first
    std::array<Level, 3> levels;
    std::string_view inexact;  ///< why these figures are not exact; empty where they are
};

/// The settings of a dry run that a recipe stands for, once its stack has filled it.
/// `family` is the architecture's.
step::StepSettings settings_of(const recipe::Recipe& recipe, std::string_view family);

/// One training step of `architecture`, played through. `recipe` is filled by its stack already.
Estimate estimate(const std::shared_ptr<const model::Architecture>& architecture, const recipe::Recipe& recipe);

/// The peak of runs that differ in batch and length alone: what a search looks at.
class Outline {
  public:
    struct Peak {
        std::int64_t bytes;
        std::int64_t device_bytes;  ///< what the machine is asked for
    };

    /// `recipe` is filled by its stack already.
    Outline(const std::shared_ptr<const model::Architecture>& architecture, const recipe::Recipe& recipe);
    Peak at(std::int64_t batch, std::int64_t sequence);
    step::Phase phase(std::int64_t batch, std::int64_t sequence);
    /// What no peak of them is below, found without a play.
    std::int64_t resting_bytes() const;

  private:
    std::shared_ptr<const model::Architecture> architecture_;
    step::StepSettings settings_;
    step::Schedule schedule_;
};

/// Choices that contradict each other or that this basis does not count, as warnings.
void check(const recipe::Recipe& recipe, recipe::Issues& issues);

/// The rows gathered for a bar.
std::vector<Segment> segments(const Budget& budget, const recipe::Recipe& recipe);

}  // namespace memory_budget::budget::detailed
