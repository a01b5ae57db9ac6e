// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "core/model/architecture.h"

namespace memory_budget::model {

/// bitsandbytes' 8-bit optimizers keep the states of smaller tensors at 32 bits.
inline constexpr std::int64_t smallest_8bit_elements = 4096;

/// One matrix or vector of a network, with its bias, as often as it occurs.
struct Tensor {
    std::string name;  ///< module within the model: `model.layers.*.self_attn.q_proj`
    Role role = Role::other;
    Part part = Part::text;
    Weight weight = Weight::parameter;
    Presence presence = Presence::both;
    std::int64_t rows = 0;        ///< output features; or the length of a vector
    std::int64_t columns = 1;     ///< input features; 1 for a vector
    bool bias = false;            ///< `rows` more
    std::int64_t copies = 1;      ///< layers
    std::int64_t stack = 1;       ///< matrices in one parameter: the experts of a block
    std::int64_t used = 1;        ///< of these, how many a token passes
    bool beside_experts = false;  ///< of the part that all tokens pass next to routed experts

    /// Elements of one weight, without its bias.
    std::int64_t weight_elements() const { return rows * columns * stack; }
    /// Elements of one bias.
    std::int64_t bias_elements() const { return bias ? rows * stack : 0; }
    /// All elements, biases and copies included.
    std::int64_t parameters() const { return (weight_elements() + bias_elements()) * copies; }
    /// The same, of experts only as many as a token passes.
    std::int64_t active_parameters() const { return (rows * columns + (bias ? rows : 0)) * used * copies; }
    /// Whether a bitsandbytes load in 4 or 8 bits replaces this weight: linear modules of exactly that class, not the
    /// output head.
    bool quantised() const {
        return (weight == Weight::linear || weight == Weight::conv1d) && role != Role::head && role != Role::embedding;
    }
    /// Whether an adapter on all linear modules takes it.
    bool adaptable() const { return weight != Weight::parameter && role != Role::head && role != Role::embedding; }
    /// Elements that an 8-bit optimizer keeps at 32 bits.
    std::int64_t small_elements() const {
        return ((weight_elements() < smallest_8bit_elements ? weight_elements() : 0) +
                (bias_elements() < smallest_8bit_elements ? bias_elements() : 0)) *
               copies;
    }
    /// Last part of the name.
    std::string_view leaf() const;
};

/// Which of two truths is meant: what Transformers' class holds, or what the published checkpoint holds.
enum class View : std::uint8_t { network, checkpoint };

/// Every tensor of a network, and the sums over them. A tied head is not in it.
struct Inventory {
    std::vector<Tensor> tensors;

    /// Parameters that a run has: text and towers, without layers for multi-token prediction.
    std::int64_t parameters(View view) const;
    /// The same for one part.
    std::int64_t parameters(View view, Part part) const;
    /// Parameters of the text part that a token passes.
    std::int64_t active_parameters(View view) const;
    /// Parameters of one role in the text part.
    std::int64_t parameters(View view, Role role) const;
    /// Elements of linear modules that a bitsandbytes load quantises, towers included.
    std::int64_t quantised_elements(View view) const;
};

Inventory inventory(const Architecture& a);

/// The number of parameters as a double, safe for sizes that would overflow.
double approximate_parameters(const Architecture& a);

}  // namespace memory_budget::model
