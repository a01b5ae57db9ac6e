// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string_view>

#include "core/recipe/recipe.h"

namespace memory_budget::recipe {

/// What a stack sets for some of the methods.
struct StackSetting {
    Key key;
    std::uint8_t methods;
    double value;
};

/// How a stack's own code goes from logits to labels that are one token ahead: Transformers 5 pads the labels; up to
/// 4.46 the 32-bit logits take the place of the 16-bit ones and are copied without their last position; from 4.47 the
/// 16-bit ones live on beside both.
enum class LossChain : std::uint8_t { padded_labels, copied_logits, copied_beside_logits, copied_narrow, widened };
/// Whose modules a model is built of.
enum class Modules : std::uint8_t { transformers, litgpt, torchtune, mlx };

/// What a stack is made of beyond what the table of parameters says.
struct Pieces {
    LossChain loss_chain = LossChain::padded_labels;
    bool reentrant = false;         ///< a checkpointed block has a backward of its own (the trainer's default in 4.x)
    bool separate_experts = false;  ///< each expert is three linear modules (Transformers 4.x)
    bool fused_norm_and_rotary = false;
    Modules modules = Modules::transformers;
    bool compiled = false;             ///< by torch.compile, a block at a time
    bool packed_keeps_input = false;   ///< bitsandbytes up to 0.43.1
    bool narrowed_embeddings = false;  ///< after k-bit preparation embeddings and head go back to 16 bits
    bool old_attention = false;        ///< some families repeat keys and values before the kernel (up to 4.47)
};

/// A named set of libraries with the choices that they make unless told otherwise.
struct Stack {
    std::string_view id;
    std::string_view versions;
    std::span<const StackSetting> settings;
    Pieces pieces = {};
};

std::span<const Stack> stacks();
const Stack& stack_of(const Recipe& recipe);

/// Fills what the stack of `recipe` decides for its method wherever the user gave nothing.
void apply_stack(Recipe& recipe);

}  // namespace memory_budget::recipe
