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

/// A named set of libraries with the choices that they make unless told otherwise.
struct Stack {
    std::string_view id;
    std::string_view versions;
    std::span<const StackSetting> settings;
};

std::span<const Stack> stacks();

/// Fills what the stack of `recipe` decides for its method wherever the user gave nothing.
void apply_stack(Recipe& recipe);

}  // namespace memory_budget::recipe
