// SPDX-License-Identifier: MIT
#include "core/catalog/course.h"

namespace memory_budget::catalog {
namespace {

// Counts: the lesson's table. Sizes: each model's published config.json.
constexpr CourseModel models[] = {
    {"qwen3-0.6b",
     "Qwen3-0.6B",
     600000000,
     1024,
     28,
     3072,
     151936,
     16,
     8,
     128,
     false,
     {10163500032, 5960747008, 2414151680, 3243884544, 1680234496, 2530152448, 0}},
    {"qwen3-1.7b",
     "Qwen3-1.7B",
     1700000000,
     2048,
     28,
     6144,
     151936,
     16,
     8,
     128,
     false,
     {28782425088, 17205997568, 5768136704, 5643929600, 3537512448, 3448170496, 0}},
    {"qwen3-4b",
     "Qwen3-4B",
     4000000000,
     2560,
     36,
     9728,
     151936,
     32,
     8,
     128,
     false,
     {65926022144, 40224994304, 11133380608, 10508348416, 5477373952, 4918402048, 0}},
    {"qwen3-8b",
     "Qwen3-8B",
     8200000000,
     4096,
     36,
     12288,
     151936,
     32,
     8,
     128,
     false,
     {131068765696, 81907667456, 21146978304, 19091822592, 10489890816, 8522029056, 0}},
    {"qwen3-30b-a3b",
     "Qwen3-30B-A3B",
     30500000000,
     2048,
     48,
     6144,
     151936,
     32,
     4,
     128,
     true,
     {488522640896, 305321638400, 79635501056, 79635501056, 70315872256, 70315872256, 59720110080}},
};

constexpr std::string_view lesson = "lesson-training-memory";
constexpr std::string_view guide = "guide-16-bytes";

constexpr Preset preset_table[] = {
    {"full-1.7b", lesson, R"({"model":"qwen3-1.7b","method":"full","machine_gb":32,"reserve_gb":0})"},
    {"full-8b", lesson, R"({"model":"qwen3-8b","method":"full","machine_gb":128,"reserve_gb":0})"},
    {"lora-8b", lesson, R"({"model":"qwen3-8b","method":"lora","rank":16,"machine_gb":24,"reserve_gb":2})"},
    {"qlora-30b", lesson, R"({"model":"qwen3-30b-a3b","method":"qlora","rank":16,"machine_gb":32,"reserve_gb":4})"},
    {"table", lesson, R"({"model":"qwen3-8b","method":"qlora","rank":16,"machine_gb":8,"reserve_gb":2})"},
    {"logits", lesson, R"({"model":"qwen3-0.6b","method":"lora","batch":4,"machine_gb":8,"reserve_gb":2})"},
    {"quiz-3b", lesson, R"({"model":{"parameters":3000000000},"method":"full","machine_gb":48,"reserve_gb":0})"},
    {"guide-7b-full", guide, R"({"model":{"parameters":7000000000},"method":"full","machine_gb":80,"reserve_gb":0})"},
    {"guide-7b-lora", guide,
     R"({"model":{"parameters":7000000000},"method":"lora","adapter_parameters":35000000,"machine_gb":24,"reserve_gb":2})"},
    {"guide-7b-qlora", guide,
     R"({"model":{"parameters":7000000000},"method":"qlora","adapter_parameters":35000000,"base_bytes_per_parameter":0.5,"machine_gb":24,"reserve_gb":2})"},
    {"guide-7b-8bit", guide,
     R"({"model":{"parameters":7000000000},"method":"full","optimizer":"adamw-8bit","machine_gb":80,"reserve_gb":0})"},
    {"guide-7b-pure-bf16", guide,
     R"({"model":{"parameters":7000000000},"method":"full","master":"none","machine_gb":80,"reserve_gb":0})"},
    {"guide-7b-sharded", guide,
     R"({"model":{"parameters":7000000000},"method":"full","sharding":"zero-3","gpus":8,"machine_gb":24,"reserve_gb":0})"},
};

constexpr NamedRecipe recipe_table[] = {
    {"mixed-precision",
     R"({"weights_dtype":"bf16","gradients_dtype":"bf16","master":"fp32","optimizer":"adamw-fused"})"},
    {"8-bit-optimizer",
     R"({"weights_dtype":"bf16","gradients_dtype":"bf16","master":"fp32","optimizer":"adamw-8bit"})"},
    {"pure-bf16", R"({"weights_dtype":"bf16","gradients_dtype":"bf16","master":"none","optimizer":"adamw-fused"})"},
};

}  // namespace

std::span<const CourseModel> course_models() {
    return models;
}

const CourseModel* find_course_model(std::string_view id) {
    for (const CourseModel& model : models)
        if (model.id == id) return &model;
    return nullptr;
}

recipe::Shape shape_of(const CourseModel& model) {
    recipe::Shape shape;
    shape.id = model.id;
    shape.name = model.name;
    shape.experts = model.experts;
    shape.sizes = {model.parameters, model.hidden_size,         model.num_hidden_layers,   model.intermediate_size,
                   model.vocab_size, model.num_attention_heads, model.num_key_value_heads, model.head_dim};
    return shape;
}

std::span<const Preset> presets() {
    return preset_table;
}

std::span<const NamedRecipe> named_recipes() {
    return recipe_table;
}

}  // namespace memory_budget::catalog
