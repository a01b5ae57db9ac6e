// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

#include "core/fit/fit.h"
#include "core/recipe/recipe.h"

namespace memory_budget::fit {

/// What a run asks of its machine, as far as a search looks at it.
struct Need {
    bool known = false;  ///< false where it cannot be counted, or is beyond 2^53 bytes
    std::int64_t total_bytes = 0;
    Fit fit = {};
    std::size_t warnings = 0;  ///< how much in the recipe contradicts itself

    bool fits() const { return known && fit.fits(); }
};

/// Counts runs of one model, one recipe after the other.
class Gauge {
  public:
    virtual Need need(const recipe::Recipe& recipe) = 0;
    /// Whether a run cannot fit whatever its batch and length; true at little cost, or false.
    virtual bool hopeless(const recipe::Recipe& recipe) = 0;
    /// The recipe with all that is in use where nothing was given.
    virtual recipe::Recipe resolved(const recipe::Recipe& recipe) = 0;
    /// The phase of a step that sets the peak; empty where the basis knows none.
    virtual std::string_view peak_phase(const recipe::Recipe& recipe) = 0;

  protected:
    ~Gauge() = default;
};

}  // namespace memory_budget::fit
