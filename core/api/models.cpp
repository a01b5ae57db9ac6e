// SPDX-License-Identifier: MIT
#include "core/api/models.h"

#include "core/catalog/course.h"
#include "core/model/inventory.h"
#include "core/model/read.h"

namespace memory_budget::api {
namespace {
struct CourseTemp {
    std::string_view id, config;
};
constexpr CourseTemp temp[] = {
    {"qwen3-0.6b",
     "head_dim=128 hidden_act=silu hidden_size=1024 intermediate_size=3072 model_type=qwen3 num_attention_heads=16 "
     "num_hidden_layers=28 num_key_value_heads=8 tie_word_embeddings=true vocab_size=151936"},
    {"qwen3-1.7b",
     "head_dim=128 hidden_act=silu hidden_size=2048 intermediate_size=6144 model_type=qwen3 num_attention_heads=16 "
     "num_hidden_layers=28 num_key_value_heads=8 tie_word_embeddings=true vocab_size=151936"},
    {"qwen3-4b",
     "vocab_size=151936 hidden_size=2560 intermediate_size=9728 num_hidden_layers=36 num_attention_heads=32 "
     "num_key_value_heads=8 head_dim=128 hidden_act=silu tie_word_embeddings=true model_type=qwen3"},
    {"qwen3-8b",
     "head_dim=128 hidden_act=silu hidden_size=4096 intermediate_size=12288 model_type=qwen3 num_attention_heads=32 "
     "num_hidden_layers=36 num_key_value_heads=8 tie_word_embeddings=false vocab_size=151936"},
    {"qwen3-30b-a3b",
     "head_dim=128 hidden_act=silu hidden_size=2048 intermediate_size=6144 model_type=qwen3_moe "
     "moe_intermediate_size=768 norm_topk_prob=true num_attention_heads=32 num_experts=128 num_experts_per_tok=8 "
     "num_hidden_layers=48 num_key_value_heads=4 tie_word_embeddings=false vocab_size=151936"},
};
}  // namespace

using recipe::ShapeKey;

recipe::Shape shape_of(const model::Architecture& architecture) {
    recipe::Shape shape;
    shape.name = architecture.name;
    const model::Inventory all = model::inventory(architecture);
    shape[ShapeKey::parameters] = all.parameters(model::View::network);
    shape[ShapeKey::hidden_size] = architecture.hidden;
    shape[ShapeKey::num_hidden_layers] = static_cast<std::int64_t>(architecture.layers.size());
    shape[ShapeKey::vocab_size] = architecture.vocabulary;
    for (const model::Block& block : architecture.blocks) {
        if (block.experts.present()) shape.experts = true;
        if (!shape[ShapeKey::intermediate_size]) shape[ShapeKey::intermediate_size] = block.mlp.width;
        if (!shape[ShapeKey::num_attention_heads] && block.attention.heads > 0) {
            shape[ShapeKey::num_attention_heads] = block.attention.heads;
            shape[ShapeKey::num_key_value_heads] = block.attention.kv_heads;
            shape[ShapeKey::head_dim] = block.attention.head_dim;
        }
    }
    return shape;
}

Model find_model(std::string_view id) {
    Model found;
    const catalog::CourseModel* course = catalog::find_course_model(id);
    if (course) found.shape = catalog::shape_of(*course);
    if (course) {
        const CourseTemp* t = nullptr;
        for (const CourseTemp& each : temp)
            if (each.id == id) t = &each;
        found.architecture = model::read_architecture(model::parse_compact(t->config)).architecture;
    }
    return found;
}

}  // namespace memory_budget::api
