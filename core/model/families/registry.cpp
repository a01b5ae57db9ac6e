// SPDX-License-Identifier: MIT
#include "core/model/families/families.h"

namespace memory_budget::model::families {
namespace {

struct Entry {
    std::string_view model_type;
    Family family;
};

constexpr Entry entries[] = {
    {"llama", llama},
    {"mistral", mistral},
    {"ministral", mistral},
    {"ministral3", ministral3},
    {"mistral3", mistral3},
    {"mixtral", mixtral},
    {"qwen2", qwen2},
    {"qwen2_moe", qwen2_moe},
    {"qwen2_vl", qwen2_vl},
    {"qwen2_5_vl", qwen2_vl},
    {"qwen2_vl_text", qwen2},
    {"qwen2_5_vl_text", qwen2},
    {"qwen3", qwen3},
    {"qwen3_moe", qwen3_moe},
    {"qwen3_vl", qwen3_vl},
    {"qwen3_vl_text", qwen3},
    {"qwen3_vl_moe", qwen3_vl_moe},
    {"qwen3_vl_moe_text", qwen3_vl_moe_text},
    {"qwen3_next", qwen3_next},
    {"qwen3_5", qwen3_5},
    {"qwen3_5_text", qwen3_5_text},
    {"qwen3_5_moe", qwen3_5_moe},
    {"qwen3_5_moe_text", qwen3_5_moe_text},
    {"gemma", gemma},
    {"gemma2", gemma2},
    {"gemma3", gemma3},
    {"gemma3_text", gemma3_text},
    {"gemma3n", gemma3n},
    {"gemma3n_text", gemma3n_text},
    {"gemma4", gemma4},
    {"gemma4_text", gemma4_text},
    {"phi", phi},
    {"phi3", phi3},
    {"gpt2", gpt2},
    {"gpt_bigcode", gpt_bigcode},
    {"gpt_neox", gpt_neox},
    {"stablelm", stablelm},
    {"stablelm_epoch", stablelm},
    {"starcoder2", starcoder2},
    {"falcon", falcon},
    {"RefinedWeb", falcon},
    {"RefinedWebModel", falcon},
    {"bloom", bloom},
    {"opt", opt},
    {"granite", granite},
    {"granitemoe", granitemoe},
    {"smollm3", smollm3},
    {"olmo2", olmo2},
    {"olmo3", olmo3},
    {"olmoe", olmoe},
    {"gpt_oss", gpt_oss},
    {"glm", glm},
    {"glm4", glm4},
    {"glm4_moe", glm4_moe},
    {"glm4_moe_lite", deepseek_v3},
    {"deepseek_v2", deepseek_v2},
    {"deepseek_v3", deepseek_v3},
    {"kimi_k2", deepseek_v3},
    {"minimax_m2", minimax_m2},
    {"llama4", llama4},
    {"llama4_text", llama4_text},
    {"lfm2", lfm2},
    {"cohere", cohere},
    {"cohere2", cohere},
    {"bert", bert},
    {"modernbert", modernbert},
    {"t5", t5},
};

}  // namespace

Family find_family(std::string_view model_type) {
    for (const Entry& e : entries)
        if (e.model_type == model_type) return e.family;
    return nullptr;
}

}  // namespace memory_budget::model::families
