// SPDX-License-Identifier: MIT
#include "core/recipe/stacks.h"

namespace memory_budget::recipe {
namespace {

template <typename Enum>
constexpr double at(Enum value) {
    return static_cast<double>(static_cast<std::uint8_t>(value));
}

constexpr std::string_view pinned =
    "TRL 1.12.0, Transformers 5.16.1, PEFT 0.20.0, bitsandbytes 0.50.2, Accelerate 1.15.0, PyTorch 2.13.0";

// What all stacks share: rows that none of them sets otherwise.
constexpr StackSetting common[] = {
    {Key::master, all_methods, at(Master::none)},
    {Key::optimizer, all_methods, at(Optimizer::adamw_fused)},
    {Key::checkpointing, all_methods, at(Checkpointing::block)},
    {Key::attention, all_methods, at(Attention::flash)},
    {Key::liger, all_methods, 0},
    {Key::metrics, all_methods, 0},
    {Key::dropout, all_methods, 0},
    {Key::kbit_preparation, all_methods, 0},
    {Key::quantization, method_full | method_lora, at(Quantization::none)},
    {Key::quantization, method_qlora, at(Quantization::nf4_double)},
};

// SFTConfig's defaults: a model given by name is loaded in 32 bits and trained under BF16 autocast; an adapter's base
// is given in BF16, as the lesson does; adapters are 32-bit, on a quantised base 16-bit (trl/trainer/sft_trainer.py).
constexpr StackSetting trl[] = {
    {Key::weights_dtype, method_full, at(Dtype::fp32)},   {Key::weights_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::fp32)}, {Key::autocast, all_methods, at(Autocast::bf16)},
    {Key::adapter_dtype, method_lora, at(Dtype::fp32)},   {Key::adapter_dtype, method_qlora, at(Dtype::bf16)},
    {Key::gradients_dtype, method_lora, at(Dtype::fp32)}, {Key::gradients_dtype, method_qlora, at(Dtype::bf16)},
    {Key::loss, all_methods, at(Loss::chunked)},
};

// The same with loss_type="nll": all logits are kept, and the trainer's entropy and accuracy are taken over them.
constexpr StackSetting trl_nll[] = {
    {Key::weights_dtype, method_full, at(Dtype::fp32)},
    {Key::weights_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::fp32)},
    {Key::autocast, all_methods, at(Autocast::bf16)},
    {Key::adapter_dtype, method_lora, at(Dtype::fp32)},
    {Key::adapter_dtype, method_qlora, at(Dtype::bf16)},
    {Key::gradients_dtype, method_lora, at(Dtype::fp32)},
    {Key::gradients_dtype, method_qlora, at(Dtype::bf16)},
    {Key::loss, all_methods, at(Loss::full)},
    {Key::metrics, all_methods, 1},
};

// use_liger_kernel=True (Liger 0.8.5): its kernels in place of the model's, the loss fused with the head.
constexpr StackSetting trl_liger[] = {
    {Key::weights_dtype, method_full, at(Dtype::fp32)},
    {Key::weights_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::fp32)},
    {Key::autocast, all_methods, at(Autocast::bf16)},
    {Key::adapter_dtype, method_lora, at(Dtype::fp32)},
    {Key::adapter_dtype, method_qlora, at(Dtype::bf16)},
    {Key::gradients_dtype, method_lora, at(Dtype::fp32)},
    {Key::gradients_dtype, method_qlora, at(Dtype::bf16)},
    {Key::loss, all_methods, at(Loss::fused)},
    {Key::liger, all_methods, 1},
};

// Transformers' trainer on a model loaded in BF16, no autocast, the multi-tensor optimizer, the model's own loss; a
// quantised base with PEFT's k-bit preparation and 32-bit adapters under autocast. The trainer of 2024 does the same.
constexpr StackSetting transformers_bf16[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::bf16)},
    {Key::autocast, method_full | method_lora, at(Autocast::none)},
    {Key::autocast, method_qlora, at(Autocast::bf16)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::gradients_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::kbit_preparation, method_qlora, 1},
    {Key::loss, all_methods, at(Loss::full)},
    {Key::optimizer, all_methods, at(Optimizer::adamw_foreach)},
};

