// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <vector>

#include "core/budget/budget.h"
#include "core/recipe/issue.h"
#include "core/recipe/recipe.h"

namespace memory_budget::budget::course {

/// Bytes that each trained parameter takes, by role.
struct BytesPerParameter {
    double weights;
    double gradients;
    double optimizer;
    double master;
    double base;  ///< a frozen parameter, as the method stores it

    double total() const { return weights + gradients + optimizer + master; }
    double states() const { return optimizer + master; }
};

/// What the lesson takes for a 4-bit base: four bits and the constants of quantisation.
inline constexpr double base_4bit = 0.55;
/// The lesson's ratio to Q4_K_M ("about twenty-six") implies this many bytes a parameter.
inline constexpr double q4_k_m = 0.615;
/// The guide's share of an adapter, used only where the sizes that give the exact count are not known.
inline constexpr double assumed_adapter_share = 0.005;

BytesPerParameter bytes_per_parameter(const recipe::Recipe& recipe);

/// Adapter parameters of rank r: r * (in + out) a projection, over the chosen ones of the seven of every block.
/// A mixture of experts counts as one dense block of `intermediate_size`, as the lesson does.
/// Empty where a size that the choice needs is not known.
std::optional<std::int64_t> adapter_parameters(const recipe::Shape& shape, const recipe::Recipe& recipe);

/// The names that `targets` may hold one by one in this basis.
const std::vector<std::string_view>& projection_names();

/// The lesson's arithmetic for one GPU: rows for the parameters and what they need, activations kept at the
/// block boundaries, and the 16-bit logits. Warnings say what was assumed or could not be counted.
Budget estimate(const recipe::Shape& shape, const recipe::Recipe& recipe, recipe::Issues& issues);

/// The rows gathered as the lesson's bars have them; the reserve is not among them.
std::vector<Segment> segments(const Budget& budget);

}  // namespace memory_budget::budget::course
