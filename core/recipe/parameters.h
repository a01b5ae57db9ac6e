// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <span>
#include <string_view>

namespace memory_budget::recipe {

/// Every parameter of a run, in the order of the table, of links and of forms.
enum class Key : std::uint8_t {
    basis,
    stack,
    method,
    batch,
    sequence,
    accumulation,
    rank,
    targets,
    expert_adapters,
    dora,
    train_head,
    train_embedding,
    adapter_dtype,
    dropout,
    adapter_parameters,
    weights_dtype,
    autocast,
    gradients_dtype,
    master,
    optimizer,
    quantization,
    kbit_preparation,
    base_bytes_per_parameter,
    step_in_backward,
    checkpointing,
    checkpoint_every,
    activation_offload,
    attention,
    loss,
    metrics,
    liger,
    sharding,
    gpus,
    reshard_after_forward,
    reduce_bucket,
    offload,
    machine,
    machine_gb,
    reserve_gb,
    count
};

/// `machine` and `stack`: the id of an entry of the catalog or of the stacks, held as its index there.
enum class Kind : std::uint8_t { choice, integer, number, boolean, list, machine, stack };

enum class Basis : std::uint8_t { course, detailed };
enum class Method : std::uint8_t { full, lora, qlora };
enum class Dtype : std::uint8_t { fp32, bf16, fp16 };
enum class Autocast : std::uint8_t { none, bf16, fp16 };
enum class Quantization : std::uint8_t { none, nf4_double, nf4, gptq };
enum class Attention : std::uint8_t { flash, masked, eager, flash_attention_2 };
enum class Loss : std::uint8_t { full, chunked, fused, in_place };
enum class Master : std::uint8_t { none, fp32 };
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
enum class Checkpointing : std::uint8_t { none, block, selective };
enum class Sharding : std::uint8_t { none, zero_1, zero_2, zero_3, fsdp1, fsdp2 };
enum class Offload : std::uint8_t { none, optimizer, parameters };
/// Which modules carry an adapter; `list` stands for names given one by one.
enum class Targets : std::uint8_t { all_linear, attention, qv, mlp, list };

inline constexpr std::uint8_t method_full = 1, method_lora = 2, method_qlora = 4;
inline constexpr std::uint8_t adapter_methods = method_lora | method_qlora, all_methods = 7;
inline constexpr std::uint8_t basis_course = 1, basis_detailed = 2, all_bases = 3;

/// One row of the one table: it feeds the JSON request, the URL, the attributes, the form and the reference page.
struct Parameter {
    Key id;
    std::string_view key;  ///< snake case; the attribute is the same in kebab case
    std::string_view url;  ///< short name in links
    Kind kind;
    std::string_view unit;  ///< `tokens`, `gb`, `gpus` ...; empty where there is none
    double fallback;        ///< default value, or the index of the default choice; NaN: absent, or set by the stack
    double min;
    double max;
    std::span<const std::string_view> choices;
    std::uint8_t methods;    ///< the methods that it bears on
    std::uint8_t bases;      ///< the bases that it bears on
    std::string_view group;  ///< where a form shows it
    int since;               ///< version of the request that brought it in
};

/// The table, one row a key, in the order of `Key`.
std::span<const Parameter> parameters();
const Parameter& parameter(Key key);
/// The row of a key's text, or null.
const Parameter* find_parameter(std::string_view key);

/// The numbers that describe a model given by hand, `model.hidden_size` and so on.
enum class ShapeKey : std::uint8_t {
    parameters,
    hidden_size,
    num_hidden_layers,
    intermediate_size,
    vocab_size,
    num_attention_heads,
    num_key_value_heads,
    head_dim,
    count
};

struct ShapeParameter {
    ShapeKey id;
    std::string_view key;
    std::string_view unit;
    double min;
    double max;
};

std::span<const ShapeParameter> shape_parameters();

}  // namespace memory_budget::recipe