// The same with the kernels of fms-acceleration 0.4 (plugins/fused-ops-and-kernels, taken from Unsloth).
constexpr StackSetting fms[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::bf16)},
    {Key::autocast, method_full | method_lora, at(Autocast::none)},
    {Key::autocast, method_qlora, at(Autocast::bf16)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::gradients_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::loss, all_methods, at(Loss::in_place)},
    {Key::optimizer, all_methods, at(Optimizer::adamw_foreach)},
};

// finetune/lora.py and full.py of LitGPT on one GPU: all in BF16, the longest sample first, no checkpointing.
constexpr StackSetting litgpt[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, all_methods, at(Dtype::bf16)},
    {Key::autocast, all_methods, at(Autocast::none)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::dropout, adapter_methods, 0.05},
    {Key::quantization, method_qlora, at(Quantization::nf4)},
    {Key::checkpointing, all_methods, at(Checkpointing::none)},
    {Key::loss, all_methods, at(Loss::chunked)},
    {Key::optimizer, all_methods, at(Optimizer::adamw_foreach)},
};

// recipes/lora_finetune_single_device.py and full_finetune_single_device.py of torchtune, their YAML's own values.
constexpr StackSetting torchtune[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)}, {Key::gradients_dtype, all_methods, at(Dtype::bf16)},
    {Key::autocast, all_methods, at(Autocast::none)},   {Key::adapter_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::loss, all_methods, at(Loss::chunked)},        {Key::optimizer, all_methods, at(Optimizer::adamw_fused)},
};

// Transformers' trainer with FSDP2 over one node: 32-bit shards, BF16 for what is gathered (Accelerate 1.15).
constexpr StackSetting fsdp_mixed[] = {
    {Key::weights_dtype, method_full, at(Dtype::fp32)},
    {Key::weights_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::fp32)},
    {Key::gradients_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::autocast, all_methods, at(Autocast::bf16)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::loss, all_methods, at(Loss::full)},
    {Key::sharding, all_methods, at(Sharding::fsdp2)},
    {Key::gpus, all_methods, 8},
};

// DeepSpeed's BF16 engine over one node: 16-bit weights and gradients, 32-bit master copy and states.
constexpr StackSetting deepspeed_2[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},     {Key::gradients_dtype, all_methods, at(Dtype::bf16)},
    {Key::master, all_methods, at(Master::fp32)},           {Key::autocast, all_methods, at(Autocast::none)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::bf16)}, {Key::loss, all_methods, at(Loss::full)},
    {Key::sharding, all_methods, at(Sharding::zero_2)},     {Key::gpus, all_methods, 8},
};

constexpr StackSetting deepspeed_3[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},     {Key::gradients_dtype, all_methods, at(Dtype::bf16)},
    {Key::master, all_methods, at(Master::fp32)},           {Key::autocast, all_methods, at(Autocast::none)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::bf16)}, {Key::loss, all_methods, at(Loss::full)},
    {Key::sharding, all_methods, at(Sharding::zero_3)},     {Key::gpus, all_methods, 8},
};

// FastLanguageModel with use_gradient_checkpointing="unsloth": fused kernels, the loss fused with the head, inputs of
// checkpointed blocks on the host (unsloth/models/llama.py, unsloth_zoo/gradient_checkpointing.py).
constexpr StackSetting unsloth[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, method_full, at(Dtype::bf16)},
    {Key::gradients_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::autocast, all_methods, at(Autocast::bf16)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::fp32)},
    {Key::loss, all_methods, at(Loss::fused)},
    {Key::liger, all_methods, 1},
    {Key::activation_offload, all_methods, 1},
    {Key::optimizer, all_methods, at(Optimizer::adamw_8bit)},
};

