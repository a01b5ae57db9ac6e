// SPDX-License-Identifier: MIT
// What a model is made of, as it stands in responses. Full engine only.
#pragma once

#include "core/api/json_writer.h"
#include "core/model/inventory.h"
#include "core/model/quantized.h"
#include "core/recipe/recipe.h"

namespace memory_budget::api {

/// How a run loads its weights.
struct Load {
    model::Quantization quantization = model::Quantization::none;
    std::int64_t width = 2;  ///< bytes of an element that stays unquantised
};

/// The load that a recipe stands for; QLoRA without a named format is NF4, quantised doubly.
Load load_of(const recipe::Recipe& recipe);

/// `model`: family, sizes and counts of parameters.
void write_summary(JsonWriter& writer, const model::Architecture& architecture, const model::Inventory& all);

/// `roles`: tensors, parameters and bytes of each role in each part, the quantised ones told apart.
void write_roles(JsonWriter& writer, std::string_view name, const model::Inventory& all, const Load& load);

/// `adapters`: of a mixture of experts every choice there is, each with who makes it so; else an empty list.
void write_adapters(JsonWriter& writer, const model::Architecture& architecture, const model::Inventory& all,
                    const recipe::Recipe& recipe);

}  // namespace memory_budget::api
