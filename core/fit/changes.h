// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "core/fit/gauge.h"
#include "core/fit/levers.h"

namespace memory_budget::fit {

/// One lever, or two together, pulled as far as a run needs to fit.
struct Change {
    std::vector<const Lever*> levers;
    std::vector<recipe::Key> keys;  ///< that differ from the recipe it starts from
    recipe::Recipe recipe;
    Need need;

    int effort() const;
};

/// What would make a run fit. Both lists stand in order of effort.
struct Changes {
    Need now;
    std::vector<Change> alone;  ///< empty where the run fits as it is
    std::vector<Change> pairs;  ///< looked for where nothing helps alone, the first `most_pairs` of them
};

inline constexpr std::size_t most_pairs = 8;

Changes changes(Gauge& gauge, const recipe::Recipe& recipe);

}  // namespace memory_budget::fit
