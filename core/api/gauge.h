// SPDX-License-Identifier: MIT
#pragma once

#include <optional>

#include "core/api/evaluate.h"
#include "core/budget/detailed.h"
#include "core/fit/gauge.h"

namespace memory_budget::api {

/// Counts runs of one model in the basis that each recipe asks for, to the byte as `evaluate` does. Runs that follow
/// one another and differ in batch and length alone cost little.
class RunGauge final : public fit::Gauge {
  public:
    explicit RunGauge(const Model& model) : model_(model) {}

    fit::Need need(const recipe::Recipe& recipe) override;
    bool hopeless(const recipe::Recipe& recipe) override;
    recipe::Recipe resolved(const recipe::Recipe& recipe) override;
    std::string_view peak_phase(const recipe::Recipe& recipe) override;

  private:
    void prepare(const recipe::Recipe& recipe);

    const Model& model_;
    std::optional<recipe::Recipe> prepared_;
    std::optional<budget::detailed::Outline> outline_;  ///< in the detailed basis
    budget::Budget budget_;                             ///< in the course basis, at one token
    bool known_ = false;
    std::size_t warnings_ = 0;
};

}  // namespace memory_budget::api