// mlx_lm.lora: BF16 throughout, no checkpointing. What attention's gradient makes for itself is not counted.
constexpr StackSetting mlx[] = {
    {Key::weights_dtype, all_methods, at(Dtype::bf16)},
    {Key::gradients_dtype, all_methods, at(Dtype::bf16)},
    {Key::autocast, all_methods, at(Autocast::none)},
    {Key::adapter_dtype, adapter_methods, at(Dtype::bf16)},
    {Key::checkpointing, all_methods, at(Checkpointing::none)},
    {Key::loss, all_methods, at(Loss::full)},
    {Key::rank, adapter_methods, 8},
};

constexpr Pieces unsloth_pieces() {
    Pieces p;
    p.reentrant = p.fused_norm_and_rotary = true;
    return p;
}

constexpr Pieces mlx_pieces() {
    Pieces p;
    p.modules = Modules::mlx;
    p.fused_norm_and_rotary = true;
    return p;
}

constexpr Pieces litgpt_pieces() {
    Pieces p;
    p.modules = Modules::litgpt;
    p.packed_keeps_input = true;
    return p;
}

constexpr Pieces torchtune_pieces(bool compiled) {
    Pieces p;
    p.modules = Modules::torchtune;
    p.loss_chain = LossChain::widened;
    p.compiled = compiled;
    return p;
}

constexpr std::string_view in_2024 = "PEFT 0.13.2, TRL 0.11 to 0.13, bitsandbytes 0.43.3, PyTorch 2.4";
constexpr Pieces of_2024(LossChain chain, bool fused_norm_and_rotary) {
    Pieces p;
    p.loss_chain = chain;
    p.reentrant = p.separate_experts = p.narrowed_embeddings = true;
    p.fused_norm_and_rotary = fused_norm_and_rotary;
    p.old_attention = chain == LossChain::copied_logits;
    return p;
}

constexpr Stack table[] = {
    {"trl", pinned, trl},
    {"trl-nll", pinned, trl_nll},
    {"trl-liger", pinned, trl_liger},
    {"transformers-bf16", pinned, transformers_bf16},
    {"transformers-4.45", in_2024, transformers_bf16, of_2024(LossChain::copied_logits, false)},
    {"transformers-4.48", in_2024, transformers_bf16, of_2024(LossChain::copied_beside_logits, false)},
    {"fsdp-mixed", pinned, fsdp_mixed},
    {"deepspeed-zero-2", "DeepSpeed 0.17 with the Transformers trainer", deepspeed_2},
    {"deepspeed-zero-3", "DeepSpeed 0.17 with the Transformers trainer", deepspeed_3},
    {"unsloth", "Unsloth of 2025, bitsandbytes 0.45, PyTorch 2.7", unsloth, unsloth_pieces()},
    {"mlx", "mlx-lm of 2025", mlx, mlx_pieces()},
    {"litgpt", "LitGPT of October 2023, Lightning 2.1, bitsandbytes 0.41, PyTorch 2.1", litgpt, litgpt_pieces()},
    {"torchtune", "torchtune 0.4, torchao 0.6, PyTorch 2.5", torchtune, torchtune_pieces(false)},
    {"torchtune-compile", "torchtune 0.4, torchao 0.6, PyTorch 2.5, compile=True", torchtune, torchtune_pieces(true)},
    {"fms-4.45", in_2024, fms, of_2024(LossChain::copied_logits, true)},
    {"fms-4.48", in_2024, fms, of_2024(LossChain::copied_beside_logits, true)},
};

void fill(std::span<const StackSetting> settings, std::uint8_t method, Recipe& recipe) {
    for (const StackSetting& setting : settings)
        if ((setting.methods & method) && !recipe.given(setting.key)) recipe.assume(setting.key, setting.value);
}

}  // namespace

std::span<const Stack> stacks() {
    return table;
}

const Stack& stack_of(const Recipe& recipe) {
    return table[static_cast<std::size_t>(recipe.integer(Key::stack))];
}

void apply_stack(Recipe& recipe) {
    const auto method = static_cast<std::uint8_t>(1u << recipe.integer(Key::method));
    fill(common, method, recipe);
    fill(stack_of(recipe).settings, method, recipe);
}

}  // namespace memory_budget::recipe
