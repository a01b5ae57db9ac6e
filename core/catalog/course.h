// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

#include "core/recipe/recipe.h"

namespace memory_budget::catalog {

/// Peaks of one step of the software that the lesson pins (Transformers 5.16.1, TRL 1.12.0, PEFT 0.20.0,
/// bitsandbytes 0.50.2, PyTorch 2.13.0), followed allocation by allocation: batch 1, 1,024 tokens, rank 16 on the
/// seven projections, checkpointing on; bytes allocated, without reserve or driver context.
struct Traced {
    std::int64_t full;       ///< 32-bit weights under BF16 autocast, TRL's default loss
    std::int64_t full_bf16;  ///< pure BF16, multi-tensor AdamW, the model's own loss
    std::int64_t lora;       ///< TRL's default loss
    std::int64_t lora_nll;   ///< loss_type="nll"
    std::int64_t qlora;
    std::int64_t qlora_nll;
    std::int64_t qlora_frozen;  ///< frozen weights as loaded, where experts stay at 16 bits; else 0
};

/// One of the lesson's five models: the parameter count that the lesson prints, the sizes of its config.json.
struct CourseModel {
    std::string_view id;
    std::string_view name;
    std::int64_t parameters;
    std::int64_t hidden_size;
    std::int64_t num_hidden_layers;
    std::int64_t intermediate_size;
    std::int64_t vocab_size;
    std::int64_t num_attention_heads;
    std::int64_t num_key_value_heads;
    std::int64_t head_dim;
    bool experts;
    Traced traced;
};

/// The model of a request that names none.
inline constexpr std::string_view default_model = "qwen3-1.7b";

std::span<const CourseModel> course_models();
const CourseModel* find_course_model(std::string_view id);
recipe::Shape shape_of(const CourseModel& model);

/// A run of the course's documents under one link: the request as JSON text, and the document that prints it.
struct Preset {
    std::string_view id;
    std::string_view document;
    std::string_view request;
};

std::span<const Preset> presets();

/// A named set of precisions and optimizer, as the form offers it: values of the parameter table as JSON text.
struct NamedRecipe {
    std::string_view id;
    std::string_view set;
};

std::span<const NamedRecipe> named_recipes();

}  // namespace memory_budget::catalog
