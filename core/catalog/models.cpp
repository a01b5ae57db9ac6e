// SPDX-License-Identifier: MIT
#include "core/catalog/models.h"

namespace memory_budget::catalog {
namespace {

constexpr Model all[] = {
    // clang-format off
    {"Qwen3-0.6B", "Qwen/Qwen3-0.6B",
     "model_type=qwen3 hidden_size=1024 num_hidden_layers=28 num_attention_heads=16 num_key_value_heads=8 "
     "intermediate_size=3072 vocab_size=151936 max_position_embeddings=40960 tie_word_embeddings=true"},
    {"Qwen3-1.7B", "Qwen/Qwen3-1.7B",
     "model_type=qwen3 hidden_size=2048 num_hidden_layers=28 num_attention_heads=16 num_key_value_heads=8 "
     "intermediate_size=6144 vocab_size=151936 max_position_embeddings=40960 tie_word_embeddings=true"},
    {"Qwen3-4B", "Qwen/Qwen3-4B",
     "model_type=qwen3 hidden_size=2560 num_hidden_layers=36 num_attention_heads=32 num_key_value_heads=8 "
     "intermediate_size=9728 vocab_size=151936 max_position_embeddings=40960 tie_word_embeddings=true"},
    {"Qwen3-8B", "Qwen/Qwen3-8B",
     "model_type=qwen3 hidden_size=4096 num_hidden_layers=36 num_attention_heads=32 num_key_value_heads=8 "
     "intermediate_size=12288 vocab_size=151936 max_position_embeddings=40960"},
    {"Qwen3-14B", "Qwen/Qwen3-14B",
     "model_type=qwen3 hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 num_key_value_heads=8 "
     "intermediate_size=17408 vocab_size=151936 max_position_embeddings=40960"},
    {"Qwen3-32B", "Qwen/Qwen3-32B",
     "model_type=qwen3 hidden_size=5120 num_hidden_layers=64 num_attention_heads=64 num_key_value_heads=8 "
     "intermediate_size=25600 vocab_size=151936 max_position_embeddings=40960"},
    {"Qwen3-30B-A3B", "Qwen/Qwen3-30B-A3B",
     "model_type=qwen3_moe hidden_size=2048 num_hidden_layers=48 num_attention_heads=32 head_dim=128 "
     "intermediate_size=6144 vocab_size=151936 max_position_embeddings=40960 moe_intermediate_size=768 "
     "norm_topk_prob=true num_experts=128"},
    {"Qwen3-235B-A22B", "Qwen/Qwen3-235B-A22B",
     "model_type=qwen3_moe hidden_size=4096 num_hidden_layers=94 num_attention_heads=64 head_dim=128 "
     "intermediate_size=12288 vocab_size=151936 max_position_embeddings=40960 moe_intermediate_size=1536 "
     "norm_topk_prob=true num_experts=128"},
    {"Qwen3-Next-80B-A3B", "Qwen/Qwen3-Next-80B-A3B-Instruct",
     "model_type=qwen3_next hidden_size=2048 num_hidden_layers=48 num_attention_heads=16 "
     "intermediate_size=5120 vocab_size=151936 max_position_embeddings=262144 moe_intermediate_size=512 "
     "num_experts=512 num_experts_per_tok=10 shared_expert_intermediate_size=512"},
    {"Qwen3-VL-4B", "Qwen/Qwen3-VL-4B-Instruct",
     "model_type=qwen3_vl text_config={hidden_size=2560 num_hidden_layers=36 num_attention_heads=32 "
     "num_key_value_heads=8 intermediate_size=9728 vocab_size=151936 max_position_embeddings=262144 "
     "tie_word_embeddings=true} vision_config={hidden_size=1024 intermediate_size=4096 "
     "deepstack_visual_indexes=[5,11,17] depth=24 out_hidden_size=2560 patch_size=16}"},
    {"Qwen3-VL-30B-A3B", "Qwen/Qwen3-VL-30B-A3B-Instruct",
     "model_type=qwen3_vl_moe text_config={hidden_size=2048 num_hidden_layers=48 num_attention_heads=32 "
     "head_dim=128 intermediate_size=6144 vocab_size=151936 max_position_embeddings=262144 "
     "moe_intermediate_size=768 norm_topk_prob=true num_experts=128} vision_config={hidden_size=1152 "
     "intermediate_size=4304 deepstack_visual_indexes=[8,16,24] depth=27 out_hidden_size=2048 "
     "patch_size=16}"},
    {"Qwen3.5-0.8B", "Qwen/Qwen3.5-0.8B",
     "model_type=qwen3_5 text_config={hidden_size=1024 num_hidden_layers=24 num_attention_heads=8 "
     "intermediate_size=3584 vocab_size=248320 max_position_embeddings=262144 tie_word_embeddings=true "
     "linear_num_value_heads=16 mtp_num_hidden_layers=1} vision_config={hidden_size=768 "
     "intermediate_size=3072 depth=12 out_hidden_size=1024 patch_size=16}"},
    {"Qwen3.5-2B", "Qwen/Qwen3.5-2B",
     "model_type=qwen3_5 text_config={hidden_size=2048 num_hidden_layers=24 num_attention_heads=8 "
     "intermediate_size=6144 vocab_size=248320 max_position_embeddings=262144 tie_word_embeddings=true "
     "linear_num_value_heads=16 mtp_num_hidden_layers=1} vision_config={hidden_size=1024 "
     "intermediate_size=4096 depth=24 out_hidden_size=2048 patch_size=16}"},
    {"Qwen3.5-4B", "Qwen/Qwen3.5-4B",
     "model_type=qwen3_5 text_config={hidden_size=2560 num_hidden_layers=32 num_attention_heads=16 "
     "num_key_value_heads=4 intermediate_size=9216 vocab_size=248320 max_position_embeddings=262144 "
     "tie_word_embeddings=true mtp_num_hidden_layers=1} vision_config={hidden_size=1024 "
     "intermediate_size=4096 depth=24 out_hidden_size=2560 patch_size=16}"},
    {"Qwen3.5-9B", "Qwen/Qwen3.5-9B",
     "model_type=qwen3_5 text_config={hidden_size=4096 num_hidden_layers=32 num_attention_heads=16 "
     "num_key_value_heads=4 intermediate_size=12288 vocab_size=248320 max_position_embeddings=262144 "
     "mtp_num_hidden_layers=1} vision_config={hidden_size=1152 intermediate_size=4304 depth=27 "
     "out_hidden_size=4096 patch_size=16}"},
    {"Qwen3.5-27B", "Qwen/Qwen3.5-27B",
     "model_type=qwen3_5 text_config={hidden_size=5120 num_hidden_layers=64 num_attention_heads=24 "
     "num_key_value_heads=4 intermediate_size=17408 vocab_size=248320 max_position_embeddings=262144 "
     "linear_num_value_heads=48 mtp_num_hidden_layers=1} vision_config={hidden_size=1152 "
     "intermediate_size=4304 depth=27 out_hidden_size=5120 patch_size=16}"},
    {"Qwen3.5-35B-A3B", "Qwen/Qwen3.5-35B-A3B",
     "model_type=qwen3_5_moe text_config={hidden_size=2048 num_hidden_layers=40 num_attention_heads=16 "
     "vocab_size=248320 max_position_embeddings=262144 moe_intermediate_size=512 mtp_num_hidden_layers=1 "
     "num_experts=256 shared_expert_intermediate_size=512} vision_config={hidden_size=1152 "
     "intermediate_size=4304 depth=27 out_hidden_size=2048 patch_size=16}"},
    {"Qwen3.5-122B-A10B", "Qwen/Qwen3.5-122B-A10B",
     "model_type=qwen3_5_moe text_config={hidden_size=3072 num_hidden_layers=48 num_attention_heads=32 "
     "vocab_size=248320 max_position_embeddings=262144 linear_num_value_heads=64 "
     "moe_intermediate_size=1024 mtp_num_hidden_layers=1 num_experts=256 "
     "shared_expert_intermediate_size=1024} vision_config={hidden_size=1152 intermediate_size=4304 "
     "depth=27 out_hidden_size=3072 patch_size=16}"},
    {"Qwen3.5-397B-A17B", "Qwen/Qwen3.5-397B-A17B",
     "model_type=qwen3_5_moe text_config={hidden_size=4096 num_hidden_layers=60 num_attention_heads=32 "
     "vocab_size=248320 max_position_embeddings=262144 linear_num_value_heads=64 "
     "moe_intermediate_size=1024 mtp_num_hidden_layers=1 num_experts=512 num_experts_per_tok=10 "
     "shared_expert_intermediate_size=1024} vision_config={hidden_size=1152 intermediate_size=4304 "
     "depth=27 out_hidden_size=4096 patch_size=16}"},
    {"Qwen2.5-0.5B", "Qwen/Qwen2.5-0.5B",
     "model_type=qwen2 hidden_size=896 num_hidden_layers=24 num_attention_heads=14 num_key_value_heads=2 "
     "intermediate_size=4864 vocab_size=151936 max_position_embeddings=32768 tie_word_embeddings=true"},
    {"Qwen2.5-1.5B", "Qwen/Qwen2.5-1.5B",
     "model_type=qwen2 hidden_size=1536 num_hidden_layers=28 num_attention_heads=12 num_key_value_heads=2 "
     "intermediate_size=8960 vocab_size=151936 max_position_embeddings=131072 tie_word_embeddings=true"},
    {"Qwen2.5-3B", "Qwen/Qwen2.5-3B",
     "model_type=qwen2 hidden_size=2048 num_hidden_layers=36 num_attention_heads=16 num_key_value_heads=2 "
     "intermediate_size=11008 vocab_size=151936 max_position_embeddings=32768 tie_word_embeddings=true"},
    {"Qwen2.5-7B", "Qwen/Qwen2.5-7B",
     "model_type=qwen2 hidden_size=3584 num_hidden_layers=28 num_attention_heads=28 num_key_value_heads=4 "
     "intermediate_size=18944 vocab_size=152064 max_position_embeddings=131072"},
    {"Qwen2.5-14B", "Qwen/Qwen2.5-14B",
     "model_type=qwen2 hidden_size=5120 num_hidden_layers=48 num_attention_heads=40 num_key_value_heads=8 "
     "intermediate_size=13824 vocab_size=152064 max_position_embeddings=131072"},
    {"Qwen2.5-32B", "Qwen/Qwen2.5-32B",
     "model_type=qwen2 hidden_size=5120 num_hidden_layers=64 num_attention_heads=40 num_key_value_heads=8 "
     "intermediate_size=27648 vocab_size=152064 max_position_embeddings=131072"},
    {"Qwen2.5-72B", "Qwen/Qwen2.5-72B",
     "model_type=qwen2 hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
     "intermediate_size=29568 vocab_size=152064 max_position_embeddings=131072"},
    {"Qwen1.5-MoE-A2.7B", "Qwen/Qwen1.5-MoE-A2.7B",
     "model_type=qwen2_moe hidden_size=2048 num_hidden_layers=24 num_attention_heads=16 "
     "intermediate_size=5632 vocab_size=151936 max_position_embeddings=32768 moe_intermediate_size=1408 "
     "num_experts=60 shared_expert_intermediate_size=5632"},
    {"Llama-2-7b", "meta-llama/Llama-2-7b-hf",
     "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=11008 vocab_size=32000 max_position_embeddings=4096"},
    {"Llama-2-13b", "meta-llama/Llama-2-13b-hf",
     "model_type=llama hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 "
     "intermediate_size=13824 vocab_size=32000 max_position_embeddings=4096"},
    {"Llama-2-70b", "meta-llama/Llama-2-70b-hf",
     "model_type=llama hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
     "intermediate_size=28672 vocab_size=32000 max_position_embeddings=4096"},
    {"Llama-3-8B", "meta-llama/Meta-Llama-3-8B",
     "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 "
     "intermediate_size=14336 vocab_size=128256 max_position_embeddings=8192"},
    {"Llama-3-70B", "meta-llama/Meta-Llama-3-70B",
     "model_type=llama hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
     "intermediate_size=28672 vocab_size=128256 max_position_embeddings=8192"},
    {"Llama-3.1-8B", "meta-llama/Llama-3.1-8B",
     "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=8 "
     "intermediate_size=14336 vocab_size=128256 max_position_embeddings=131072"},
    {"Llama-3.1-70B", "meta-llama/Llama-3.1-70B",
     "model_type=llama hidden_size=8192 num_hidden_layers=80 num_attention_heads=64 num_key_value_heads=8 "
     "intermediate_size=28672 vocab_size=128256 max_position_embeddings=131072"},
    {"Llama-3.1-405B", "meta-llama/Llama-3.1-405B",
     "model_type=llama hidden_size=16384 num_hidden_layers=126 num_attention_heads=128 "
     "num_key_value_heads=8 intermediate_size=53248 vocab_size=128256 max_position_embeddings=131072"},
    {"Llama-3.2-1B", "meta-llama/Llama-3.2-1B",
     "model_type=llama hidden_size=2048 num_hidden_layers=16 num_attention_heads=32 num_key_value_heads=8 "
     "intermediate_size=8192 vocab_size=128256 max_position_embeddings=131072 tie_word_embeddings=true"},
    {"Llama-3.2-3B", "meta-llama/Llama-3.2-3B",
     "model_type=llama hidden_size=3072 num_hidden_layers=28 num_attention_heads=24 num_key_value_heads=8 "
     "intermediate_size=8192 vocab_size=128256 max_position_embeddings=131072 tie_word_embeddings=true"},
    {"Llama-4-Scout-17B-16E", "meta-llama/Llama-4-Scout-17B-16E-Instruct",
     "model_type=llama4 text_config={hidden_size=5120 num_hidden_layers=48 num_attention_heads=40 "
     "intermediate_size=8192 vocab_size=202048 max_position_embeddings=10485760 num_local_experts=16} "
     "vision_config={hidden_size=1408 num_hidden_layers=34 intermediate_size=5632 image_size=336 "
     "patch_size=14 projector_input_dim=4096 projector_output_dim=4096 vision_output_dim=4096}"},
    {"CodeLlama-7b", "codellama/CodeLlama-7b-hf",
     "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=11008 vocab_size=32016 max_position_embeddings=16384"},
    {"CodeLlama-13b", "codellama/CodeLlama-13b-hf",
     "model_type=llama hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 "
     "intermediate_size=13824 vocab_size=32016 max_position_embeddings=16384"},
    {"TinyLlama-1.1B", "TinyLlama/TinyLlama-1.1B-Chat-v1.0",
     "model_type=llama hidden_size=2048 num_hidden_layers=22 num_attention_heads=32 num_key_value_heads=4 "
     "intermediate_size=5632 vocab_size=32000 max_position_embeddings=2048"},
    {"Yi-6B", "01-ai/Yi-6B",
     "model_type=llama hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 num_key_value_heads=4 "
     "intermediate_size=11008 vocab_size=64000 max_position_embeddings=4096"},
    {"Yi-1.5-9B", "01-ai/Yi-1.5-9B",
     "model_type=llama hidden_size=4096 num_hidden_layers=48 num_attention_heads=32 num_key_value_heads=4 "
     "intermediate_size=11008 vocab_size=64000 max_position_embeddings=4096"},
    {"Yi-34B", "01-ai/Yi-34B",
     "model_type=llama hidden_size=7168 num_hidden_layers=60 num_attention_heads=56 num_key_value_heads=8 "
     "intermediate_size=20480 vocab_size=64000 max_position_embeddings=4096"},
    {"gemma-2b", "google/gemma-2b",
     "model_type=gemma hidden_size=2048 num_hidden_layers=18 num_attention_heads=8 num_key_value_heads=1 "
     "intermediate_size=16384 vocab_size=256000 max_position_embeddings=8192"},
    {"gemma-2-2b", "google/gemma-2-2b",
     "model_type=gemma2 hidden_size=2304 num_hidden_layers=26 num_attention_heads=8 intermediate_size=9216 "
     "vocab_size=256000 max_position_embeddings=8192"},
    {"gemma-2-9b", "google/gemma-2-9b",
     "model_type=gemma2 hidden_size=3584 num_hidden_layers=42 num_attention_heads=16 num_key_value_heads=8 "
     "intermediate_size=14336 vocab_size=256000 max_position_embeddings=8192"},
    {"gemma-2-27b", "google/gemma-2-27b",
     "model_type=gemma2 hidden_size=4608 num_hidden_layers=46 num_attention_heads=32 "
     "num_key_value_heads=16 head_dim=128 intermediate_size=36864 vocab_size=256000 "
     "max_position_embeddings=8192"},
    {"gemma-3-270m", "google/gemma-3-270m",
     "model_type=gemma3_text hidden_size=640 num_hidden_layers=18 num_attention_heads=4 "
     "num_key_value_heads=1 intermediate_size=2048 vocab_size=262144 max_position_embeddings=32768 "
     "sliding_window=512"},
    {"gemma-3-1b", "google/gemma-3-1b-it",
     "model_type=gemma3_text hidden_size=1152 num_hidden_layers=26 num_attention_heads=4 "
     "num_key_value_heads=1 intermediate_size=6912 vocab_size=262144 max_position_embeddings=32768 "
     "sliding_window=512"},
    {"gemma-3-4b", "google/gemma-3-4b-it",
     "model_type=gemma3 text_config={hidden_size=2560 num_hidden_layers=34 num_attention_heads=8 "
     "intermediate_size=10240 vocab_size=262208 max_position_embeddings=131072 sliding_window=1024} "
     "vision_config={hidden_size=1152 num_hidden_layers=27 intermediate_size=4304 image_size=896 "
     "patch_size=14}"},
    {"gemma-3-12b", "google/gemma-3-12b-it",
     "model_type=gemma3 text_config={hidden_size=3840 num_hidden_layers=48 num_attention_heads=16 "
     "num_key_value_heads=8 intermediate_size=15360 vocab_size=262208 max_position_embeddings=131072 "
     "sliding_window=1024} vision_config={hidden_size=1152 num_hidden_layers=27 intermediate_size=4304 "
     "image_size=896 patch_size=14}"},
    {"gemma-3n-E4B", "google/gemma-3n-E4B-it",
     "model_type=gemma3n_text hidden_size=2048 num_hidden_layers=35 num_attention_heads=8 "
     "intermediate_size=16384 vocab_size=262400 max_position_embeddings=32768 "
     "vocab_size_per_layer_input=262144"},
    {"gemma-3n-E2B", "google/gemma-3n-E2B-it",
     "model_type=gemma3n_text hidden_size=2048 num_hidden_layers=30 num_attention_heads=8 "
     "intermediate_size=8192 vocab_size=262400 max_position_embeddings=32768 num_kv_shared_layers=10 "
     "vocab_size_per_layer_input=262144"},
    {"gemma-4-26B-A4B", "google/gemma-4-26B-A4B",
     "model_type=gemma4 text_config={hidden_size=2816 num_hidden_layers=30 num_attention_heads=16 "
     "num_key_value_heads=8 intermediate_size=2112 vocab_size=262144 max_position_embeddings=262144 "
     "attention_k_eq_v=true enable_moe_block=true final_logit_softcapping=30 moe_intermediate_size=704 "
     "num_experts=128 num_global_key_value_heads=2 sliding_window=1024 top_k_experts=8} "
     "vision_config={hidden_size=1152 num_hidden_layers=27 num_attention_heads=16 head_dim=72 "
     "intermediate_size=4304 patch_size=16 position_embedding_size=10240}"},
    {"gemma-4-31B", "google/gemma-4-31B",
     "model_type=gemma4 text_config={hidden_size=5376 num_hidden_layers=60 num_attention_heads=32 "
     "num_key_value_heads=16 intermediate_size=21504 vocab_size=262144 max_position_embeddings=262144 "
     "attention_k_eq_v=true final_logit_softcapping=30 num_global_key_value_heads=4 sliding_window=1024} "
     "vision_config={hidden_size=1152 num_hidden_layers=27 num_attention_heads=16 head_dim=72 "
     "intermediate_size=4304 patch_size=16 position_embedding_size=10240}"},
    {"gemma-4-E2B", "google/gemma-4-E2B-it",
     "model_type=gemma4 text_config={hidden_size=1536 num_hidden_layers=35 num_attention_heads=8 "
     "num_key_value_heads=1 intermediate_size=6144 vocab_size=262144 max_position_embeddings=131072 "
     "final_logit_softcapping=30 hidden_size_per_layer_input=256 "
     "layer_types=[4*sliding_attention,full_attention]x7 num_kv_shared_layers=20 use_double_wide_mlp=true} "
     "vision_config={hidden_size=768 num_hidden_layers=16 num_attention_heads=12 head_dim=64 "
     "intermediate_size=3072 patch_size=16 position_embedding_size=10240}"},
    {"gemma-4-E4B", "google/gemma-4-E4B-it",
     "model_type=gemma4 text_config={hidden_size=2560 num_hidden_layers=42 num_attention_heads=8 "
     "num_key_value_heads=2 intermediate_size=10240 vocab_size=262144 max_position_embeddings=131072 "
     "final_logit_softcapping=30 hidden_size_per_layer_input=256 num_kv_shared_layers=18} "
     "vision_config={hidden_size=768 num_hidden_layers=16 num_attention_heads=12 head_dim=64 "
     "intermediate_size=3072 patch_size=16 position_embedding_size=10240}"},
    {"gemma-4-12B", "google/gemma-4-12B-it",
     "model_type=gemma4_text hidden_size=3840 num_hidden_layers=48 num_attention_heads=16 "
     "num_key_value_heads=8 intermediate_size=15360 vocab_size=262144 max_position_embeddings=262144 "
     "attention_k_eq_v=true num_global_key_value_heads=1 sliding_window=1024"},
    {"Mistral-7B-v0.1", "mistralai/Mistral-7B-v0.1",
     "model_type=mistral hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=14336 vocab_size=32000 max_position_embeddings=32768"},
    {"Mistral-7B-v0.3", "mistralai/Mistral-7B-v0.3",
     "model_type=mistral hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=14336 vocab_size=32768 max_position_embeddings=32768 sliding_window=null"},
    {"Mistral-Nemo", "mistralai/Mistral-Nemo-Base-2407",
     "model_type=mistral hidden_size=5120 num_hidden_layers=40 num_attention_heads=32 head_dim=128 "
     "intermediate_size=14336 vocab_size=131072 max_position_embeddings=128000 sliding_window=null"},
    {"Mistral-Small-3.2-24B", "mistralai/Mistral-Small-3.2-24B-Instruct-2506",
     "model_type=mistral3 text_config={hidden_size=5120 num_hidden_layers=40 num_attention_heads=32 "
     "head_dim=128 intermediate_size=32768 vocab_size=131072 max_position_embeddings=131072} "
     "vision_config={hidden_size=1024 num_hidden_layers=24 intermediate_size=4096 patch_size=14}"},
    {"Ministral-8B", "mistralai/Ministral-8B-Instruct-2410",
     "model_type=mistral hidden_size=4096 num_hidden_layers=36 num_attention_heads=32 "
     "intermediate_size=12288 vocab_size=131072 max_position_embeddings=32768 sliding_window=32768"},
    {"Ministral-3-14B", "mistralai/Ministral-3-14B-Instruct-2512",
     "model_type=mistral3 text_config={model_type=ministral3 hidden_size=5120 num_hidden_layers=40 "
     "num_attention_heads=32 head_dim=128 intermediate_size=16384 vocab_size=131072 "
     "max_position_embeddings=262144} vision_config={hidden_size=1024 num_hidden_layers=24 "
     "intermediate_size=4096 patch_size=14}"},
    {"Mixtral-8x7B", "mistralai/Mixtral-8x7B-v0.1",
     "model_type=mixtral hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=14336 vocab_size=32000 max_position_embeddings=32768"},
    {"phi-2", "microsoft/phi-2",
     "model_type=phi hidden_size=2560 num_hidden_layers=32 num_attention_heads=32 intermediate_size=10240 "
     "vocab_size=51200 max_position_embeddings=2048 partial_rotary_factor=0.4"},
    {"Phi-3-mini", "microsoft/Phi-3-mini-4k-instruct",
     "model_type=phi3 hidden_size=3072 num_hidden_layers=32 num_attention_heads=32 intermediate_size=8192 "
     "vocab_size=32064 max_position_embeddings=4096 sliding_window=2047"},
    {"Phi-3.5-mini", "microsoft/Phi-3.5-mini-instruct",
     "model_type=phi3 hidden_size=3072 num_hidden_layers=32 num_attention_heads=32 intermediate_size=8192 "
     "vocab_size=32064 max_position_embeddings=131072 sliding_window=262144"},
    {"Phi-3-medium", "microsoft/Phi-3-medium-4k-instruct",
     "model_type=phi3 hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 num_key_value_heads=10 "
     "intermediate_size=17920 vocab_size=32064 max_position_embeddings=4096 sliding_window=2047"},
    {"phi-4", "microsoft/phi-4",
     "model_type=phi3 hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 num_key_value_heads=10 "
     "intermediate_size=17920 vocab_size=100352 max_position_embeddings=16384"},
    {"SmolLM2-135M", "HuggingFaceTB/SmolLM2-135M",
     "model_type=llama hidden_size=576 num_hidden_layers=30 num_attention_heads=9 num_key_value_heads=3 "
     "intermediate_size=1536 vocab_size=49152 max_position_embeddings=8192 tie_word_embeddings=true"},
    {"SmolLM2-360M", "HuggingFaceTB/SmolLM2-360M",
     "model_type=llama hidden_size=960 num_hidden_layers=32 num_attention_heads=15 num_key_value_heads=5 "
     "intermediate_size=2560 vocab_size=49152 max_position_embeddings=8192 tie_word_embeddings=true"},
    {"SmolLM2-1.7B", "HuggingFaceTB/SmolLM2-1.7B",
     "model_type=llama hidden_size=2048 num_hidden_layers=24 num_attention_heads=32 intermediate_size=8192 "
     "vocab_size=49152 max_position_embeddings=8192 tie_word_embeddings=true"},
    {"SmolLM3-3B", "HuggingFaceTB/SmolLM3-3B",
     "model_type=smollm3 hidden_size=2048 num_hidden_layers=36 num_attention_heads=16 "
     "intermediate_size=11008 vocab_size=128256 max_position_embeddings=65536"},
    {"OLMo-2-1B", "allenai/OLMo-2-0425-1B",
     "model_type=olmo2 hidden_size=2048 num_hidden_layers=16 num_attention_heads=16 intermediate_size=8192 "
     "vocab_size=100352 max_position_embeddings=4096"},
    {"OLMo-2-7B", "allenai/OLMo-2-1124-7B",
     "model_type=olmo2 hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=11008 vocab_size=100352 max_position_embeddings=4096"},
    {"OLMo-2-13B", "allenai/OLMo-2-1124-13B",
     "model_type=olmo2 hidden_size=5120 num_hidden_layers=40 num_attention_heads=40 "
     "intermediate_size=13824 vocab_size=100352 max_position_embeddings=4096"},
    {"OLMo-2-32B", "allenai/OLMo-2-0325-32B",
     "model_type=olmo2 hidden_size=5120 num_hidden_layers=64 num_attention_heads=40 num_key_value_heads=8 "
     "intermediate_size=27648 vocab_size=100352 max_position_embeddings=4096"},
    {"Olmo-3-7B", "allenai/Olmo-3-1025-7B",
     "model_type=olmo3 hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=11008 vocab_size=100278 max_position_embeddings=8192"},
    {"Olmo-3-32B", "allenai/Olmo-3-1125-32B",
     "model_type=olmo3 hidden_size=5120 num_hidden_layers=64 num_attention_heads=40 num_key_value_heads=8 "
     "intermediate_size=27648 vocab_size=100278 max_position_embeddings=8192"},
    {"OLMoE-1B-7B", "allenai/OLMoE-1B-7B-0924",
     "model_type=olmoe hidden_size=2048 num_hidden_layers=16 num_attention_heads=16 intermediate_size=1024 "
     "vocab_size=50304 max_position_embeddings=4096"},
    {"GPT-2", "openai-community/gpt2",
     "model_type=gpt2 n_embd=768 n_layer=12 n_head=12 vocab_size=50257"},
    {"GPT-2-medium", "openai-community/gpt2-medium",
     "model_type=gpt2 n_embd=1024 n_layer=24 n_head=16 vocab_size=50257"},
    {"pythia-14m", "EleutherAI/pythia-14m",
     "model_type=gpt_neox hidden_size=128 num_hidden_layers=6 num_attention_heads=4 intermediate_size=512 "
     "vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-31m", "EleutherAI/pythia-31m",
     "model_type=gpt_neox hidden_size=256 num_hidden_layers=6 num_attention_heads=8 intermediate_size=1024 "
     "vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-70m", "EleutherAI/pythia-70m",
     "model_type=gpt_neox hidden_size=512 num_hidden_layers=6 num_attention_heads=8 intermediate_size=2048 "
     "vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-160m", "EleutherAI/pythia-160m",
     "model_type=gpt_neox hidden_size=768 num_hidden_layers=12 num_attention_heads=12 "
     "intermediate_size=3072 vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-410m", "EleutherAI/pythia-410m",
     "model_type=gpt_neox hidden_size=1024 num_hidden_layers=24 num_attention_heads=16 "
     "intermediate_size=4096 vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-1b", "EleutherAI/pythia-1b",
     "model_type=gpt_neox hidden_size=2048 num_hidden_layers=16 num_attention_heads=8 "
     "intermediate_size=8192 vocab_size=50304 max_position_embeddings=2048"},
    {"pythia-6.9b", "EleutherAI/pythia-6.9b",
     "model_type=gpt_neox hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=16384 vocab_size=50432 max_position_embeddings=2048"},
    {"pythia-12b", "EleutherAI/pythia-12b",
     "model_type=gpt_neox hidden_size=5120 num_hidden_layers=36 num_attention_heads=40 "
     "intermediate_size=20480 vocab_size=50688 max_position_embeddings=2048"},
    {"GPT-NeoX-20B", "EleutherAI/gpt-neox-20b",
     "model_type=gpt_neox hidden_size=6144 num_hidden_layers=44 num_attention_heads=64 "
     "intermediate_size=24576 vocab_size=50432 max_position_embeddings=2048"},
    {"falcon-7b", "tiiuae/falcon-7b",
     "model_type=falcon hidden_size=4544 num_hidden_layers=32 num_attention_heads=71 vocab_size=65024 "
     "max_position_embeddings=2048"},
    {"falcon-40b", "tiiuae/falcon-40b",
     "model_type=falcon hidden_size=8192 num_hidden_layers=60 num_attention_heads=128 num_kv_heads=8 "
     "vocab_size=65024 max_position_embeddings=2048 new_decoder_architecture=true"},
    {"DeepSeek-V2-Lite", "deepseek-ai/DeepSeek-V2-Lite",
     "model_type=deepseek_v2 hidden_size=2048 num_hidden_layers=27 num_attention_heads=16 "
     "intermediate_size=10944 vocab_size=102400 max_position_embeddings=163840 first_k_dense_replace=1 "
     "kv_lora_rank=512 moe_intermediate_size=1408 n_routed_experts=64 n_shared_experts=2 "
     "num_experts_per_tok=6 qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128"},
    {"DeepSeek-V3", "deepseek-ai/DeepSeek-V3",
     "model_type=deepseek_v3 hidden_size=7168 num_hidden_layers=61 num_attention_heads=128 "
     "intermediate_size=18432 vocab_size=129280 max_position_embeddings=163840 first_k_dense_replace=3 "
     "kv_lora_rank=512 moe_intermediate_size=2048 n_routed_experts=256 n_shared_experts=1 "
     "num_nextn_predict_layers=1 q_lora_rank=1536 qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128"},
    {"Kimi-K2", "moonshotai/Kimi-K2-Instruct",
     "model_type=kimi_k2 hidden_size=7168 num_hidden_layers=61 num_attention_heads=64 "
     "intermediate_size=18432 vocab_size=163840 max_position_embeddings=131072 first_k_dense_replace=1 "
     "kv_lora_rank=512 moe_intermediate_size=2048 n_routed_experts=384 n_shared_experts=1 q_lora_rank=1536 "
     "qk_nope_head_dim=128 qk_rope_head_dim=64 v_head_dim=128"},
    {"MiniMax-M2.5", "MiniMaxAI/MiniMax-M2.5",
     "model_type=minimax_m2 hidden_size=3072 num_hidden_layers=62 num_attention_heads=48 "
     "intermediate_size=1536 vocab_size=200064 max_position_embeddings=196608 num_local_experts=256 "
     "rotary_dim=64"},
    {"GLM-4-9B", "zai-org/GLM-4-9B-0414",
     "model_type=glm4 hidden_size=4096 num_hidden_layers=40 num_attention_heads=32 intermediate_size=13696 "
     "vocab_size=151552 max_position_embeddings=32768 attention_bias=true"},
    {"GLM-4-9B-2024", "zai-org/glm-4-9b-chat-hf",
     "model_type=glm hidden_size=4096 num_hidden_layers=40 num_attention_heads=32 intermediate_size=13696 "
     "vocab_size=151552 max_position_embeddings=131072"},
    {"GLM-4.5-Air", "zai-org/GLM-4.5-Air",
     "model_type=glm4_moe hidden_size=4096 num_hidden_layers=46 num_attention_heads=96 "
     "intermediate_size=10944 vocab_size=151552 max_position_embeddings=131072 attention_bias=true "
     "moe_intermediate_size=1408 n_routed_experts=128 num_nextn_predict_layers=1"},
    {"GLM-4.5", "zai-org/GLM-4.5",
     "model_type=glm4_moe hidden_size=5120 num_hidden_layers=92 num_attention_heads=96 "
     "intermediate_size=12288 vocab_size=151552 max_position_embeddings=131072 attention_bias=true "
     "first_k_dense_replace=3 moe_intermediate_size=1536 n_routed_experts=160 num_nextn_predict_layers=1 "
     "use_qk_norm=true"},
    {"GLM-4.7-Flash", "zai-org/GLM-4.7-Flash",
     "model_type=deepseek_v3 hidden_size=2048 num_hidden_layers=47 num_attention_heads=20 "
     "intermediate_size=10240 vocab_size=154880 max_position_embeddings=202752 first_k_dense_replace=1 "
     "kv_lora_rank=512 moe_intermediate_size=1536 n_routed_experts=64 n_shared_experts=1 "
     "num_experts_per_tok=4 num_nextn_predict_layers=1 q_lora_rank=768 qk_nope_head_dim=192 "
     "qk_rope_head_dim=64 v_head_dim=256"},
    {"gpt-oss-20b", "openai/gpt-oss-20b",
     "model_type=gpt_oss hidden_size=2880 num_hidden_layers=24 num_attention_heads=64 "
     "intermediate_size=2880 vocab_size=201088 max_position_embeddings=131072 num_local_experts=32"},
    {"gpt-oss-120b", "openai/gpt-oss-120b",
     "model_type=gpt_oss hidden_size=2880 num_hidden_layers=36 num_attention_heads=64 "
     "intermediate_size=2880 vocab_size=201088 max_position_embeddings=131072 num_local_experts=128"},
    {"granite-3.3-8b", "ibm-granite/granite-3.3-8b-instruct",
     "model_type=granite hidden_size=4096 num_hidden_layers=40 num_attention_heads=32 "
     "num_key_value_heads=8 intermediate_size=12800 vocab_size=49159 max_position_embeddings=131072 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=16 residual_multiplier=0.22"},
    {"granite-3.3-2b", "ibm-granite/granite-3.3-2b-instruct",
     "model_type=granite hidden_size=2048 num_hidden_layers=40 num_attention_heads=32 "
     "num_key_value_heads=8 intermediate_size=8192 vocab_size=49159 max_position_embeddings=131072 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=8 residual_multiplier=0.22"},
    {"granite-3.1-1b-a400m", "ibm-granite/granite-3.1-1b-a400m-instruct",
     "model_type=granitemoe hidden_size=1024 num_hidden_layers=24 num_attention_heads=16 "
     "num_key_value_heads=8 intermediate_size=512 vocab_size=49155 max_position_embeddings=131072 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=6 num_experts_per_tok=8 "
     "num_local_experts=32 residual_multiplier=0.22"},
    {"granite-3.1-3b-a800m", "ibm-granite/granite-3.1-3b-a800m-instruct",
     "model_type=granitemoe hidden_size=1536 num_hidden_layers=32 num_attention_heads=24 "
     "num_key_value_heads=8 intermediate_size=512 vocab_size=49155 max_position_embeddings=131072 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=6 num_experts_per_tok=8 "
     "num_local_experts=40 residual_multiplier=0.22"},
    {"granite-4.0-350m", "ibm-granite/granite-4.0-350m",
     "model_type=granite hidden_size=1024 num_hidden_layers=28 num_attention_heads=16 "
     "num_key_value_heads=4 intermediate_size=2048 vocab_size=100352 max_position_embeddings=32768 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=16 residual_multiplier=0.22"},
    {"granite-4.0-micro", "ibm-granite/granite-4.0-micro",
     "model_type=granite hidden_size=2560 num_hidden_layers=40 num_attention_heads=40 "
     "num_key_value_heads=8 intermediate_size=8192 vocab_size=100352 max_position_embeddings=131072 "
     "tie_word_embeddings=true embedding_multiplier=12 logits_scaling=16 residual_multiplier=0.22"},
    {"stablelm-3b-4e1t", "stabilityai/stablelm-3b-4e1t",
     "model_type=stablelm hidden_size=2560 num_hidden_layers=32 num_attention_heads=32 "
     "intermediate_size=6912 vocab_size=50304 max_position_embeddings=4096"},
    {"starcoder2-3b", "bigcode/starcoder2-3b",
     "model_type=starcoder2 hidden_size=3072 num_hidden_layers=30 num_attention_heads=24 "
     "intermediate_size=12288 vocab_size=49152 max_position_embeddings=16384 sliding_window=4096"},
    {"starcoder2-7b", "bigcode/starcoder2-7b",
     "model_type=starcoder2 hidden_size=4608 num_hidden_layers=32 num_attention_heads=36 "
     "num_key_value_heads=4 intermediate_size=18432 vocab_size=49152 max_position_embeddings=16384 "
     "sliding_window=4096"},
    {"BERT-base", "google-bert/bert-base-uncased",
     "model_type=bert hidden_size=768 num_hidden_layers=12 num_attention_heads=12 intermediate_size=3072 "
     "vocab_size=30522 max_position_embeddings=512"},
    {"BERT-large", "google-bert/bert-large-uncased",
     "model_type=bert hidden_size=1024 num_hidden_layers=24 num_attention_heads=16 intermediate_size=4096 "
     "vocab_size=30522 max_position_embeddings=512"},
    {"t5-small", "google-t5/t5-small",
     "model_type=t5 d_model=512 num_layers=6 num_heads=8 d_kv=64 d_ff=2048 vocab_size=32128"},
    {"t5-base", "google-t5/t5-base",
     "model_type=t5 d_model=768 num_layers=12 num_heads=12 d_kv=64 d_ff=3072 vocab_size=32128"},
    {"flan-t5-base", "google/flan-t5-base",
     "model_type=t5 d_model=768 num_layers=12 num_heads=12 d_kv=64 d_ff=2048 vocab_size=32128 "
     "tie_word_embeddings=false feed_forward_proj=gated-gelu"},
    {"mt0-large", "bigscience/mt0-large",
     "model_type=t5 d_model=1024 num_layers=24 num_heads=16 d_kv=64 d_ff=2816 vocab_size=250112 "
     "tie_word_embeddings=false feed_forward_proj=gated-gelu"},
    {"opt-350m", "facebook/opt-350m",
     "model_type=opt hidden_size=1024 num_hidden_layers=24 num_attention_heads=16 ffn_dim=4096 "
     "vocab_size=50272 max_position_embeddings=2048 do_layer_norm_before=false word_embed_proj_dim=512"},
    {"opt-6.7b", "facebook/opt-6.7b",
     "model_type=opt hidden_size=4096 num_hidden_layers=32 num_attention_heads=32 ffn_dim=16384 "
     "vocab_size=50272 max_position_embeddings=2048"},
    {"bloomz-560m", "bigscience/bloomz-560m",
     "model_type=bloom hidden_size=1024 n_layer=24 n_head=16 vocab_size=250880"},
    // clang-format on
};

char lower(char c) {
    return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
}

}  // namespace

std::span<const Model> models() {
    return all;
}

std::string id_of(const Model& model) {
    std::string id(model.name);
    for (char& c : id) c = lower(c);
    return id;
}

const Model* find_model(std::string_view id) {
    for (const Model& m : all)
        if (id_of(m) == id) return &m;
    return nullptr;
}

model::Config config_of(const Model& model) {
    return model::parse_compact(model.config);
}

}  // namespace memory_budget::catalog
