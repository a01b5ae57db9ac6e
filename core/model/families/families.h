// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "core/model/architecture.h"
#include "core/model/reader.h"

namespace memory_budget::model::families {

/// Fills an architecture from a configuration; what is wrong with it goes into the reader's errors.
using Family = void (*)(Reader& r, Architecture& a);

/// The family of a `model_type`, or nullptr.
Family find_family(std::string_view model_type);

/// A decoder of the Llama kind under an unknown name, dense or with experts, by its keys alone.
void unknown_decoder(Reader& r, Architecture& a);

// One file each, named after the family or its kin.
void llama(Reader& r, Architecture& a);
void mistral(Reader& r, Architecture& a);
void ministral3(Reader& r, Architecture& a);
void qwen2(Reader& r, Architecture& a);
void qwen3(Reader& r, Architecture& a);
void qwen2_moe(Reader& r, Architecture& a);
void qwen3_moe(Reader& r, Architecture& a);
void qwen3_vl_moe_text(Reader& r, Architecture& a);
void qwen3_next(Reader& r, Architecture& a);
void qwen3_5_text(Reader& r, Architecture& a);
void qwen3_5_moe_text(Reader& r, Architecture& a);
void gemma(Reader& r, Architecture& a);
void gemma2(Reader& r, Architecture& a);
void gemma3_text(Reader& r, Architecture& a);
void gemma3n_text(Reader& r, Architecture& a);
void gemma4_text(Reader& r, Architecture& a);
void phi(Reader& r, Architecture& a);
void phi3(Reader& r, Architecture& a);
void gpt2(Reader& r, Architecture& a);
void gpt_bigcode(Reader& r, Architecture& a);
void gpt_neox(Reader& r, Architecture& a);
void stablelm(Reader& r, Architecture& a);
void starcoder2(Reader& r, Architecture& a);
void falcon(Reader& r, Architecture& a);
void bloom(Reader& r, Architecture& a);
void opt(Reader& r, Architecture& a);
void granite(Reader& r, Architecture& a);
void granitemoe(Reader& r, Architecture& a);
void smollm3(Reader& r, Architecture& a);
void olmo2(Reader& r, Architecture& a);
void olmo3(Reader& r, Architecture& a);
void olmoe(Reader& r, Architecture& a);
void mixtral(Reader& r, Architecture& a);
void gpt_oss(Reader& r, Architecture& a);
void glm(Reader& r, Architecture& a);
void glm4(Reader& r, Architecture& a);
void glm4_moe(Reader& r, Architecture& a);
void deepseek_v2(Reader& r, Architecture& a);
void deepseek_v3(Reader& r, Architecture& a);
void minimax_m2(Reader& r, Architecture& a);
void llama4_text(Reader& r, Architecture& a);
void lfm2(Reader& r, Architecture& a);
void cohere(Reader& r, Architecture& a);
void bert(Reader& r, Architecture& a);
void modernbert(Reader& r, Architecture& a);
void t5(Reader& r, Architecture& a);

// A text model with towers beside it.
void gemma3(Reader& r, Architecture& a);
void gemma3n(Reader& r, Architecture& a);
void gemma4(Reader& r, Architecture& a);
void llama4(Reader& r, Architecture& a);
void mistral3(Reader& r, Architecture& a);
void qwen2_vl(Reader& r, Architecture& a);
void qwen3_vl(Reader& r, Architecture& a);
void qwen3_vl_moe(Reader& r, Architecture& a);
void qwen3_5(Reader& r, Architecture& a);
void qwen3_5_moe(Reader& r, Architecture& a);

/// Gemma 3n's vision and audio towers, which are of one size in all published models.
void gemma3n_towers(Reader& r, Architecture& a, Presence presence);

}  // namespace memory_budget::model::families
