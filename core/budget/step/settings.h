// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace memory_budget::budget::step {

enum class Method : std::uint8_t { full, lora, qlora };
enum class Precision : std::uint8_t { f32, bf16, f16 };
/// `selective`: every n-th block, as torchtune's `ac_mode: selective` with `ac_option: n` has it.
enum class Checkpointing : std::uint8_t { none, block, selective };
/// `flash`: PyTorch's fused kernel, no mask. `masked`: a padding mask is given. `eager`: written out.
/// `flash_attention_2`: the package of that name, which takes windows and padding as numbers and never as a mask.
enum class AttentionPath : std::uint8_t { flash, masked, eager, flash_attention_2 };
/// `full`: the model's own over all logits. `chunked`: TRL's, 256 tokens at a time. `fused`: Liger's, with the head.
/// `in_place`: one kernel over all logits, whose gradient is written over them. `backbone`: the mean of the last hidden
/// states, so that the blocks show without a head.
enum class Loss : std::uint8_t { full, chunked, fused, in_place, backbone };
/// How linear modules of a quantised base are stored. `nf4`: bitsandbytes' 4 bits, the scales in 32 bits or quantised
/// again; `gptq`: 4-bit integers, a scale and a zero for each 128 of a column.
enum class Quantization : std::uint8_t { nf4_double, nf4, gptq };
/// Whose modules a model is built of, where they do not make the same tensors.
enum class Modules : std::uint8_t { transformers, litgpt, torchtune, mlx };
/// Which of the model's own modules are replaced by kernels that keep their inputs alone (Liger, Unsloth).
struct Kernels {
    bool norm = false, rotary = false, mlp = false;

    bool operator==(const Kernels&) const = default;
};
enum class Optimizer : std::uint8_t {
    adamw_fused,
    adamw_foreach,
    adamw_8bit,
    paged_adamw_8bit,
    adafactor,
    sgd,
    sgd_momentum,
    lion,
    muon,
    adamw_single
};
/// How the model's own loss goes from logits to labels that are one token ahead. Transformers 5 pads the labels; up to
/// 4.46 the 32-bit logits take the place of the 16-bit ones and are copied without their last position; from 4.47 the
/// 16-bit ones live on beside both. Some older classes copy the logits as they are, and never widen them; torchtune
/// widens them and shifts the labels.
enum class LossChain : std::uint8_t { padded_labels, copied_logits, copied_beside_logits, copied_narrow, widened };
enum class Sharding : std::uint8_t { none, zero_1, zero_2, zero_3, fsdp1, fsdp2 };
/// What waits in the host's memory. FSDP knows only all of it, ZeRO-1 and 2 only the optimizer.
enum class Offload : std::uint8_t { none, optimizer, parameters };

/// Everything about a run that moves its peak, on the stack Transformers 5.16.1, TRL 1.12.0, PEFT 0.20.0,
/// bitsandbytes 0.50.2, PyTorch 2.13, Liger 0.8.5, Accelerate 1.15.0.
struct StepSettings {
    Method method = Method::full;
    Precision weights = Precision::bf16;
    bool autocast = false;             ///< to 16 bits
    Precision half = Precision::bf16;  ///< which 16 bits: autocast's, a gathered unit's, a dequantised matrix's
    /// A copy in 32 bits of each trained 16-bit weight, which the optimizer steps.
    bool master = false;
    bool wide_gradients = false;  ///< with a master copy: gradients are added up in 32-bit buffers

    Precision adapter = Precision::f32;
    std::int64_t rank = 16;
    bool all_linear = true;
    std::vector<std::string> targets;  ///< module names, where not all linear modules
    double dropout = 0;
    Quantization quantization = Quantization::nf4_double;
    bool kbit_preparation = false;     ///< norms, embeddings and head to 32 bits
    bool narrowed_embeddings = false;  ///< and embeddings and head back to 16 (TRL up to 0.13)

    Checkpointing checkpointing = Checkpointing::block;
    std::int64_t checkpoint_every = 2;  ///< blocks, where selective
    bool activation_offload = false;    ///< kept tensors wait on the host
    bool reentrant = false;  ///< a checkpointed block is played again to its end, and has a backward of its own
    AttentionPath attention = AttentionPath::flash;
    Loss loss = Loss::full;
    LossChain loss_chain = LossChain::padded_labels;
    bool metrics = false;  ///< the trainer's entropy and accuracy over the logits
    Kernels kernels;
    Modules modules = Modules::transformers;
    bool compiled = false;            ///< element-wise chains are one kernel (torch.compile)
    bool packed_keeps_input = false;  ///< a 4-bit product holds on to its input (bitsandbytes up to 0.43.1)
    bool repeated_kv = false;         ///< keys and values are repeated for every head before the kernel
    bool kept_cache = false;          ///< keys and values of all blocks live to the end of forward
    bool separate_experts = false;    ///< each expert is three linear modules, one after the other

    Optimizer optimizer = Optimizer::adamw_fused;
    bool wide_embedding_states = true;  ///< an 8-bit optimizer keeps embeddings' states in 32 bits
    bool step_in_backward = false;      ///< each parameter is stepped as soon as its gradient is there
    std::int64_t accumulation = 1;

    Sharding sharding = Sharding::none;
    std::int64_t gpus = 1;
    bool reshard_after_forward = true;
    std::int64_t reduce_bucket = 500'000'000;  ///< elements; ZeRO
    Offload offload = Offload::none;

    std::int64_t batch = 1;     ///< sequences a GPU
    std::int64_t sequence = 1;  ///< tokens

    bool operator==(const StepSettings&) const = default;
};

}  // namespace memory_budget::budget::step
